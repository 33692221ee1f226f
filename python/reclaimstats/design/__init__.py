"""From trials to cells, clusters and pairs: the only place that decides what those are.

A room for each of them, so that each is decided once:

- `columns`: column arguments, checked; `names`: what is counted under which name
- `cells`, `clusters`, `levels`: what a cell is, what tells clusters apart, which arm is baseline
- `outcomes`: what 0, 1 and missing are; `trials` and `scores`: trials of an outcome or of a number
- `pairs`: arms that are paired by keys; `unpaired`: arms that are not
- `rules`, `ratings`, `labels`, `judgements`: trials read by several scorers, items rated by several
  raters, detectors beside the truth, verdicts on two models
"""
