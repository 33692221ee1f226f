"""Checks that can fail, of a design and of what the deterministic reader makes of it."""

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.studies.reclaim.tables import design_of

__all__ = ["validate"]

_LOSSY = ("lossy", "lossy-padded")

_Check = tuple[str, int, int] | None
"""What is checked, of how many rows, and how many of them break it."""


def validate(trials: pl.DataFrame) -> pl.DataFrame:
    """Check that a design does what it is meant to, on the replies of `deterministic`.

    A row of the result is a check. Those that the design has no rows for are left out. With the
    replies of a model in the place of the reader's, a check that fails says something of the
    model: past the cliff, a right answer was not worked out.

    Args:
        trials: As `scored` gives them, or chains, as `Cascade.scored` does.

    Returns:
        check (String), holds (Boolean), n (Int64, rows it looked at), n_against (Int64, rows or
        cells that break it).

    Raises:
        ColumnError: A column is missing.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> trials = reclaim.scored(reclaim.deterministic(reclaim.design("size", n=2, seeds=1)))
        >>> for check, holds in reclaim.validate(trials).select("check", "holds").rows():
        ...     print(f"{holds}: {check}")
        True: the premise leads to another answer than the truth
        True: lossy notes at the wall hold no part of the source
        True: without its source no reply recovers the truth
        True: source-first recovers the truth exactly where the source fits
        True: padded lossy notes are as long as source-first
        True: larger sources fall off a cliff
        True: the cliff moves out with the budget
    """
    return _reported(_of_chains(trials) if "blast" in trials.columns else _of_trials(trials))


def _of_trials(trials: pl.DataFrame) -> list[_Check]:
    column_names(
        trials.columns,
        ("pid", "policy", "seed", "note", "truth", "drift", "recovered", "complete", "n_kept"),
        argument="trials",
    )
    policy, recovered = pl.col("policy"), pl.col("recovered").fill_null(False)
    lossy = trials.filter(policy.is_in(_LOSSY), *_at_wall(trials))
    source_first = trials.filter(policy.is_in(["source-first", "source-first-tagged"]))
    return [
        _rows(
            "the premise leads to another answer than the truth",
            trials,
            pl.col("truth") != pl.col("drift"),
        ),
        _rows(
            "lossy notes at the wall hold no part of the source",
            lossy,
            (pl.col("n_kept") == 0) & ~pl.col("complete"),
        ),
        _rows(
            "without its source no reply recovers the truth",
            trials.filter(~pl.col("complete")),
            ~recovered,
        ),
        _rows(
            "source-first recovers the truth exactly where the source fits",
            source_first,
            recovered == pl.col("complete"),
        ),
        _rows(
            "denoised notes always recover the truth",
            trials.filter(policy == "denoised"),
            recovered,
        ),
        _rows(
            "blank notes recover nothing",
            trials.filter(policy.is_in(["blank", "options-only"])),
            ~recovered,
        ),
        _padding(trials),
        *_cliffs(trials, source_first),
        *_crowding(trials, source_first),
        *_window(trials),
    ]


def _of_chains(chains: pl.DataFrame) -> list[_Check]:
    needed = ("policy", "planted", "blast", "recovered", "complete")
    column_names(chains.columns, needed, argument="trials")
    planted, lossy = chains.filter("planted"), pl.col("policy").is_in(_LOSSY)
    return [
        _rows("a planted premise drifts its chain", planted, pl.col("blast") > 0),
        _rows(
            "without an error no step goes wrong while notes hold what they need",
            chains.filter(~pl.col("planted"), lossy | pl.col("complete")),
            pl.col("blast") == 0,
        ),
        _rows("a lossy chain is never corrected", planted.filter(lossy), ~pl.col("recovered")),
        _rows(
            "a source-first chain is corrected exactly where all purchases fit",
            planted.filter(policy="source-first"),
            pl.col("recovered") == pl.col("complete"),
        ),
    ]


