"""The CI script reports what its steps did: `ci_test.py SOURCE` runs a copy of .ci/run with fake tools as its whole PATH."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
REAL_TOOLS = ["bash", "sh", "env", "dirname", "mkdir", "tee", "grep", "tail", "cat", "id", "nproc"]
CTEST = 'echo "100% tests passed, 0 tests failed out of 3"'


class CiScript(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        (self.root / ".ci").mkdir()
        shutil.copy(SOURCE / ".ci" / "run", self.root / ".ci")
        for tool in REAL_TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for tool in ("clang-format", "dpkg-query", "python3", "cmake", "ninja"):
            self.fake(self.bin / tool, "exit 0")
        self.fake(self.bin / "setarch", 'shift; exec "$@"')
        self.fake(self.bin / "true", "exit 0")
        self.fake(self.bin / "ctest", CTEST)
        self.fake(self.root / "perflab", CTEST)

    def fake(self, path, body):
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def run_it(self):
        return subprocess.run([self.root / ".ci" / "run"], cwd="/", env={"PATH": str(self.bin)}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, encoding="utf-8", check=False)

    def test_all_steps_pass(self):
        result = self.run_it()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("5 passed, 0 failed, 0 skipped", result.stdout.splitlines()[-1])

    def test_every_step_that_fails_is_counted_and_the_others_still_run(self):
        for path, failures in [(self.root / "perflab", 1), (self.bin / "python3", 1), (self.bin / "ninja", 2),
                               (self.bin / "ctest", 2), (self.bin / "cmake", 2)]:
            with self.subTest(failing=path.name):
                before = path.read_text(encoding="utf-8")
                self.fake(path, "exit 3")
                result = self.run_it()
                path.write_text(before, encoding="utf-8")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(f"{5 - failures} passed, {failures} failed, 0 skipped", result.stdout.splitlines()[-1])

    def test_tests_that_say_nothing_have_not_passed(self):
        self.fake(self.bin / "ctest", "exit 0")
        result = self.run_it()
        self.assertEqual(result.returncode, 1)
        self.assertIn("3 passed, 2 failed", result.stdout.splitlines()[-1])

    def test_a_skip_is_not_a_pass(self):
        self.fake(self.bin / "python3", "exit 77")
        result = self.run_it()
        self.assertEqual(result.returncode, 0)
        self.assertIn("4 passed, 0 failed, 1 skipped", result.stdout.splitlines()[-1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
