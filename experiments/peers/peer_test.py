"""The protocol: who, requests, answers, errors; with made-up works, and as a process."""

import io
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

import blas
import peer
import python_work

HERE = Path(__file__).parent


class Protocol(unittest.TestCase):
    def serve(self, works, requests):
        answers = io.StringIO()
        module = mock.Mock(identity=lambda: {"library": "Made up", "version": "1", "threads": 1}, WORKS=works)
        with mock.patch.object(peer.importlib, "import_module", return_value=module):
            code = peer.serve("python", io.StringIO(requests), answers)
        return code, [json.loads(line) for line in answers.getvalue().splitlines()]

    def test_says_who_it_is_and_answers_each_request(self):
        code, (who, first, second) = self.serve({"double": lambda n: {"seconds": 1, "correct": True, "numbers": {"n": 2 * int(n)}}},
                                                "run double n=4\nrun double n=5\n")
        self.assertEqual(code, 0)
        self.assertEqual((who["library"], who["pid"]), ("Made up", os.getpid()))
        self.assertTrue(who["runtime"].startswith("Python 3."))
        self.assertEqual((first["numbers"]["n"], second["numbers"]["n"]), (8, 10))

    def test_errors_are_answers(self):
        def fails():
            raise ArithmeticError("no such number")

        requests = ["run fails", "run nothing", "walk", "", "run fails n", "run fails n=1 n=2", "run fails m=1", "run nan", "run fails"]
        _, (_, *answers) = self.serve({"fails": fails, "nan": lambda: {"seconds": float("nan")}}, "\n".join(requests) + "\n")
        self.assertEqual(len(answers), len(requests))
        for answer in answers:
            self.assertEqual(list(answer), ["error"])
        self.assertEqual(answers[0]["error"], "ArithmeticError: no such number")
        self.assertIn("want one of fails, nan", answers[1]["error"])

    def test_a_library_that_does_not_load_is_said(self):
        answers = io.StringIO()
        with mock.patch.object(peer.importlib, "import_module", side_effect=ImportError("libblas.so.3")):
            self.assertEqual(peer.serve("numpy", io.StringIO("run x\n"), answers), 1)
        self.assertEqual(json.loads(answers.getvalue()), {"error": "ImportError: libblas.so.3"})


class Settle(unittest.TestCase):
    """A made-up process whose threads spin through the first slices."""

    def slices_waited(self, uses):
        """uses: share of a processor in each slice; quiet afterwards. Returns the number of slices that were slept."""
        used, slept = [0.0], []

        def sleep(slice_s):
            used[0] += slice_s * (uses[len(slept)] if len(slept) < len(uses) else 0)
            slept.append(slice_s)

        with mock.patch.object(peer.time, "sleep", sleep), mock.patch.object(peer.time, "process_time", lambda: used[0]):
            peer.settle(most_slices=20)
        return len(slept)

    def test_waits_for_two_quiet_slices_and_not_for_ever(self):
        self.assertEqual(self.slices_waited([]), 2)
        self.assertEqual(self.slices_waited([1, 1, 0.5]), 5)
        self.assertEqual(self.slices_waited([0, 1, 0, 1]), 6)
        self.assertEqual(self.slices_waited([1] * 100), 20)

    def test_every_answer_comes_after_it(self):
        events = []
        works = {"work": lambda: events.append("work") or {"seconds": 1, "correct": True}}
        module = mock.Mock(identity=lambda: {}, WORKS=works)
        answers = mock.Mock(write=lambda text: events.append("answer"))
        with mock.patch.object(peer.importlib, "import_module", return_value=module), \
                mock.patch.object(peer, "settle", lambda: events.append("settle")):
            peer.serve("python", io.StringIO("run work\n"), answers)
        self.assertEqual(events, ["answer", "work", "settle", "answer"])


class Process(unittest.TestCase):
    def test_ends_with_its_input_and_takes_its_workers_along(self):
        process = subprocess.run([sys.executable, "-B", HERE / "peer.py", "python"], text=True, capture_output=True, check=True,
                                 input="run python_threads threads=2 mode=processes count=100\n", timeout=50)
        who, answer = map(json.loads, process.stdout.splitlines())
        self.assertEqual(who["library"], python_work.platform.python_implementation())
        self.assertIs(answer["correct"], True)
        self.assertEqual(process.stderr, "")

    def test_what_a_library_prints_is_no_answer(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import os, peer; requests, answers = peer.private_ends(); "
                "os.write(1, b'banner\\n'); print('noise', flush=True); answers.write(requests.readline()); answers.flush(); "
                "print(repr(sys.stdin.read()), flush=True)")
        process = subprocess.run([sys.executable, "-B", "-c", code, HERE], text=True, capture_output=True, check=True,
                                 input="one\ntwo\n", timeout=50)
        self.assertEqual(process.stdout, "one\n")
        self.assertEqual(process.stderr, "banner\nnoise\n''\n")

    def test_an_unknown_kind_is_a_mistake(self):
        process = subprocess.run([sys.executable, "-B", HERE / "peer.py", "nunpy"], capture_output=True, timeout=50)
        self.assertEqual(process.returncode, 2)


class LoadedBlas(unittest.TestCase):
    def found(self, paths, **functions):
        library = mock.Mock(spec=list(functions))
        for name, result in functions.items():
            getattr(library, name).return_value = result
        with mock.patch.object(blas, "loaded_libraries", return_value=paths), \
                mock.patch.object(blas.ctypes, "CDLL", return_value=library):
            return blas.loaded_blas()

    def test_openblas_of_a_distribution_and_of_a_wheel(self):
        want = {"blas": "OpenBLAS 0.3.21", "blas_threads": 2}
        config = b"OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH Zen MAX_THREADS=64"
        self.assertEqual(self.found(["/usr/lib/libm.so.6", "/usr/lib/libopenblasp-r0.3.21.so"],
                                    openblas_get_num_threads=2, openblas_get_config=config), want)
        self.assertEqual(self.found(["/x/libscipy_openblas64_-ff651d7f.so"], scipy_openblas_get_num_threads64_=2,
                                    scipy_openblas_get_config64_=config), want)

    def test_others(self):
        self.assertEqual(self.found(["/x/libmkl_rt.so.2"], MKL_Get_Max_Threads=4), {"blas": "MKL", "blas_threads": 4})
        self.assertEqual(self.found(["/x/libblis.so.4"], bli_thread_get_num_threads=-1, bli_info_get_version_str=b"0.9.0"),
                         {"blas": "BLIS 0.9.0", "blas_threads": 1})
        self.assertEqual(self.found(["/x/libblas.so.3.11.0"]), {"blas": "reference BLAS", "blas_threads": 1})
        self.assertEqual(self.found(["/x/libm.so.6"]), {})

    def test_this_process_has_a_c_library(self):
        self.assertTrue(any("libc.so" in path or "libc-" in path for path in blas.loaded_libraries()))


if __name__ == "__main__":
    unittest.main()
