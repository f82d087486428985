"""The command line: parse, call one function of `app`, report."""


def entry() -> None:
    """Run the command line; the console script `gambol` calls this."""
    from gambol.cli.main import entry as run

    run()
