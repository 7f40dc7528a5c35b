"""`run_module.py FOLDER MODULE [NEEDED ...]`: runs the unittest MODULE, found from FOLDER; exit 77 (skipped) where something is missing.

NEEDED are modules. One with a function require() is asked, too: plots.backend knows which matplotlib is too old.
"""

import importlib
import importlib.util
import sys
import unittest

sys.dont_write_bytecode = True


def lacking(name):
    """Why the module cannot be used here, or ""."""
    if importlib.util.find_spec(name) is None:
        return f"{sys.executable} has no {name}"
    try:
        getattr(importlib.import_module(name), "require", lambda: None)()
    except Exception as error:  # a mismatched binary raises anything from ImportError to AttributeError
        return f"{name}: {error}"
    return ""


def main(folder, module, *needed):
    sys.path.insert(0, folder)
    reasons = [reason for reason in map(lacking, needed) if reason]
    if reasons:
        print("skipped: " + "; ".join(reasons))
        return 77
    outcome = unittest.main(module=module, argv=["run_module"], exit=False).result
    if outcome.testsRun == 0:
        print(f"{module}: no tests found", file=sys.stderr)
        return 1
    return 0 if outcome.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
