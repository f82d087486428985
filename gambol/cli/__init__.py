"""The command line: parse, call one function of `app`, report."""
