"""run_tests.py MODULE [LIBRARY ...]: runs one test module of this folder; exit 77 (skipped) where a library is missing."""

import importlib.util
import sys
import unittest

sys.dont_write_bytecode = True


def main():
    missing = [name for name in sys.argv[2:] if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        return 77
    outcome = unittest.main(module=sys.argv[1], argv=["run_tests"], exit=False).result
    if outcome.testsRun == 0:
        print(f"{sys.argv[1]}: no tests found", file=sys.stderr)
        return 1
    return 0 if outcome.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
