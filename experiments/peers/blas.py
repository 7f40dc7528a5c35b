"""Which BLAS this process has really loaded, and with how many threads: asked of the library itself.

What a framework was built against says little: a distribution swaps the library behind the name, and an environment
variable that nobody reads changes nothing."""

import ctypes
import os
import re


def loaded_libraries():
    """Paths of the shared libraries mapped into this process, in order, each once."""
    paths = []
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            fields = line.split(maxsplit=5)
            path = fields[5].strip() if len(fields) == 6 else ""
            if ".so" in os.path.basename(path) and path not in paths:
                paths.append(path)
    return paths


def first_function(library, names, result):
    for name in names:
        try:
            function = getattr(library, name)
        except AttributeError:
            continue
        function.restype, function.argtypes = result, []
        return function
    return None


def openblas(path):
    library = ctypes.CDLL(path)
    # Wheels rename the symbols, so that two copies can live in one process.
    spellings = [(before, after) for before in ("", "scipy_") for after in ("", "64_", "_64_")]
    threads = first_function(library, [f"{b}openblas_get_num_threads{a}" for b, a in spellings], ctypes.c_int)
    config = first_function(library, [f"{b}openblas_get_config{a}" for b, a in spellings], ctypes.c_char_p)
    if threads is None:
        return None
    words = config().decode().split() if config else []
    name = "OpenBLAS " + words[1] if len(words) > 1 and words[0] == "OpenBLAS" else "OpenBLAS"
    return {"blas": name, "blas_threads": threads()}


def mkl(path):
    threads = first_function(ctypes.CDLL(path), ["MKL_Get_Max_Threads", "mkl_get_max_threads"], ctypes.c_int)
    return threads and {"blas": "MKL", "blas_threads": threads()}


def blis(path):
    library = ctypes.CDLL(path)
    threads = first_function(library, ["bli_thread_get_num_threads"], ctypes.c_long)
    version = first_function(library, ["bli_info_get_version_str"], ctypes.c_char_p)
    # -1: nothing was asked for, and then it takes one.
    return threads and {"blas": f"BLIS {version().decode()}" if version else "BLIS", "blas_threads": max(threads(), 1)}


def reference(_path):
    return {"blas": "reference BLAS", "blas_threads": 1}


KNOWN = [(r"openblas[^/]*\.so", openblas), (r"libmkl_rt[^/]*\.so|libmkl_core[^/]*\.so", mkl), (r"libblis[^/]*\.so", blis),
         (r"lib(c?blas|f77blas)\.so[^/]*", reference)]


def loaded_blas():
    """{"blas": "OpenBLAS 0.3.21", "blas_threads": 2}; {} if none is recognised."""
    paths = loaded_libraries()
    for pattern, ask in KNOWN:
        for path in paths:
            if re.search(pattern, os.path.basename(path)):
                found = ask(path)
                if found:
                    return found
    return {}
