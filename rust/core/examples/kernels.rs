//! Runs one kernel on made-up data, the same in every run, so that its instructions can be counted.
//!
//! `kernels` lists the kernels, `kernels NAME` runs one, and `kernels nothing` only makes the data:
//! what a kernel costs is the difference of the two. `benches/instructions.py` counts.

use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;

use reclaimstats_core::agreement::{Pair, Weights, of_pairs as kappa};
use reclaimstats_core::audit::{self, Figure};
use reclaimstats_core::compare::{self, Measure, Pairs};
use reclaimstats_core::detection::{RankingMethod, Scored, of_scores};
use reclaimstats_core::groups::{self, Arms};
use reclaimstats_core::infer::barnard;
use reclaimstats_core::infer::fisher::{Alternative, ln_p_value as fisher};
use reclaimstats_core::infer::labels::{Counting, How, Stratum, shuffle};
use reclaimstats_core::infer::ranks::{RankMethod, Zeros, signed_rank};
use reclaimstats_core::mean;
use reclaimstats_core::plan::{Design, DifferenceMethod, MeanMethod, Plan, RateMethod, Resampler};
use reclaimstats_core::rate::{self, Count};
use reclaimstats_core::resample::{bootstrap, ratio, stream::Stream};
use reclaimstats_core::text::answer::{Dialect, Markers, Which};
use reclaimstats_core::text::boxed::{Which as Boxed, boxed};
use reclaimstats_core::text::calls::function_calls;
use reclaimstats_core::text::choice::{self, Letters};
use reclaimstats_core::text::containment::Claims;
use reclaimstats_core::text::cues::Lexicon;
use reclaimstats_core::text::exact::{Rules, Step};
use reclaimstats_core::text::fence::{Languages, code_block};
use reclaimstats_core::text::figures::{Known, Tally, numbers};
use reclaimstats_core::text::json::{self, Field};
use reclaimstats_core::text::number::{self, Dialect as NumberDialect, Fallback};
use reclaimstats_core::text::pattern::{Group, Pattern};
use reclaimstats_core::text::record;
use reclaimstats_core::text::sql::sql_block;
use reclaimstats_core::text::survival::{Prefixes, item_coverage, word_coverage};
use reclaimstats_core::text::time::{self, Fallback as TimeFallback};
use reclaimstats_core::text::verdict::{Labels, verdict};
use reclaimstats_core::text::word::{self, Options};
use reclaimstats_core::watch::Watch;

/// What kernels run on.
struct Data {
    /// Replies of some four hundred bytes; one in six commits an answer.
    replies: Vec<String>,
    /// Notes, and the sources that they were written from.
    notes: Vec<(String, String)>,
    /// Replies that end in JSON, one in two broken.
    objects: Vec<String>,
    /// Replies that call functions.
    calls: Vec<String>,
    /// A thousand cells of 32 clusters of three trials.
    counts: Vec<Count>,
    /// The same as pairs.
    pairs: Vec<Pairs>,
    /// Two thousand scores.
    scores: Vec<f64>,
}

const CELLS: usize = 1000;
const CLUSTERS: usize = 32;
const NAMES: [&str; 6] = ["Ana", "Ben", "Cleo", "Dee", "New York", "Zoë"];
const PROSE: [&str; 6] = [
    "Let me go through the order once more, item by item, before I settle on anything.\n",
    "The 7 pens cost $2 each, and the 12 notebooks were $1,234.50 altogether, I think. ",
    "It may be that the earlier total was wrong: according to Ben it was 46, not 52. ",
    "At 12:45 the clerk said that nothing had been returned, and at 4:15 pm two more came. ",
    "- **Subtotal**: 3 x 15 = 45 dollars\n- **Shipping**: 1 dollar\n",
    "I cannot find the prices in my notes, which keep only what was concluded from them. ",
];

