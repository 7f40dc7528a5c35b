"""`perflab compare` only computes, so a signal ends it at once: signal_ends_compare.py PERFLAB FILE.

It is held in a write, into a pipe that is full and that nobody reads, until the signal comes."""

import fcntl
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def full_pipe():
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, b" " * size)
    return reader, writer


def sleeps(process):
    state = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    return state in "SD"


def main():
    program, file = sys.argv[1:]
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([program, "import", file, "--out", out], stdout=subprocess.DEVNULL, check=True)
        return ends([program, "compare", *2 * [next(Path(out).glob("2*"))]])


def ends(command):
    reader, writer = full_pipe()
    with subprocess.Popen(command, stdout=writer) as process:
        asleep = 0
        while process.poll() is None and asleep < 10:  # reads and computes first
            asleep = asleep + 1 if sleeps(process) else 0
            time.sleep(0.1)
        process.terminate()
        try:
            code = process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            code = "none within 20 s"
    os.close(reader)
    os.close(writer)
    print(f"exit code {code}; want -15")
    return 0 if code == -15 else 1


if __name__ == "__main__":
    sys.exit(main())
