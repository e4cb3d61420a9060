"""The shapes of the JSON that `score`, `profile` and `explain` write; `docs/json.md` is made from them.

A type checker holds the results to these shapes, and what stands beside a type is what the document says of the key.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

Bounds = list[float]


class GoldJson(TypedDict):
    """The gold that systems were scored on."""

    path: Annotated[str, "its file, or the benchmark's name where it came from none"]
    sha256: Annotated[str, "of the file, or of what the gold says"]
    sentences: Annotated[int, "how many it has"]
    clusters: Annotated[int, "how many facts it has"]
    seen_in_training: NotRequired[Annotated[int, "sentences that the checkpoint was trained on, where there are any"]]


class IntervalsJson(TypedDict):
    """95 % intervals, lower bound first, by resampling sentences; null if there are fewer than five."""

    precision: Bounds | None
    recall: Bounds | None
    f1: Bounds | None


class RatesJson(TypedDict):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


class SystemJson(RatesJson):
    """A system's score."""

    name: str
    extractions: Annotated[int, "how many were scored"]
    matched: NotRequired[Annotated[int, "extractions that were credited with a fact; by matchers"]]
    clusters_covered: NotRequired[Annotated[int, "facts that were found; by matchers"]]
    matches: NotRequired[Annotated[int, "pairs of extraction and gold tuple; WiRe57's table"]]
    exact: NotRequired[Annotated[int, "extractions that have a gold tuple's words and no other; WiRe57's table"]]
    precision_of_matches: NotRequired[Annotated[float, "mean over the matches; WiRe57's table"]]
    recall_of_matches: NotRequired[Annotated[float, "mean over the matches; WiRe57's table"]]
    auc: NotRequired[Annotated[float | None, "area under the curve; CaRB's table, null without confidences"]]
    threshold: NotRequired[Annotated[float | None, "confidence of the best F1; CaRB's table, null without confidences"]]
    left_out: NotRequired[Annotated[int, "extractions of sentences without gold; CaRB's table"]]
    intervals: IntervalsJson
    p_to_previous: Annotated[float | None, "of the difference in F1 to the system above; null for the first"]


class ScoresJson(TypedDict):
    """What `matchers.score --json` writes: the systems' scores, the best first."""

    signature: Annotated[str, "what produced these numbers"]
    matcher: str
    facet: NotRequired[Annotated[str, "of the gold, where it is not the default"]]
    gold: GoldJson
    systems: list[SystemJson]


class OutcomeJson(TypedDict):
    """A line of what `matchers.score --matches` writes: what became of one extraction."""

    sentence_id: str
    system: str
    arg1: str
    relation: str
    arg2: str
    cluster: Annotated[str | None, "the fact that it was credited with; null if none"]
    clusters: NotRequired[Annotated[list[str], "all facts that it was credited with, where there are any"]]
    score: Annotated[float, "of its match, or of its best candidate; 0 if there is none"]
    rule: Annotated[str | None, "that matched it; `repeat` if another extraction was credited with its fact"]
    explanation: str


class BoardSystemJson(RatesJson):
    """A system's score on one of several benchmarks."""

    name: str
    rank: Annotated[int, "by F1; equal systems share theirs"]
    f1_interval: Annotated[Bounds | None, "95 %, lower bound first; null if there are fewer than five sentences"]
    sentences_named: NotRequired[Annotated[int, "how many sentences the output names, if it is a user's own"]]


class BoardJson(TypedDict):
    """One of several benchmarks."""

    name: str
    matcher: str
    signature: str
    sentences: int
    systems: list[BoardSystemJson]


class DisagreementJson(TypedDict):
    """Two systems that benchmarks rank differently."""

    first: str
    second: str
    first_above: Annotated[list[str], "the benchmarks that put the first above"]
    second_above: Annotated[list[str], "the benchmarks that put the second above"]
    p: Annotated[dict[str, float], "of the difference in F1, by benchmark"]
    significant: Annotated[bool, "whether both sides have a benchmark that is sure"]


