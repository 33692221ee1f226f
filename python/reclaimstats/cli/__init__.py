"""The command line: `reclaimstats demo`, `report`, `audit` and `study`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import polars as pl

import reclaimstats
from reclaimstats.cli.audit import add_audit
from reclaimstats.cli.codes import DATA, EXIT_CODES, INTERRUPTED, OK, USAGE
from reclaimstats.cli.demo import add_demo
from reclaimstats.cli.output import say
from reclaimstats.cli.report import add_report
from reclaimstats.cli.study import add_study
from reclaimstats.errors import OptionError, ReclaimStatsError

__all__ = ["entry", "main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Args:
        argv: Its words behind the name of the program; those of this process by default.

    Returns:
        The exit code: 0 done, 1 the data cannot give the table or no table gives an audited
        figure, 2 the command cannot be carried out.

    Raises:
        SystemExit: The options are wrong (code 2), or help was asked for (code 0).

    Examples:
        >>> from reclaimstats.cli import main
        >>> main(["report", "missing.jsonl", "--outcome", "correct"])
        2
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode still shows the rest
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. What is left must not raise again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (OptionError, OSError) as error:
        return _failed(error, USAGE)
    except (ReclaimStatsError, pl.exceptions.PolarsError) as error:
        return _failed(error, DATA)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def entry() -> None:
    """Run the command line of this process, and end with its exit code.

    An interrupt ends the process at once, whatever is being computed.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise SystemExit(main())


def _failed(error: Exception, code: int) -> int:
    shown = str(error)
    if isinstance(error, OSError) and error.strerror:
        shown = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    elif isinstance(error, pl.exceptions.PolarsError):
        shown = shown.partition("\n")[0]
    say(f"reclaimstats: error: {shown}")
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reclaimstats",
        description=reclaimstats.__doc__,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=reclaimstats.__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    add_demo(commands)
    add_report(commands)
    add_audit(commands)
    add_study(commands)
    return parser
