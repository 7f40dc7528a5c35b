"""`run_module.py FOLDER MODULE [NEEDED ...]`: runs the unittest MODULE, found from FOLDER; exit 77 (skipped) where something is missing.

NEEDED are modules. One below FOLDER with a function require() is asked, too: plots.backend knows which matplotlib is too old.
"""

import importlib
import importlib.util
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True


def lacking(name, folder):
    """Why the module cannot be used here, or ""."""
    found = importlib.util.find_spec(name)
    if found is None:
        return f"{sys.executable} has no {name}"
    try:
        module = importlib.import_module(name)
        ours = Path(folder).resolve() in Path(found.origin or "/").resolve().parents  # numpy has another require()
        if ours and hasattr(module, "require"):
            module.require()
    except Exception as error:  # a mismatched binary raises anything from ImportError to AttributeError
        return f"{name}: {error}"
    return ""


def main(folder, module, *needed):
    sys.path.insert(0, folder)
    reasons = [reason for reason in (lacking(name, folder) for name in needed) if reason]
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
