"""Calls for the tests of executors: some answer, some never do."""

import os
import signal
import time


class Unwritable:
    """A value that cannot be pickled."""

    def __reduce__(self):
        raise TypeError("this cannot be pickled")


def square(number):
    return number * number


def fail(message):
    raise ValueError(message)


def refuse(message):
    from gambol.errors import ConfigError

    raise ConfigError(message)


def unwritable():
    return Unwritable()


def die(*, unless=None):
    """End this process without a word, unless a file exists; the file is made first."""
    if unless is not None:
        if unless.exists():
            return "alive"
        unless.write_text("")
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)


def hang():
    time.sleep(600)


def fill_memory():
    """Hold a gigabyte, a part after the other, and keep it."""
    held = []
    while len(held) < 20:
        held.append(b"x" * 50_000_000)
        time.sleep(0.01)
    time.sleep(600)


def threads():
    return os.environ["OMP_NUM_THREADS"]


def seen_gpus():
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def process():
    return os.getpid()


def shout():
    print("a library prints")
    return os.write(1, b"and writes") and "heard"
