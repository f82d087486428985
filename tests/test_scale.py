"""Executors and the schedule above them: every task ends once, whatever becomes of its workers."""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import scale_calls as calls

from gambol.errors import ConfigError, GambolError, MissingExtra
from gambol.scale.choose_executor import check_address, open_executor
from gambol.scale.executor import Answered, Lost, Needs, Ready
from gambol.scale.local_processes import FreeResources, LocalProcesses
from gambol.scale.schedule import Policy, Task, TaskGroup, run_tasks
from gambol.scale.simulated_cluster import SimulatedCall, SimulatedCluster, SimulatedNode
from gambol.scale.this_process import ThisProcess

GB = 10**9
POISON = {"die": calls.die, "hang": calls.hang, "fill": calls.fill_memory, "fail": partial(calls.fail, "x")}


def tasks_of(count):
    return [Task(f"square {i}", partial(calls.square, i)) for i in range(count)]


def ends(events):
    """The last event of each task; a task that ends twice fails the test."""
    found = {}
    for event in events:
        if event.kind in ("done", "failed"):
            assert event.task not in found
            found[event.task] = event
    return found


def numbers(count):
    return {f"square {i}": i * i for i in range(count)}


@pytest.mark.parametrize("address", ["here", "local"])
def test_every_task_is_done_once(address):
    with open_executor(address, cpus=2) as executor:
        events = list(run_tasks(executor, [TaskGroup("squares", tasks_of(9))]))
    assert {name: event.value for name, event in ends(events).items()} == numbers(9)
    assert len({event.place for event in events if event.kind == "done"}) <= (1 if address == "here" else 2)
    started = [event.task for event in events if event.kind == "started"]
    assert sorted(started) == sorted(numbers(9))


