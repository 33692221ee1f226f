"""How a command ended."""

__all__ = ["DATA", "EXIT_CODES", "INTERRUPTED", "OK", "USAGE"]

OK, DATA, USAGE, INTERRUPTED = 0, 1, 2, 130
EXIT_CODES = """\
exit codes:
  0  done
  1  the data cannot give the table: a missing column, a broken line, no rows left,
     a pair that occurs twice, an outcome that is not 0 or 1; of an audit also that
     no table prints one of the figures so
  2  the command cannot be carried out: an unknown option, a missing file, an
     unsupported suffix
"""
