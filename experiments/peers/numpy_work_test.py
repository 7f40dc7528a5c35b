"""NumPy's works check themselves, and their checks can fail."""

import unittest
from unittest import mock

import numpy

import numpy_work as work
import python_work


class Loop(unittest.TestCase):
    def test_every_data_type_and_generator(self):
        for dtype in ("f64", "f32"):
            for generator in ("legacy", "philox"):
                answer = work.numpy_loop(n="40", rounds="3", dtype=dtype, generator=generator)
                self.assertIs(answer["correct"], True, (dtype, generator))
                numbers = answer["numbers"]
                self.assertGreater(numbers["rng_s"], 0)
                self.assertGreater(numbers["matmul_s"], 0)
                again = work.numpy_loop(n="40", rounds="3", dtype=dtype, generator=generator)
                self.assertEqual(numbers["checksum"], again["numbers"]["checksum"])
                other = work.numpy_loop(n="40", rounds="3", dtype=dtype, generator=generator, seed="2")
                self.assertNotEqual(numbers["checksum"], other["numbers"]["checksum"])

    def test_a_wrong_product_and_a_wrong_distribution_are_found(self):
        right = numpy.dot
        with mock.patch.object(work.numpy, "dot", lambda a, b: right(a, b) * (1 + 1e-3)):
            self.assertIs(work.numpy_loop(n="40", rounds="1")["correct"], False)
        with mock.patch.object(work.numpy.random, "normal", lambda size: numpy.random.random(size)):
            self.assertIs(work.numpy_loop(n="40", rounds="1")["correct"], False)
        with mock.patch.object(work.numpy, "dot", lambda a, b: right(a, b).astype(numpy.float64)):
            self.assertIs(work.numpy_loop(n="40", rounds="1", dtype="f32")["correct"], False)

    def test_one_wrong_entry_of_the_row_is_found(self):
        a = numpy.random.Generator(numpy.random.Philox(3)).standard_normal((64, 64))
        b = numpy.dot(a, a)
        self.assertTrue(work.is_product(a, b, "f64"))
        b[32, 5] += 1e-6
        self.assertFalse(work.is_product(a, b, "f64"))

    def test_refuses_what_it_cannot_do(self):
        for settings in ({"n": "0", "rounds": "1"}, {"n": "1", "rounds": "0"}, {"n": "8", "rounds": "1", "dtype": "f16"},
                         {"n": "8", "rounds": "1", "generator": "mt"}):
            with self.assertRaises(ValueError):
                work.numpy_loop(**settings)


class Threads(unittest.TestCase):
    def test_sorting_in_threads_does_the_whole_work(self):
        for threads in ("1", "2"):
            answer = python_work.python_threads(threads, mode="numpy", count="3")
            self.assertIs(answer["correct"], True)
            self.assertEqual(answer["numbers"]["checksum"], 3)


class Identity(unittest.TestCase):
    def test_the_version_is_numpys(self):
        who = work.identity()
        self.assertEqual((who["library"], who["version"]), ("NumPy", numpy.__version__))
        self.assertGreaterEqual(who["threads"], 1)


if __name__ == "__main__":
    unittest.main()
