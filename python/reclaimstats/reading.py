"""What a comparison says in words, where its tests disagree and what should stop a reader."""

import polars as pl

__all__ = ["SCORE_TESTS", "TESTS", "reading", "reading_of_scores"]

TESTS = ["mcnemar_p", "sign_p", "permutation_p", "flip_p"]
"""Tests of a comparison: the first takes pairs as independent, the others respect clusters."""

SCORE_TESTS = ["wilcoxon_p", "sign_p", "permutation_p", "flip_p"]
"""Likewise of mean scores; without clusters the others but the third are of pairs too."""

_CEILING = 0.95
# Exact p-values come from sums of doubles, and a level from one minus another: 1 / 32 is not to lie
# above 1 / 32, nor 2 / 20 above 1 - 0.9.
_ROUNDING = 1e-12


def reading(tests: list[str], alpha: float) -> pl.Expr:
    """Sentence parts, joined by semicolons, over the columns of a comparison.

    Args:
        tests: Columns of p-values, as in `TESTS`; adjusted ones have names of their own.
        alpha: Level at which a test rejects.
    """
    pairs = pl.col("n_pairs")
    some, clustered = pairs > 0, pl.col("n_clusters").is_not_null()
    treated, other = pl.col("treatment_only"), pl.col("baseline_only")
    discordant = treated + other
    low, high = (
        pl.min_horizontal("treatment", "baseline"),
        pl.max_horizontal("treatment", "baseline"),
    )
    leaning = pl.col("clusters_positive") + pl.col("clusters_negative")
    parts = [
        *_gaps(),
        _when(some & (discordant == 0), "identical in every pair"),
        _when((treated == pairs) & some, "every pair differs, all for the treatment"),
        _when((other == pairs) & some, "every pair differs, all for the baseline"),
        _when((low >= _CEILING) & (discordant > 0), "both arms near the ceiling"),
        _when((high <= 1 - _CEILING) & (discordant > 0), "both arms near the floor"),
        _when(clustered, _too_few(leaning, "clusters", tests[1], alpha)),
        _when(some & (discordant > 0), _verdict(tests, alpha, clustered)),
    ]
    return pl.concat_str(parts, separator="; ", ignore_nulls=True)


def reading_of_scores(tests: list[str], alpha: float) -> pl.Expr:
    """`reading` over the columns of a comparison of mean scores."""
    pairs, clustered = pl.col("n_pairs"), pl.col("n_clusters").is_not_null()
    higher, lower, tied = (pl.col(f"pairs_{sign}") for sign in ("positive", "negative", "tied"))
    some, same = pairs > 0, (pl.col("sd") == 0).fill_null(False)
    leaning = {
        unit: pl.col(f"{unit}_positive") + pl.col(f"{unit}_negative")
        for unit in ("pairs", "clusters")
    }
    parts = [
        *_gaps(),
        _when(some & (tied == pairs), "identical in every pair"),
        _when(same & (tied < pairs), "the same difference in every pair"),
        _when((higher == pairs) & some & ~same, "every pair differs, all for the treatment"),
        _when((lower == pairs) & some & ~same, "every pair differs, all for the baseline"),
        _when(~clustered, _too_few(leaning["pairs"], "pairs", tests[1], alpha)),
        _when(clustered, _too_few(leaning["clusters"], "clusters", tests[1], alpha)),
        _when(some & (tied < pairs), _verdict_of_scores(tests, alpha, clustered)),
    ]
    return pl.concat_str(parts, separator="; ", ignore_nulls=True)


def _gaps() -> list[pl.Expr]:
    """What there is too little of, or not in both arms."""
    unpaired = pl.col("n_unpaired_treatment") + pl.col("n_unpaired_baseline")
    return [
        _when(pl.col("n_pairs") == 0, "no pairs"),
        _when(pl.col("n_clusters") == 1, "one cluster says nothing of others"),
        _when(unpaired == 1, "1 trial without a partner is left out"),
        _when(unpaired > 1, pl.format("{} trials without a partner are left out", unpaired)),
    ]


