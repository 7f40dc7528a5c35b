"""NumPy's works: the article's loop of normal draws and a matrix product."""

from time import perf_counter

import numpy

from blas import loaded_blas

DTYPES = {"f64": numpy.float64, "f32": numpy.float32}
TOLERANCE = {"f64": 1e-11, "f32": 1e-4}  # of a product's entry, against the sum of the magnitudes it adds up


def identity():
    blas = loaded_blas()
    return {"library": "NumPy", "version": numpy.__version__, "threads": blas.get("blas_threads", 1), **blas}


def drawing(generator, dtype, n, seed):
    """A function that draws n x n normals. The legacy generator knows float64 only; its float32 is a conversion."""
    if generator == "legacy":
        numpy.random.seed(seed)
        if dtype == "f64":
            return lambda: numpy.random.normal(size=(n, n))
        return lambda: numpy.random.normal(size=(n, n)).astype(numpy.float32)
    if generator == "philox":
        philox = numpy.random.Generator(numpy.random.Philox(seed))
        return lambda: philox.standard_normal((n, n), dtype=DTYPES[dtype])
    raise ValueError(f"generator '{generator}'; want legacy or philox")


def looks_normal(a):
    """Mean and variance within six standard errors of 0 and 1."""
    count = a.size
    wide = a.astype(numpy.float64)
    return abs(wide.mean()) <= 6 / count**0.5 and abs((wide**2).mean() - 1) <= 6 * (2 / count) ** 0.5


def is_product(a, b, dtype):
    """One row of b = a a, added up without a BLAS in float64."""
    row = a.shape[0] // 2
    terms = a[row].astype(numpy.float64)[:, None] * a.astype(numpy.float64)
    return bool((abs(b[row] - terms.sum(0)) <= TOLERANCE[dtype] * abs(terms).sum(0)).all())


def numpy_loop(n, rounds, dtype="f64", generator="legacy", seed="1"):
    n, rounds = int(n), int(rounds)
    if n < 1 or rounds < 1 or dtype not in DTYPES:
        raise ValueError(f"n={n} rounds={rounds} dtype={dtype}; want n and rounds >= 1, dtype f64 or f32")
    draw = drawing(generator, dtype, n, int(seed))
    rng_s = matmul_s = 0.0
    start = perf_counter()
    for _ in range(rounds):
        before = perf_counter()
        a = draw()
        drawn = perf_counter()
        b = numpy.dot(a, a)
        matmul_s += perf_counter() - drawn
        rng_s += drawn - before
    seconds = perf_counter() - start
    correct = a.dtype == b.dtype == DTYPES[dtype] and looks_normal(a) and is_product(a, b, dtype)
    return {"seconds": seconds, "correct": bool(correct),
            "numbers": {"rng_s": rng_s, "matmul_s": matmul_s, "checksum": float(b.trace())}}


WORKS = {"numpy_loop": numpy_loop}