def _reported(checks: list[_Check]) -> pl.DataFrame:
    rows = [check for check in checks if check is not None]
    return pl.DataFrame(
        [(name, n_against == 0, n, n_against) for name, n, n_against in rows],
        schema={"check": pl.String, "holds": pl.Boolean, "n": pl.Int64, "n_against": pl.Int64},
        orient="row",
    )


def _at_wall(trials: pl.DataFrame) -> list[pl.Expr]:
    """Where there are integrities, the wall is where lossy notes drop the line items."""
    return [pl.col("integrity") < 0.5] if "integrity" in trials.columns else []


def _rows(name: str, rows: pl.DataFrame, holds: pl.Expr) -> _Check:
    if not rows.height:
        return None
    return name, rows.height, rows.filter(~holds.fill_null(False)).height


def _padding(trials: pl.DataFrame) -> _Check:
    """Compare lengths note by note."""
    keys = ["pid", *(name for name in design_of(trials) if name != "policy"), "seed"]
    length = pl.col("note").str.len_chars()
    kept = trials.filter(policy="source-first").select(*keys, kept=length)
    padded = trials.filter(policy="lossy-padded").select(*keys, padded=length)
    both = kept.join(padded, on=keys, nulls_equal=True)
    return _rows(
        "padded lossy notes are as long as source-first", both, pl.col("padded") >= pl.col("kept")
    )


def _varies(trials: pl.DataFrame, number: str) -> bool:
    """Whether a number varies under a budget; memories from elsewhere have none."""
    return {"budget", number} <= set(trials.columns) and trials[number].n_unique() > 1


def _cliffs(trials: pl.DataFrame, source_first: pl.DataFrame) -> list[_Check]:
    """Look, at each budget, for sizes that fit and larger ones that do not."""
    if not _varies(trials, "n_items"):
        return []
    size, recovered = pl.col("n_items"), pl.col("recovered").fill_null(False)
    cliffs = (
        source_first.group_by("budget", "n_items")
        .agg(recovered.mean().alias("share"))
        .group_by("budget")
        .agg(
            fits=size.filter(pl.col("share") == 1).max(),
            fails=size.filter(pl.col("share") == 0).min(),
        )
        .sort("budget")
    )
    checks = [
        _rows("larger sources fall off a cliff", cliffs, pl.col("fits") < pl.col("fails")),
    ]
    if cliffs.height > 1:
        moves = (pl.col("fits") > pl.col("fits").shift()).fill_null(True)
        checks.append(
            _rows(
                "the cliff moves out with the budget",
                cliffs.with_columns(moves=moves),
                pl.col("moves"),
            )
        )
    return checks


def _crowding(trials: pl.DataFrame, source_first: pl.DataFrame) -> list[_Check]:
    """Look whether more decoys leave less of the source."""
    if not _varies(trials, "n_decoys"):
        return []
    shares = (
        source_first.group_by("budget", "n_decoys")
        .agg(pl.col("recovered").fill_null(False).mean())
        .group_by("budget")
        .agg(pl.col("recovered").sort_by("n_decoys"))
    )
    share = pl.col("recovered")
    falls = (share.list.diff().list.max() <= 0) & (share.list.last() < share.list.first())
    return [_rows("decoys crowd the source out", shares.with_columns(falls=falls), pl.col("falls"))]


def _window(trials: pl.DataFrame) -> list[_Check]:
    """Look whether, within one conversation, naming the error helps more than not naming it.

    A reader whom a generic correction always helps leaves nothing to gain.
    """
    if not {"depth", "asides", "arm"} <= set(trials.columns):
        return []
    if not {"generic", "directed"} <= set(trials["arm"]):
        return []
    shares = trials.group_by("depth", "asides", "arm").agg(
        pl.col("recovered").fill_null(False).mean()
    )
    arms = shares.pivot("arm", index=["depth", "asides"], values="recovered")
    return [
        _rows(
            "in one conversation a directed correction beats a generic one",
            arms,
            (pl.col("directed") > pl.col("generic")) | (pl.col("directed") == 1.0),
        )
    ]
