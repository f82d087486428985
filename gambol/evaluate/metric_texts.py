"""Metrics of a clip as short texts."""

from __future__ import annotations

from gambol.evaluate.metrics import ClipMetrics

SHORT_COLUMNS = ("clip", "motion", "amount", "speed", "skate", "sinks", "floats", "jerk", "stretch", "loop", "Hz")
"""Headings of a table with one row per clip; lengths in sizes, speeds in sizes per second."""
DETAIL_ROWS = (
    ("motion_amount", "motion amount", "sizes/s about the centre"),
    ("speed", "speed", "m/s"),
    ("speed_sizes", "", "sizes/s"),
    ("travel", "travel", "m"),
    ("rise", "rise", "m"),
    ("heading_change", "heading change", "rad, left"),
    ("penetration_max", "penetration, deepest", "sizes"),
    ("penetration_mean", "penetration, mean", "sizes"),
    ("float_mean", "float, mean", "sizes"),
    ("foot_skate", "foot skate", "m/s"),
    ("foot_skate_sizes", "", "sizes/s"),
    ("jerk", "jerk", "sizes/s³"),
    ("bone_stretch", "bone stretch", "of the length"),
    ("edge_stretch", "edge stretch", "|log|, 95th percentile"),
    ("self_intersection", "self-intersection", "sizes"),
    ("joint_limit_violation", "beyond joint limits", "rad"),
    ("loop_error", "loop error", "sizes"),
    ("stride_hz", "stride frequency", "Hz"),
    ("left_right_phase", "left-right phase", "cycles, front to back"),
    ("fore_hind_phase", "fore-hind phase", "cycles"),
    ("duty_factor", "duty factor", "of the time"),
    ("airborne", "airborne", "of the time"),
    ("mpjpe", "distance to reference", "m"),
    ("mpjpe_root_relative", "  root-relative", "m"),
)
"""All metrics: field of `ClipMetrics`, name, unit."""


def short_row(m: ClipMetrics) -> list[str]:
    """Texts of one clip, in the order of `SHORT_COLUMNS`."""
    sound = (m.foot_skate_sizes, m.penetration_max, m.float_mean, m.jerk, m.bone_stretch, m.loop_error)
    numbers = (m.motion_amount, m.speed_sizes, *sound, m.stride_hz)
    return [m.clip, m.motion, *(format_number(value) for value in numbers)]


def detail_rows(m: ClipMetrics) -> list[tuple[str, str, str]]:
    """Name, value and unit of every metric; distances to a reference only where there is one."""
    left_out = ("mpjpe", "mpjpe_root_relative") if m.mpjpe is None else ()
    return [
        (name, format_number(getattr(m, field)), unit) for field, name, unit in DETAIL_ROWS if field not in left_out
    ]


def format_number(value: float | tuple[float | None, ...] | None) -> str:
    """Format with as many digits as matter; '-' where there is no number."""
    if isinstance(value, tuple):
        return " ".join(map(format_number, value)) or "-"
    if value is None:
        return "-"
    if abs(value) < 5e-4:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 3
    return f"{value:.{digits}f}"