fn data() -> Data {
    let mut stream = Stream::new(1, 0, 0);
    let mut below = |bound: u32| usize::try_from(stream.below(bound)).unwrap_or(0);
    let mut prose = |pieces: u32| -> String { (0..pieces).map(|_| PROSE[below(6)]).collect() };
    let replies: Vec<String> = (0..300)
        .map(|i| {
            let mut text = prose(5);
            let end = match i % 12 {
                0 => write!(text, "\nANSWER: ${}", 100 + i),
                1 => write!(text, "\n**ANSWER:** {}", NAMES[i % 6]),
                2 => write!(text, "\nANSWER: 1{}:30", i % 10),
                3 => write!(text, "\nANSWER: (B)\nso \\boxed{{{i}}}"),
                4 => write!(text, "\n```sql\nSELECT {i} FROM orders;\n```\n"),
                _ => write!(text, "\nANSWER: unable to determine"),
            };
            assert!(end.is_ok(), "text takes everything");
            text
        })
        .collect();
    let notes = (0..300).map(|_| (prose(2), prose(3))).collect();
    let objects = (0..300)
        .map(|i| {
            let comma = if i % 2 == 0 { "" } else { "," };
            let thought = prose(2).replace('\n', " ").replace('"', "");
            format!("{}\n{{\"thought\": \"{thought}\", \"answer\": {i}{comma}}}", prose(1))
        })
        .collect();
    let calls = (0..300)
        .map(|i| {
            format!("{}\nfind(city='Zürich', n={i})\nbook(seats=[1, 2], at=\"12:45\")", prose(1))
        })
        .collect();
    let counts: Vec<Count> = (0..CELLS * CLUSTERS)
        .map(|_| Count { trials: 3, successes: stream.below(4).into() })
        .collect();
    let pairs = counts
        .iter()
        .map(|count| {
            let baseline = stream.below(4).into();
            let treatment_only = count.successes.min(3 - baseline);
            Pairs { pairs: 3, treatment: count.successes, baseline, treatment_only }
        })
        .collect();
    let scores =
        (0..2000).map(|_| libm::exp(f64::from(stream.below(1 << 20) >> 8) / 1024.0)).collect();
    Data { replies, notes, objects, calls, counts, pairs, scores }
}

fn plan<M>(method: M, resampler: Resampler) -> Plan<'static, M> {
    Plan {
        method,
        resampler,
        confidence_level: 0.95,
        n_resamples: 1000,
        seed: 0,
        watch: Watch::nobody(),
    }
}

type Kernel = fn(&Data);

fn each<T>(texts: &[String], mut read: impl FnMut(&str) -> T) {
    for text in texts {
        black_box(read(text));
    }
}

fn each_note<T>(data: &Data, mut read: impl FnMut(&str, &str) -> T) {
    for (note, source) in &data.notes {
        black_box(read(note, source));
    }
}

const TEXT: &[(&str, Kernel)] = &[
    ("answer_number", |data| {
        let markers = Markers::default();
        each(&data.replies, |text| {
            number::value(text, &markers, NumberDialect::Strict, Fallback::None)
        });
    }),
    ("answer_number, last", |data| {
        let markers = Markers::default();
        each(&data.replies, |text| {
            number::value(text, &markers, NumberDialect::Strict, Fallback::LastNumber)
        });
    }),
    ("answer_word", |data| {
        let (markers, options) = (Markers::default(), Options::new(NAMES).expect("options"));
        each(&data.replies, |text| word::value(text, &markers, &options, Dialect::Strict));
    }),
    ("answer_choice", |data| {
        let (markers, letters) = (Markers::default(), Letters::new("ABCD").expect("letters"));
        each(&data.replies, |text| choice::value(text, &markers, &letters));
    }),
    ("answer_time", |data| {
        let markers = Markers::default();
        each(&data.replies, |text| {
            time::value(text, &markers, Dialect::Strict, TimeFallback::None)
        });
    }),
    ("answer_time, last", |data| {
        let markers = Markers::default();
        each(&data.replies, |text| {
            time::value(text, &markers, Dialect::Strict, TimeFallback::LastTime)
        });
    }),
    ("answer_regex", |data| {
        let pattern = Pattern::new(r"\$([0-9]+)", &Group::Default).expect("a pattern");
        each(&data.replies, |text| pattern.read(text, Which::Last).value.map(str::len));
    }),
    ("boxed", |data| each(&data.replies, |text| boxed(text, Boxed::Last).value.map(str::len))),
    ("code_block", |data| {
        let any = Languages::new(&[]);
        each(&data.replies, |text| code_block(text, &any, Which::Last).span);
    }),
    ("sql_block", |data| each(&data.replies, |text| sql_block(text).span)),
    ("function_calls", |data| each(&data.calls, |text| function_calls(text).value)),
    ("answer_json", |data| {
        let field = Field::new(["answer"]).expect("a field");
        each(&data.objects, |text| json::answer_number(text, &field, json::Dialect::Strict).value);
    }),
    ("verdict", |data| {
        let field = Field::new(["answer"]).expect("a field");
        let markers = Markers::new(&["verdict".to_owned()], Which::Last).expect("a marker");
        let labels = Labels::new([("correct", 0), ("incorrect", 1)]).expect("labels");
        each(&data.objects, |text| verdict(text, &field, &markers, &labels).value);
    }),
    ("exact_match", |data| {
        let steps = Step::NAMES.iter().filter_map(|name| Step::parse(name));
        let rules = Rules::new(steps, 0.0, 0.0);
        each_note(data, |note, source| rules.same(note, source));
    }),
    ("token_f1", |data| {
        let rules = Rules::new([], 0.0, 0.0);
        each_note(data, |note, source| rules.token_f1(note, source));
    }),
    ("numbers", |data| each(&data.replies, |text| numbers(text).count())),
    ("invented_numbers", |data| {
        let mut known = Known::default();
        each_note(data, |note, source| known.invented(numbers(source), note).count());
    }),
    ("recurring_value", |data| {
        let mut tally = Tally::default();
        each(&data.replies, |text| tally.recurring_value(text, 2));
    }),
    ("source_survival, words", |data| each_note(data, word_coverage)),
    ("source_survival, items", |data| {
        each_note(data, |note, source| item_coverage(note, &source.lines().collect::<Vec<_>>()));
    }),
    ("source_survival, prefix", |data| {
        let mut prefixes = Prefixes::new(18);
        each_note(data, |note, source| prefixes.survives(note, source));
    }),
    ("containment", |data| {
        let mut claims = Claims::default();
        each_note(data, |note, source| claims.containment(note, source));
    }),
    ("cues", |data| {
        let listed = [(0, "may"), (0, "might be"), (1, "according to"), (1, "said"), (0, "think")];
        let lexicon = Lexicon::new(listed, Some(2)).expect("a lexicon");
        each(&data.replies, |text| lexicon.kinds(text));
    }),
    ("read_record", |data| {
        each_note(data, |note, source| {
            record::read(&format!("CLAIM: {note}\nCERTAINTY: likely\nSOURCE: {source}"))
        });
    }),
];

