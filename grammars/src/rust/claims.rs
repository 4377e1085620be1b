//! What the assertions of Rust's frameworks claim (rules-a.md 7.2): macros of the standard library and of crates for tests.

use crate::checks::Expects::{Condition, First, Nothing};
use crate::checks::{Check, Claim, Conditions, EXACT, EXISTENCE, KIND, PART, Parts, Predicate, Word, find, made, number};

/// Words and calls that change nothing of a value for a comparison.
pub(super) const IDLE: &[&str] = &[
    "&mut ",
    "&",
    ".clone()",
    ".to_string()",
    ".to_owned()",
    ".into()",
    ".as_str()",
    ".as_ref()",
    ".as_deref()",
    ".as_slice()",
    ".as_bytes()",
    ".unwrap()",
    ".await",
    ".to_vec()",
    "?",
    "*",
];

static CONDITIONS: Conditions = Conditions {
    and: "&&",
    or: "||",
    not: "!",
    operators: &[
        ("==", Claim::Equal, false),
        ("!=", Claim::Equal, true),
        ("<=", Claim::Relation, false),
        (">=", Claim::Relation, false),
        ("<", Claim::Relation, false),
        (">", Claim::Relation, false),
    ],
    nothing: &["None"],
    truth_is_equal: true,
    predicates: &[
        Predicate::new("is_ok", Claim::Succeeds, EXISTENCE),
        Predicate::new("is_err", Claim::Raises, KIND),
        Predicate::new("is_some", Claim::Exists, EXISTENCE),
        Predicate::new("is_none", Claim::Absent, EXACT),
        Predicate::new("is_empty", Claim::Length, PART),
        Predicate::new("contains", Claim::Holds, PART),
        Predicate::new("contains_key", Claim::Holds, PART),
        Predicate::new("starts_with", Claim::Holds, PART),
        Predicate::new("ends_with", Claim::Holds, PART),
        Predicate::new("matches!", Claim::Holds, PART),
        Predicate::new("is_match", Claim::Holds, PART),
        Predicate::new("is_some_and", Claim::Holds, PART),
        Predicate::new("is_ok_and", Claim::Holds, PART),
        Predicate::new("eq", Claim::Equal, EXACT),
        Predicate::new("all", Claim::Holds, PART),
        Predicate::new("any", Claim::Holds, PART),
    ],
    lengths: &[".len()", ".count()"],
    packages: &[],
    errors: &[],
};

static WORDS: &[Word] = &[
    Word::new(
        &[
            "assert_eq",
            "assert_str_eq",
            "debug_assert_eq",
            "prop_assert_eq",
            "verify_eq",
            "expect_eq",
            "assert_ok_eq",
            "assert_equal",
            "check_eq",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::not(&["assert_ne", "debug_assert_ne", "prop_assert_ne", "expect_ne"], Claim::Equal, EXACT, First(1)),
    Word::new(&["assert", "debug_assert", "prop_assert", "ensure", "expect_true", "prop_assume"], Claim::Truth, EXISTENCE, Condition),
    Word::not(&["expect_false"], Claim::Truth, EXISTENCE, Condition),
    Word::new(
        &["assert_matches", "debug_assert_matches", "assert_let", "assert_contains", "assert_starts_with"],
        Claim::Holds,
        PART,
        First(1),
    ),
    Word::new(
        &["assert_relative_eq", "assert_abs_diff_eq", "assert_ulps_eq", "assert_approx_eq", "assert_float_eq", "assert_delta"],
        Claim::Near,
        PART,
        First(1),
    ),
    Word::new(&["assert_ok", "assert_ready_ok"], Claim::Succeeds, EXISTENCE, Nothing),
    Word::new(&["assert_err", "assert_ready_err"], Claim::Raises, KIND, Nothing),
    Word::new(&["assert_some"], Claim::Exists, EXISTENCE, Nothing),
    Word::new(&["assert_none"], Claim::Absent, EXACT, Nothing),
    Word::new(&["assert_lt", "assert_le", "assert_gt", "assert_ge"], Claim::Relation, KIND, First(1)),
];

/// Returns what an assertion claims.
pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    let subject = parts.subject.unwrap_or("");
    let name = parts.matcher.rsplit(':').next().unwrap_or(parts.matcher).trim();
    match name {
        "unwrap" | "expect" | "?" => return vec![Check::new(Claim::Succeeds, EXISTENCE, subject).on_the_way()],
        "unwrap_err" | "expect_err" => return vec![Check::new(Claim::Raises, KIND, subject).on_the_way()],
        "panic" | "unreachable" if parts.subject.is_some() => return CONDITIONS.read(subject, true),
        "panic" | "unreachable" => return vec![Check::new(Claim::Failure, EXACT, "")],
        "should_panic" => {
            let expected = parts.expected.unwrap_or("");
            let level = if expected.is_empty() { KIND } else { PART };
            return vec![Check::new(Claim::Raises, level, "").expecting(parts.expected)];
        }
        _ => {}
    }
    if name.ends_with("snapshot") {
        let inline = parts.whole.contains("@\"") || parts.whole.contains("@r");
        let (claim, level) = if inline { (Claim::Equal, EXACT) } else { (Claim::Snapshot, PART) };
        // A name comes before what is recorded.
        let subject = if subject.starts_with('"') { parts.expected.unwrap_or(subject) } else { subject };
        return vec![Check::new(claim, level, subject).expecting(parts.expected.filter(|_| inline))];
    }
    if name.ends_with("_that") {
        let said = parts.expected.unwrap_or("");
        let level = if said.starts_with("eq(") { EXACT } else { PART };
        return vec![Check::new(if level == EXACT { Claim::Equal } else { Claim::Holds }, level, subject).expecting([said])];
    }
    let Some(word) = find(WORDS, name) else {
        return vec![Check::new(Claim::Unknown, EXACT, subject).expecting(parts.expected)];
    };
    let given: Vec<&str> = parts.expected.into_iter().collect();
    let mut checks = made(word, &CONDITIONS, subject, &given, parts.negated && word.expects != Condition && !word.negated);
    if word.claim == Claim::Near
        && let [check] = checks.as_mut_slice()
    {
        check.expected.truncate(1);
        check.tolerance = parts.whole.rsplit(['=', ',']).next().map(|t| t.trim().trim_end_matches([')', ';'])).and_then(number);
    }
    if let [check] = checks.as_mut_slice()
        && check.claim == Claim::Equal
        && !check.negated
        && check.expected.first().is_some_and(|e| e == "Ok(())")
    {
        (check.claim, check.level) = (Claim::Succeeds, EXISTENCE);
    }
    checks
}