def test_poison_is_reported_and_does_not_stop_the_others():
    tasks = [*tasks_of(2), *(Task(name, call) for name, call in POISON.items()), *tasks_of(5)[2:]]
    needs = Needs(memory=GB // 10, memory_limit=GB // 4)
    with open_executor("local", cpus=2) as executor:
        found = ends(run_tasks(executor, [TaskGroup("mixed", tasks, needs)], Policy(timeout=6.0, attempts=2)))
    assert {name: event.value for name, event in found.items() if event.kind == "done"} == numbers(5)
    why = {name: event.why for name, event in found.items() if event.kind == "failed"}
    assert set(why) == set(POISON)
    assert why["die"].startswith("Its worker was lost 2 times, the last time because its process was killed by SIGKILL")
    assert why["hang"] == "It was ended after 6 s, its time limit."
    assert "its limit is 0.25 GB" in why["fill"]
    assert why["fail"] == "ValueError: x"
    assert "scale_calls.py" in found["fail"].trace


def test_a_task_whose_worker_dies_is_tried_again(tmp_path):
    flaky = Task("flaky", partial(calls.die, unless=tmp_path / "was here"))
    with open_executor("local", cpus=1) as executor:
        events = list(run_tasks(executor, [TaskGroup("flaky", [flaky, *tasks_of(2)])]))
    assert ends(events)["flaky"].value == "alive"
    assert [(e.kind, e.attempt) for e in events if e.task == "flaky"] == [
        ("started", 1),
        ("lost", 1),
        ("started", 2),
        ("done", 2),
    ]


def test_what_a_library_prints_does_not_mix_with_answers_and_errors_keep_their_kind():
    tasks = {
        "shout": calls.shout,
        "refuse": partial(calls.refuse, "take less"),
        "unwritable": calls.unwritable,
        "threads": calls.threads,
        "pid": calls.process,
    }
    group = TaskGroup("all", [Task(name, call) for name, call in tasks.items()], Needs(cpus=2))
    with open_executor("local", cpus=2) as executor:
        found = ends(run_tasks(executor, [group]))
    assert found["shout"].value == "heard"
    assert (found["refuse"].kind, found["refuse"].why, found["refuse"].trace) == ("failed", "take less", "")
    assert "this cannot be pickled" in found["unwritable"].why
    assert found["threads"].value == "2"
    assert found["pid"].value not in (os.getpid(), None)


def test_workers_end_with_the_process_that_started_them_even_if_that_is_killed(tmp_path):
    code = f"""
import sys; sys.path[:] = {sys.path!r}
import scale_calls
from gambol.scale.executor import Needs, Ready
from gambol.scale.local_processes import LocalProcesses
pool = LocalProcesses(1)
worker = pool.start(Needs())
while not (notices := pool.wait(1.0)): pass
pool.send(worker, scale_calls.hang)
print(notices[0].place, flush=True)
import time; time.sleep(600)
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    worker = int(driver.stdout.readline().rpartition(":")[2])
    assert is_alive(worker)
    driver.kill()
    driver.wait()
    wait_until(lambda: not is_alive(worker))


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def test_closing_early_stops_the_workers():
    with open_executor("local", cpus=1) as executor:
        events = run_tasks(executor, [TaskGroup("hang", [Task("hang", calls.hang)])])
        pid = int(next(events).place.rpartition(":")[2])
        assert is_alive(pid)
        events.close()
        wait_until(lambda: not is_alive(pid))


def test_a_worker_whose_process_is_killed_from_outside_is_told_as_lost():
    pool = LocalProcesses(1)
    try:
        worker = pool.start(Needs())
        ready = wait_for(pool)
        assert isinstance(ready, Ready)
        os.kill(int(ready.place.rpartition(":")[2]), signal.SIGTERM)
        lost = wait_for(pool)
        assert isinstance(lost, Lost)
        assert "SIGTERM" in lost.why
        again = pool.start(Needs())
        assert wait_for(pool).worker == again != worker
    finally:
        pool.close()


def wait_for(executor):
    for _ in range(60):
        if notices := executor.wait(1.0):
            return notices[0]
    raise AssertionError("nothing was heard")


def test_gpus_are_shared_by_fractions_and_hidden_from_workers_without():
    groups = [
        TaskGroup("halves", [Task("a", calls.seen_gpus)], Needs(0.1, 0.5)),
        TaskGroup("pair", [Task("b", calls.seen_gpus)], Needs(0.1, 2)),
        TaskGroup("none", [Task("c", calls.seen_gpus)], Needs(0.1)),
    ]
    executor = LocalProcesses(1, gpus=("4", "7"))
    try:
        found = ends(run_tasks(executor, groups, Policy(workers=1)))
    finally:
        executor.close()
    assert [found[name].value for name in "abc"] == ["4", "4,7", ""]


def test_shares_of_gpus_fill_one_before_the_next():
    free = FreeResources(8.0, 0.0, [1.0, 1.0])
    taken = []
    for share in (0.25, 0.5, 1.0, 0.25):
        gpus = free.gpus_for(share)
        assert gpus is not None
        free.take(Needs(1.0, share), gpus)
        taken.append(gpus)
    assert taken == [(0,), (0,), (1,), (0,)]
    assert free.gpus_for(0.1) is None
    free.take(Needs(1.0, 0.5), (0,), 1.0)
    assert free.gpus_for(0.5) == (0,)


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        (Needs(cpus=3), "needs 3 cores, and 2 may be used here"),
        (Needs(memory=9 * GB), "needs 9.0 GB of memory, and 8.0 GB may be used here"),
        (Needs(gpus=1), "needs 1 of a GPU, and this machine has none"),
        (Needs(gpus=1.5), "it takes a whole number, or a fraction of one"),
    ],
)
def test_needs_that_can_never_be_met_are_refused(needs, message):
    executor = LocalProcesses(2, memory=8 * GB, gpus=())
    with pytest.raises(ConfigError, match=message):
        list(run_tasks(executor, [TaskGroup("large", tasks_of(1), needs)]))
    assert list(run_tasks(executor, [TaskGroup("empty", [], needs)])) == []


def test_after_too_many_failures_nothing_more_is_started():
    tasks = [Task(f"fail {i}", partial(calls.fail, str(i))) for i in range(10)]
    events = list(run_tasks(ThisProcess(), [TaskGroup("bad", tasks)], Policy(max_failures=3)))
    assert [event.kind for event in events if event.kind != "tick"] == ["started", "failed"] * 3


class Losing(ThisProcess):
    """Loses workers in place of some notices."""

    def is_lost(self, notice):
        raise NotImplementedError

    def wait(self, seconds):
        notices = super().wait(seconds)
        for i, notice in enumerate(notices):
            if self.is_lost(notice):
                notices[i] = Lost(notice.worker, "the moon is full")
                self.stop(notice.worker)
        return notices


def test_workers_that_never_start_are_an_error_not_an_endless_loop():
    class Broken(Losing):
        def is_lost(self, notice):
            return isinstance(notice, Ready)

    with pytest.raises(GambolError, match="do not start, 3 times in a row: the moon is full"):
        list(run_tasks(Broken(), [TaskGroup("squares", tasks_of(1))]))


def test_a_lost_worker_is_no_failed_attempt_where_work_was_saved():
    """A task that loses its worker ten times ends well if it got further each time."""

    class Preempted(Losing):
        left = 10

        def is_lost(self, notice):
            self.left -= isinstance(notice, Answered)
            return isinstance(notice, Answered) and self.left >= 0

    saved = iter(range(100))
    group = TaskGroup("long", tasks_of(1))
    found = ends(run_tasks(Preempted(), [group], Policy(attempts=2, progress_of=lambda name: next(saved))))
    assert (found["square 0"].kind, found["square 0"].attempt) == ("done", 11)
    found = ends(run_tasks(Preempted(), [group], Policy(attempts=2, progress_of=lambda name: 0)))
    assert found["square 0"].kind == "failed"


def test_tasks_are_taken_as_they_are_needed():
    taken = []

    def source():
        for task in tasks_of(1000):
            taken.append(task.name)
            yield task

    events = run_tasks(ThisProcess(), [TaskGroup("many", source())])
    for event in events:
        if event.kind == "done" and event.task == "square 5":
            assert len(taken) < 12
            events.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_cluster_that_loses_nodes_does_every_task_once_and_never_overcommits(seed):
    r = random.Random(seed)
    nodes = [SimulatedNode(4, 2, 32 * GB) for _ in range(5)]
    losses = [(r.uniform(0, 3000), r.randrange(5)) for _ in range(12)]
    cluster = SimulatedCluster(nodes, losses=losses, absence=200)
    groups = [
        TaskGroup(
            "embedded", [Task(f"e{i}", SimulatedCall(r.uniform(1, 30))) for i in range(300)], Needs(1, 0, 2 * GB)
        ),
        TaskGroup(
            "large", [Task(f"l{i}", SimulatedCall(r.uniform(50, 90))) for i in range(60)], Needs(1, 0.5, 14 * GB)
        ),
        TaskGroup("poison", [Task("p", SimulatedCall(5.0, kills=True))], Needs(1)),
    ]
    found = ends(run_tasks(cluster, groups, Policy(attempts=10), clock=cluster.clock))
    assert len(found) == 361
    assert [name for name, event in found.items() if event.kind == "failed"] == ["p"]
    assert max(cluster.most_reserved) <= 32 * GB
    assert all(node.cpus == 4 and node.gpus == 2 for node in nodes)
    # no faster than the cores allow; no slower than the last task of a list schedule, with what was lost
    assert cluster.now >= cluster.busy_seconds / 20


def test_a_list_of_equal_tasks_keeps_all_cores_busy():
    cluster = SimulatedCluster([SimulatedNode(8) for _ in range(4)], start_seconds=1.0)
    tasks = [Task(str(i), SimulatedCall(10.0)) for i in range(3200)]
    found = ends(run_tasks(cluster, [TaskGroup("equal", tasks)], clock=cluster.clock))
    assert len(found) == 3200
    assert cluster.now <= 1000.0 + 6 * 1.0 + 10.0  # the workers double five times, each a second after the last


@pytest.mark.parametrize("address", ["", "clutser", "head:", ":6379"])
def test_a_text_that_is_no_address_is_refused(address):
    with pytest.raises(ConfigError, match="it takes local"):
        check_address(address)


def test_without_ray_auto_means_local_and_an_address_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with open_executor("auto", cpus=1) as executor:
        assert isinstance(executor, LocalProcesses)
    with pytest.raises(MissingExtra, match=r"gambol\[scale\]"), open_executor("ray://head:10001"):
        pass