const STATISTICS: &[(&str, Kernel)] = &[
    ("rate, clustered", |data| {
        let plan = plan(RateMethod::Auto, Resampler::Auto);
        black_box(rate::of_clusters(
            &bounds(CELLS, CLUSTERS),
            &data.counts,
            Design::default(),
            &plan,
        ));
    }),
    ("rate, independent", |data| {
        black_box(rate::of_trials(&data.counts, &plan(RateMethod::Auto, Resampler::Auto)));
    }),
    ("rate, exact percentile", |data| {
        let plan = plan(RateMethod::Percentile, Resampler::Auto);
        black_box(rate::of_clusters(
            &bounds(100, CLUSTERS),
            &data.counts[..100 * CLUSTERS],
            Design::default(),
            &plan,
        ));
    }),
    ("rate, drawn percentile", |data| {
        let plan = plan(RateMethod::Percentile, Resampler::MonteCarlo);
        black_box(rate::of_clusters(
            &bounds(10, CLUSTERS),
            &data.counts[..10 * CLUSTERS],
            Design::default(),
            &plan,
        ));
    }),
    ("percentile of unequal clusters", |data| {
        let unit = |(i, count): (usize, &Count)| bootstrap::Unit {
            sum: count.successes.cast_signed(),
            size: 3 + i as u64 % 3,
        };
        let groups = bootstrap::group(data.counts.iter().enumerate().map(unit));
        black_box(ratio::Law::of(&groups).and_then(|law| law.limits((0.025, 0.025))));
    }),
    ("replayed percentile", |data| {
        let outcomes: Vec<i8> =
            data.counts[..96].iter().map(|c| i8::from(c.successes > 1)).collect();
        let plan = plan(RateMethod::Percentile, Resampler::Cpython);
        black_box(rate::of_sequences(&[0, 96], &outcomes, &plan));
    }),
    ("mean", |data| {
        let plan = plan(MeanMethod::Auto, Resampler::Auto);
        black_box(mean::of_trials(&bounds(100, 20), &data.scores, &plan));
    }),
    ("mean, clustered", |data| {
        let plan = plan(MeanMethod::Auto, Resampler::Auto);
        black_box(mean::of_clusters(
            &bounds(50, 8),
            &[5; 400],
            &data.scores,
            Design::default(),
            &plan,
        ));
    }),
    ("mean, BCa", |data| {
        let plan = plan(MeanMethod::Bca, Resampler::Auto);
        black_box(mean::of_trials(&[0, 2000], &data.scores, &plan));
    }),
    ("compare, clustered", |data| {
        let plan = plan(DifferenceMethod::Auto, Resampler::Auto);
        let offsets = bounds(100, CLUSTERS);
        let pairs = &data.pairs[..100 * CLUSTERS];
        black_box(compare::of_clusters(&offsets, pairs, Measure::Difference, &plan));
    }),
    ("compare, independent", |data| {
        let plan = plan(DifferenceMethod::Auto, Resampler::Auto);
        black_box(compare::of_pairs(&data.pairs, Measure::Difference, &plan));
    }),
    ("compare_unpaired", |data| {
        let arms = data
            .pairs
            .iter()
            .map(|pairs| Arms { treatment: (3, pairs.treatment), baseline: (3, pairs.baseline) });
        let arms: Vec<Arms> = arms.take(100 * CLUSTERS).collect();
        let options = groups::Options {
            confidence_level: 0.95,
            n_resamples: 1000,
            seed: 0,
            watch: Watch::nobody(),
        };
        black_box(groups::of_clusters(
            &bounds(100, CLUSTERS),
            &arms,
            Measure::Difference,
            &options,
        ));
    }),
    ("fisher", |_| {
        for i in 0..1000 {
            let table = [[10 + i % 50, 40], [20, 30 + i % 7]];
            black_box(fisher(table, Alternative::TwoSided));
        }
    }),
    ("barnard", |_| {
        black_box(barnard::ln_p_value([[12, 8], [5, 15]], Alternative::TwoSided, Watch::nobody()));
    }),
    ("permutation", |data| {
        let scores = |from: usize| data.counts[from..from + 100].iter();
        let units = |from| scores(from).map(|c| c.successes.cast_signed()).collect();
        let stratum = Stratum { first: units(0), second: units(100) };
        let how = How {
            alternative: Alternative::TwoSided,
            counting: Counting::Exact,
            n_resamples: 1,
            seed: 0,
            watch: Watch::nobody(),
        };
        black_box(shuffle(vec![stratum], 0, &how));
    }),
    ("signed rank", |data| {
        let differences: Vec<f64> = data.scores[..200].iter().map(|s| s - 5.0).collect();
        let alternative = Alternative::TwoSided;
        black_box(signed_rank(
            &differences,
            Zeros::Wilcox,
            alternative,
            RankMethod::Exact,
            Watch::nobody(),
        ));
    }),
    ("kappa", |data| {
        let pair = |pairs: &Pairs| Pair {
            first: u32::try_from(pairs.treatment).unwrap_or(0),
            second: u32::try_from(pairs.baseline).unwrap_or(0),
            times: 1,
        };
        let pairs: Vec<Pair> = data.pairs.iter().map(pair).collect();
        let (offsets, weights) = (bounds(CELLS, CLUSTERS), Weights::Unweighted);
        black_box(kappa(&offsets, None, &pairs, 4, weights, 0.95, Watch::nobody()));
    }),
    ("ROC AUC", |data| {
        let trial = |(i, score): (usize, &f64)| Scored {
            positive: i % 3 == 0,
            score: score + i as f64 % 3.0,
            pair: 0,
        };
        let trials: Vec<Scored> = data.scores.iter().enumerate().map(trial).collect();
        let (offsets, method) = ([0, trials.len()], RankingMethod::Auto);
        black_box(of_scores(&offsets, None, &trials, false, method, 0.95, Watch::nobody()));
    }),
    ("audit", |_| {
        let figure = Figure { kind: "p", printed: ".023", n: Some(100), ..Figure::default() };
        let plan = audit::Plan {
            rounding: audit::Rounding::Either,
            confidence_level: 0.95,
            max_tables: 20,
        };
        black_box(audit::of(&[figure], &plan, Watch::nobody()));
    }),
];

/// Bounds of cells of one size.
fn bounds(cells: usize, size: usize) -> Vec<usize> {
    (0..=cells).map(|cell| cell * size).collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        for (name, _) in TEXT.iter().chain(STATISTICS) {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let times = arguments.next().map_or(Some(1), |times| times.parse().ok());
    let (data, Some(times)) = (data(), times) else {
        eprintln!("usage: kernels [NAME [TIMES]]");
        return ExitCode::FAILURE;
    };
    black_box(&data);
    if name == "nothing" {
        return ExitCode::SUCCESS;
    }
    let Some((_, kernel)) = TEXT.iter().chain(STATISTICS).find(|(known, _)| *known == name) else {
        eprintln!("there is no kernel {name:?}; without arguments this lists all");
        return ExitCode::FAILURE;
    };
    for _ in 0..times {
        kernel(&data);
    }
    ExitCode::SUCCESS
}