def _too_few(leaning: pl.Expr, units: str, test: str, alpha: float) -> pl.Expr:
    needed = _units_needed(alpha)
    some = (
        pl.when(leaning == 1)
        .then(pl.lit(f"1 differing {units.removesuffix('s')} is"))
        .otherwise(pl.format(f"{{}} differing {units} are", leaning))
    )
    return _when(
        (leaning > 0) & (leaning < needed),
        pl.format(f"{{}} too few for {test} to reach {alpha:g}, which takes {needed}", some),
    )


def _verdict(tests: list[str], alpha: float, clustered: pl.Expr) -> pl.Expr:
    """Which tests reject, and what none of them could see."""
    mcnemar = _rejects(tests[0], alpha)
    # Where there is a spread but no detectable difference, that would be above 1.
    error = pl.when(clustered).then("standard_error_clustered").otherwise("standard_error")
    unseen = _unseen(pl.col("detectable").round(3)).fill_null(
        pl.when(pl.col("detectable").is_null() & (error > 0)).then(
            pl.lit(", and no difference could be found four times in five with so few")
        )
    )
    unseen = unseen.fill_null("")
    return (
        pl.when(~clustered & mcnemar)
        .then(pl.lit(f"{tests[0]} rejects at {alpha:g}, if pairs are independent"))
        .when(~clustered)
        .then(pl.concat_str(pl.lit(f"{tests[0]} does not reject at {alpha:g}"), unseen))
        .otherwise(_together(tests, alpha, clustered, unseen))
    )


def _verdict_of_scores(tests: list[str], alpha: float, clustered: pl.Expr) -> pl.Expr:
    independent = (
        pl.when(clustered).then(pl.lit("")).otherwise(pl.lit(", if pairs are independent"))
    )
    found = pl.col("detectable")
    # Scores may be of any size: seconds, or dollars a call.
    shown = pl.when(found.is_between(0.1, 1e6)).then(found.round(3))
    unseen = _unseen(shown.otherwise(found.round_sig_figs(3)))
    said = _together(tests, alpha, clustered, unseen.fill_null(""))
    return pl.when(_any(tests, alpha)).then(pl.concat_str(said, independent)).otherwise(said)


def _unseen(shown: pl.Expr) -> pl.Expr:
    return pl.when(pl.col("difference").abs() < pl.col("detectable")).then(
        pl.format(", and differences below {} are found less than four times in five", shown)
    )


def _rejects(test: str, alpha: float) -> pl.Expr:
    return pl.col(test) <= alpha * (1 + _ROUNDING)


def _any(tests: list[str], alpha: float) -> pl.Expr:
    return pl.any_horizontal(_rejects(test, alpha).fill_null(False) for test in tests)


def _together(tests: list[str], alpha: float, clustered: pl.Expr, unseen: pl.Expr) -> pl.Expr:
    """Several tests, of which the first counts pairs."""
    rejects = [_rejects(test, alpha) for test in tests]
    rejecting = _names(tests, rejects)
    # A test that there is not is left out of both lists.
    keeping = _names(tests, [~rejected for rejected in rejects])
    pairs_alone = clustered & rejects[0] & ~_any(tests[1:], alpha)
    return (
        pl.when(pl.all_horizontal(rejected.fill_null(True) for rejected in rejects))
        .then(pl.lit(f"all tests reject at {alpha:g}"))
        .when(~_any(tests, alpha))
        .then(pl.concat_str(pl.lit(f"no test rejects at {alpha:g}"), unseen))
        .when(pairs_alone)
        .then(pl.lit(f"only {tests[0]} rejects at {alpha:g}, which counts pairs and not clusters"))
        .otherwise(
            pl.format(f"tests disagree at {alpha:g}: {{}} reject, {{}} not", rejecting, keeping)
        )
    )


def _names(tests: list[str], chosen: list[pl.Expr]) -> pl.Expr:
    named = [pl.when(one).then(pl.lit(test)) for one, test in zip(chosen, tests, strict=True)]
    return pl.concat_str(named, separator=", ", ignore_nulls=True)


def _when(condition: pl.Expr, text: str | pl.Expr) -> pl.Expr:
    return pl.when(condition).then(pl.lit(text) if isinstance(text, str) else text)


def _units_needed(alpha: float) -> int:
    """Fewest units that all lean one way for a two-sided sign test at this level."""
    units = 1
    while 2.0 ** (1 - units) > alpha * (1 + _ROUNDING):
        units += 1
    return units
