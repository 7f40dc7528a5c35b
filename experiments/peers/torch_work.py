"""PyTorch's works: the article's loop, and small operations issued one by one from Python."""

import functools
import math
from time import perf_counter

import torch

from blas import loaded_blas


def identity():
    return {"library": "PyTorch", "version": torch.__version__, "threads": torch.get_num_threads(), **loaded_blas()}


def is_product(a, b):
    """One row of b = a a against float64, within float32's rounding of the terms that it adds up."""
    row = a.shape[0] // 2
    terms = a[row].double()[:, None] * a.double()
    return bool(((b[row].double() - terms.sum(0)).abs() <= 1e-4 * terms.abs().sum(0)).all())


def looks_normal(a):
    """Mean and variance within six standard errors of 0 and 1."""
    count, wide = a.numel(), a.double()
    return abs(wide.mean().item()) <= 6 / count**0.5 and abs((wide**2).mean().item() - 1) <= 6 * (2 / count) ** 0.5


def torch_loop(n, rounds, device="cpu", seed="1"):
    """submit_s: the clock stopped before anything was waited for; finish_s: after a value of the last result was read,
    which on a device with a queue waits for all of it."""
    n, rounds = int(n), int(rounds)
    if n < 1 or rounds < 1:
        raise ValueError(f"n={n} rounds={rounds}; want both >= 1")
    torch.manual_seed(int(seed))
    start = perf_counter()
    for _ in range(rounds):
        a = torch.randn(n, n, device=device)
        b = torch.mm(a, a)
    submit_s = perf_counter() - start
    b[0, 0].item()
    finish_s = perf_counter() - start
    a, b = a.cpu(), b.cpu()
    return {"seconds": finish_s, "correct": looks_normal(a) and is_product(a, b),
            "numbers": {"submit_s": submit_s, "finish_s": finish_s, "checksum": b.trace().item()}}


@functools.lru_cache(maxsize=8)
def operation(op, n):
    """(function, a, b, whether it gives the right result). The values are small whole numbers, so that sums and products
    are exact in float32; the wanted ones are computed in integers."""
    i = torch.arange(n)
    a, b = (i % 7).float(), (i % 5).float()
    if op == "add":
        return torch.add, a, b, torch.equal(torch.add(a, b).long(), i % 7 + i % 5)
    side = math.isqrt(n)
    if side * side != n:
        raise ValueError(f"n={n}; want a square, the elements of a square matrix")
    a, b = a.reshape(side, side), b.reshape(side, side)
    row = (a[side // 2].long()[:, None] * b.long()).sum(0)
    return torch.matmul, a, b, torch.equal(torch.matmul(a, b)[side // 2].long(), row)


def torch_ops(n, op, count):
    """count operations on n elements each (matmul: of a square matrix), one after the other; per_op_s is one of them."""
    n, count = int(n), int(count)
    if n < 1 or count < 1 or op not in ("add", "matmul"):
        raise ValueError(f"n={n} count={count} op={op}; want n and count >= 1, op add or matmul")
    function, a, b, correct = operation(op, n)
    result = function(a, b)
    start = perf_counter()
    for _ in range(count):  # into one result: a new one each time would time allocators
        function(a, b, out=result)
    seconds = perf_counter() - start
    return {"seconds": seconds, "correct": correct,
            "numbers": {"per_op_s": seconds / count, "checksum": result.double().sum().item()}}


WORKS = {"torch_loop": torch_loop, "torch_ops": torch_ops}
