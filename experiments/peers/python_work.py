"""Python's works: the same amount of work in one thread or several, in processes, in NumPy and in waiting.

Where threads help, two of them need half the time of one. Threads and processes are there before the clock starts."""

import atexit
import functools
import platform
import subprocess
import sys
import threading
import time
from time import perf_counter

PERIOD = [i * i % 7 for i in range(7)]


def identity():
    return {"library": platform.python_implementation(), "version": platform.python_version(), "threads": 1}


def has_lock():
    """Whether bytecode of two threads takes turns; builds without the lock can say so since 3.13."""
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def loop(first, last):
    total = 0
    for i in range(first, last):
        total += i * i % 7
    return total


def loop_result(count):
    """What loop(0, count) must give: the terms repeat every seven."""
    return count // 7 * sum(PERIOD) + sum(PERIOD[: count % 7])


def shares(count, parts):
    """[first, last) of each part; they differ by one at most."""
    return [(count * i // parts, count * (i + 1) // parts) for i in range(parts)]


def time_threads(bodies):
    """Seconds from the moment when all threads stand ready until the last one is done, and their results."""
    results, failures = [None] * len(bodies), []
    gate = threading.Barrier(len(bodies) + 1)

    def run(i):
        gate.wait()
        try:
            results[i] = bodies[i]()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(bodies))]
    for thread in threads:
        thread.start()
    while gate.n_waiting < len(bodies):
        time.sleep(0.0001)
    start = perf_counter()
    gate.wait()
    for thread in threads:
        thread.join()
    seconds = perf_counter() - start
    if failures:
        raise failures[0]
    return seconds, results


class Worker:
    """A Python process that loops or sleeps when told to. It ends with its input, so it cannot outlive its parent."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, "--worker"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.ask("loop 0 7")

    def tell(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a worker process ended with code {self.process.wait()}")
        return int(line)

    def ask(self, request):
        self.tell(request)
        return self.hear()


workers = []


def workers_for(count):
    while len(workers) < count:
        workers.append(Worker())
    return workers[:count]


@atexit.register
def stop_workers():
    for worker in workers:
        worker.process.stdin.close()
        worker.process.wait()


def serve_as_worker():
    for line in sys.stdin:
        word, *numbers = line.split()
        if word == "sleep":
            time.sleep(float(numbers[0]))
        print(loop(int(numbers[0]), int(numbers[1])) if word == "loop" else 0, flush=True)


def in_threads(threads, count):
    seconds, results = time_threads([lambda s=share: loop(*s) for share in shares(count, threads)])
    return seconds, sum(results), loop_result(count)


def in_processes(threads, count):
    team = workers_for(threads)
    start = perf_counter()
    for worker, (first, last) in zip(team, shares(count, threads)):
        worker.tell(f"loop {first} {last}")
    results = [worker.hear() for worker in team]
    return perf_counter() - start, sum(results), loop_result(count)


@functools.lru_cache(maxsize=2)
def to_be_sorted(elements):
    """Normal numbers, and the same in order, sorted by Python and not by NumPy."""
    import numpy

    source = numpy.random.Generator(numpy.random.Philox(1)).standard_normal(elements)
    return source, numpy.array(sorted(source.tolist()))


def in_numpy(threads, count, elements=65536):
    """count sorts of one array that fits into a core's cache; NumPy lets go of the lock while it sorts."""
    import numpy

    source, in_order = to_be_sorted(elements)

    def sort_all(array, first, last):
        for _ in range(first, last):
            array[:] = source
            array.sort()
        return last - first

    arrays = [numpy.empty_like(source) for _ in range(threads)]
    bodies = [lambda a=array, s=share: sort_all(a, *s) for array, share in zip(arrays, shares(count, threads))]
    seconds, sorts = time_threads(bodies)
    return seconds, sum(n for n, array in zip(sorts, arrays) if numpy.array_equal(array, in_order)), count


def in_waiting(threads, count, wait_s=0.005):
    """count blocking reads from somebody who answers after a while."""
    team = workers_for(threads)

    def read_all(worker, first, last):
        for _ in range(first, last):
            worker.ask(f"sleep {wait_s}")
        return last - first

    bodies = [lambda w=worker, s=share: read_all(w, *s) for worker, share in zip(team, shares(count, threads))]
    seconds, results = time_threads(bodies)
    return seconds, sum(results), count


MODES = {"python": (in_threads, 2_000_000), "processes": (in_processes, 2_000_000), "numpy": (in_numpy, 40),
         "io": (in_waiting, 40)}


def python_threads(threads, mode="python", count=None):
    """count: of the whole work, whatever the number of threads."""
    if mode not in MODES:
        raise ValueError(f"mode '{mode}'; want one of {', '.join(MODES)}")
    run, usual = MODES[mode]
    threads, count = int(threads), int(count or usual)
    if threads < 1 or count < threads:
        raise ValueError(f"threads={threads} count={count}; want threads >= 1 and count >= threads")
    seconds, got, want = run(threads, count)
    return {"seconds": seconds, "correct": got == want,
            "numbers": {"checksum": float(got), "count": float(count), "has_lock": float(has_lock())}}


WORKS = {"python_threads": python_threads}

if __name__ == "__main__" and sys.argv[1:] == ["--worker"]:
    serve_as_worker()
