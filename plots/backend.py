"""The only door to matplotlib: fixes the backend before the import, and says in one sentence what is missing.

Charts are drawn with the Agg objects (Figure and its canvas), so that neither DISPLAY nor MPLBACKEND nor a
user's matplotlibrc can matter. Everything else in plots/ imports matplotlib from here or after here.
"""

import logging
import os

OLDEST = (3, 6)


class Unavailable(Exception):
    """matplotlib or numpy cannot be used here; the text says what to install."""


def require():
    """The matplotlib module, ready; Unavailable if it is missing, broken or too old."""
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    advice = (
        "install python3-matplotlib and python3-numpy (3.6 or newer); the report can be made without charts"
    )
    try:
        import numpy  # noqa: F401  (a broken numpy shows here, not in the middle of a chart)
        import matplotlib
        import matplotlib.figure  # noqa: F401
        from matplotlib.backends import backend_agg, backend_svg  # noqa: F401
    except Exception as error:  # a mismatched binary raises anything from ImportError to AttributeError
        raise Unavailable(
            f"charts need matplotlib, which cannot be imported ({_first_line(error)}): {advice}"
        ) from None
    version = tuple(int(part) for part in matplotlib.__version__.split(".")[:2] if part.isdigit())
    if version < OLDEST:
        raise Unavailable(f"charts need matplotlib 3.6 or newer, this is {matplotlib.__version__}: {advice}")
    matplotlib.rcParams.update(matplotlib.rcParamsDefault)
    return matplotlib


def _first_line(error):
    return f"{type(error).__name__}: {error}".splitlines()[0]
