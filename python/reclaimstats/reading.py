"""What a comparison says in words, where its tests disagree and what should stop a reader."""

import polars as pl

__all__ = ["TESTS", "reading"]

TESTS = ["mcnemar_p", "sign_p", "permutation_p", "flip_p"]
"""Tests of a comparison: the first takes pairs as independent, the others respect clusters."""

_CEILING = 0.95


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
    unpaired = pl.col("n_unpaired_treatment") + pl.col("n_unpaired_baseline")
    low, high = (
        pl.min_horizontal("treatment", "baseline"),
        pl.max_horizontal("treatment", "baseline"),
    )
    leaning = pl.col("clusters_positive") + pl.col("clusters_negative")
    needed = _clusters_needed(alpha)
    parts = [
        _when(~some, "no pairs"),
        _when(pl.col("n_clusters") == 1, "one cluster says nothing of others"),
        _when(unpaired == 1, "1 trial without a partner is left out"),
        _when(unpaired > 1, pl.format("{} trials without a partner are left out", unpaired)),
        _when(some & (discordant == 0), "identical in every pair"),
        _when((treated == pairs) & some, "every pair differs, all for the treatment"),
        _when((other == pairs) & some, "every pair differs, all for the baseline"),
        _when((low >= _CEILING) & (discordant > 0), "both arms near the ceiling"),
        _when((high <= 1 - _CEILING) & (discordant > 0), "both arms near the floor"),
        _when(
            clustered & (leaning > 0) & (leaning < needed),
            pl.format(
                f"{{}} differing clusters are too few for {tests[1]} to reach {alpha:g}, "
                f"which takes {needed}",
                leaning,
            ),
        ),
        _when(some & (discordant > 0), _verdict(tests, alpha, clustered)),
    ]
    return pl.concat_str(parts, separator="; ", ignore_nulls=True)


def _verdict(tests: list[str], alpha: float, clustered: pl.Expr) -> pl.Expr:
    """Which tests reject, and what none of them could see."""
    rejects = [pl.col(test) <= alpha for test in tests]
    rejecting = _names(tests, rejects)
    # Null where there are no clusters, and then left out of both lists.
    keeping = _names(tests, [~rejected for rejected in rejects])
    mcnemar, clusters = rejects[0], pl.any_horizontal(rejects[1:])
    all_of, none_of = pl.all_horizontal(rejects), ~(mcnemar | clusters)
    few = pl.when(pl.col("difference").abs() < pl.col("detectable")).then(
        pl.format(
            ", and differences below {} are found less than four times in five",
            pl.col("detectable").round(3),
        )
    )
    # Where there is a spread but no detectable difference, that would be above 1.
    error = pl.when(clustered).then("standard_error_clustered").otherwise("standard_error")
    unseen = few.fill_null(
        pl.when(pl.col("detectable").is_null() & (error > 0)).then(
            pl.lit(", and no difference could be found four times in five with so few")
        )
    )
    return (
        pl.when(~clustered & mcnemar)
        .then(pl.lit(f"{tests[0]} rejects at {alpha:g}, if pairs are independent"))
        .when(~clustered)
        .then(
            pl.concat_str(pl.lit(f"{tests[0]} does not reject at {alpha:g}"), unseen.fill_null(""))
        )
        .when(all_of)
        .then(pl.lit(f"all tests reject at {alpha:g}"))
        .when(none_of)
        .then(pl.concat_str(pl.lit(f"no test rejects at {alpha:g}"), unseen.fill_null("")))
        .when(mcnemar & ~clusters)
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


def _clusters_needed(alpha: float) -> int:
    """Fewest clusters that all lean one way for a two-sided sign test at this level."""
    clusters = 1
    while 2.0 ** (1 - clusters) > alpha:
        clusters += 1
    return clusters