class AgreementJson(TypedDict):
    """How far two benchmarks agree."""

    first: str
    second: str
    systems: Annotated[int, "that both have"]
    pairs: Annotated[int, "of these systems"]
    alike: Annotated[int, "pairs that both rank alike"]
    opposite: Annotated[int, "pairs that they rank opposite ways"]
    significantly_opposite: Annotated[int, "opposite pairs of whose order both are sure"]
    kendall: Annotated[
        float | None, "alike less opposite, over all pairs; null if there is no pair, or one of them ties all"
    ]


class BenchmarksJson(TypedDict):
    """What `matchers.score --all --json` writes: every benchmark that was found, side by side."""

    benchmarks: list[BoardJson]
    not_found: list[str]
    pairs_compared: Annotated[int, "pairs of systems that at least two benchmarks have"]
    disagreements: list[DisagreementJson]
    agreements: list[AgreementJson]


class ProfiledGoldJson(TypedDict):
    """The gold that systems were profiled on."""

    name: str
    sentences: int
    clusters: int


class ErrorBucketJson(TypedDict):
    """Errors by the slots that are right."""

    right: Annotated[list[int], "1 for each slot that agrees with the closest formulation: arg1, relation, arg2"]
    count: int
    share: Annotated[float, "of all errors of the system"]


class ErrorsJson(TypedDict):
    """What became of a system's extractions."""

    matched: int
    repeats: Annotated[int, "of a fact with which another extraction was credited"]
    without_gold: Annotated[int, "in sentences without any formulation"]
    rejected: Annotated[int, "that agree with a formulation in all slots and were not matched"]
    wrong: int
    slots: Annotated[dict[str, float], "the share of errors in which each slot is wrong"]
    buckets: list[ErrorBucketJson]


class LengthsJson(TypedDict):
    """How many words extractions have."""

    mean: float
    median: float
    shortest: int
    longest: int
    lower: Annotated[float, "a quarter of them have no more"]
    upper: Annotated[float, "three quarters of them have no more"]


class BucketScoreJson(RatesJson):
    """A score in one bucket of sentences."""

    f1_interval: Annotated[Bounds | None, "95 %, lower bound first; null for a bucket of fewer than five sentences"]


class SystemProfileJson(RatesJson):
    """A system's profile."""

    name: str
    extractions: int
    errors: ErrorsJson
    words: LengthsJson
    by_bucket: Annotated[dict[str, dict[str, BucketScoreJson]], "by what is looked at, then by bucket"]


class ProfileJson(TypedDict):
    """What `matchers.profile --json` writes."""

    signature: str
    matcher: str
    gold: ProfiledGoldJson
    bucket_sizes: Annotated[dict[str, dict[str, int]], "sentences by what is looked at, then by bucket"]
    systems: list[SystemProfileJson]


class SentenceJson(TypedDict):
    """A sentence of the gold."""

    id: str
    text: str


class TripleJson(TypedDict):
    """The slots of an extraction."""

    arg1: str
    relation: str
    arg2: str


class DifferenceJson(TypedDict):
    """Words in which an extraction and a formulation differ."""

    where: Annotated[str, "in which slot"]
    missing: Annotated[list[str], "words of the gold that the extraction does not have"]
    extra: Annotated[list[str], "words that the gold does not have"]


class RuleJson(TypedDict):
    """What a rule says of an extraction and a cluster."""

    rule: str
    fires: bool
    explanation: str
    formulation: Annotated[str | None, "the one that comes nearest"]
    differences: list[DifferenceJson]


class ExplainedClusterJson(TypedDict):
    """What a matcher makes of an extraction and one cluster of its sentence."""

    id: str
    formulations: list[str]
    score: Annotated[float | None, "null if the matcher does not propose the pair"]
    rules: list[RuleJson]
    notes: list[str]


class ExplainedMatchJson(TypedDict):
    """A match."""

    cluster: str
    score: float
    rule: str
    explanation: str


class ExplanationJson(TypedDict):
    """What `matchers.explain --json` writes."""

    matcher: str
    notes: NotRequired[Annotated[list[str], "what a matcher was asked and answered, where it says so"]]
    formulations: NotRequired[Annotated[str, "which of them the gold kept, where these are not all"]]
    sentence: SentenceJson
    extraction: TripleJson
    clusters: list[ExplainedClusterJson]
    matches: list[ExplainedMatchJson]
