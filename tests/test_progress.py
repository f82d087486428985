"""Progress where nobody watches a terminal: plain lines, by a clock that the test turns."""

import sys

from gambol.progress import LINE_INTERVAL_SECONDS, ProgressLines, progress_bar


class FakeClock:
    """Seconds that pass only when the test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def lines_and_clock():
    clock, written = FakeClock(), []
    return ProgressLines(written.append, clock=clock), clock, written


def test_a_line_every_interval_with_count_elapsed_remaining_and_numbers():
    lines, clock, written = lines_and_clock()
    for step in range(201):
        lines.report(step, 200, f"tracking, loss {1 / (step + 1):.3f}")
        clock.now += 0.5
    assert len(written) == 100 // LINE_INTERVAL_SECONDS
    assert written[0] == "tracking, loss 0.091: 10/200, 0:05 elapsed, about 1:35 left\n"
    assert written[12] == "tracking, loss 0.008: 130/200, 1:05 elapsed, about 0:35 left\n"
    assert written[-1] == "tracking, loss 0.005: 200/200, 1:40 elapsed\n"


def test_work_that_is_over_at_once_writes_nothing():
    lines, clock, written = lines_and_clock()
    for step in range(11):
        lines.report(step, 10, "rendering")
        clock.now += 0.1
    assert written == []


def test_every_stage_estimates_its_own_time():
    lines, clock, written = lines_and_clock()
    for step in range(11):
        lines.report(step, 10, "slow")
        clock.now += 60.0
    assert written[-1] == "slow: 10/10, 10:00 elapsed\n"
    lines.report(0, 1000, "fast")
    clock.now += 10.0
    lines.report(100, 1000, "fast")
    assert written[-1] == "fast: 100/1000, 0:10 elapsed, about 1:30 left\n"
    clock.now += 7200.0
    lines.report(200, 1000, "fast")
    assert written[-1] == "fast: 200/1000, 2:00:10 elapsed, about 8:00:40 left\n"


def test_a_long_step_is_told_again_until_the_work_is_complete():
    lines, clock, written = lines_and_clock()
    lines.report(0, 200, "preparing the simulation")
    for _ in range(12):
        clock.now += 1.0
        lines.repeat()
    assert written == [f"preparing the simulation: 0/200, 0:{s:02} elapsed\n" for s in (5, 10)]
    clock.now += 5.0
    lines.report(200, 200, "tracking")
    clock.now += 60.0
    lines.repeat()
    assert written[2:] == ["tracking: 200/200, 0:17 elapsed\n"]


def test_without_a_terminal_the_lines_go_to_stderr_as_plain_text(monkeypatch, capsys):
    monkeypatch.setattr("gambol.progress.LINE_INTERVAL_SECONDS", 0.0)
    assert not sys.stderr.isatty()
    with progress_bar() as report:
        report(3, 3, "fitting, loss 0.1")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "fitting, loss 0.1: 3/3, 0:00 elapsed\n"


def test_on_a_terminal_a_bar_is_drawn(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_bar() as report:
        report(1, 2, "fitting")
    assert "\x1b[" in capsys.readouterr().err
