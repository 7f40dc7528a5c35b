"""python3 -m plots.run_tests MODULE: runs one test module; exit 77 (skipped) where matplotlib or Jinja2 is
missing."""

import sys
import unittest

sys.dont_write_bytecode = True


def main():
    from plots import backend

    try:
        backend.require()
        import jinja2  # noqa: F401
    except (backend.Unavailable, ImportError) as error:
        print(f"skipped: {error}")
        return 77
    outcome = unittest.main(module=sys.argv[1], argv=["run_tests"], exit=False).result
    if outcome.testsRun == 0:
        print(f"{sys.argv[1]}: no tests found", file=sys.stderr)
        return 1
    return 0 if outcome.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
