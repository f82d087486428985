"""The errors that Gambol raises on purpose: each message says what was given, what is allowed, what to do."""


class GambolError(Exception):
    """Base of all errors that reach the user as one to three lines; the command line exits with `exit_code`."""

    exit_code = 1


class AssetError(GambolError):
    """A file cannot be used as it is."""

    exit_code = 2


class ConfigError(GambolError):
    """A setting or an argument has a value or a type that is not allowed."""

    exit_code = 2


class MissingPart(GambolError):
    """The file loads, but lacks what this verb needs (a mesh, a skeleton, a clip)."""

    exit_code = 2


class MissingExtra(GambolError):
    """An optional dependency is not installed."""

    exit_code = 2

    def __init__(self, what: str, extra: str):
        super().__init__(f"{what} needs the extra '{extra}'. Run: pip install 'gambol[{extra}]'")
        self.extra = extra


class PriorError(GambolError):
    """A video prior cannot do what it was asked for; the message says what it can."""

    exit_code = 2


class PriorFailure(PriorError):
    """A video prior failed while running: out of memory, or numbers that are not finite."""

    exit_code = 1
