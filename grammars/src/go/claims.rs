//! What the assertions of Go's frameworks claim (rules-a.md 7.2): guarded failures, testify, gomega, quicktest, gocheck, gotest.tools.

use crate::checks::Expects::{All, Condition, First, Nothing};
use crate::checks::{Check, Claim, Conditions, EXACT, EXISTENCE, KIND, PART, Parts, Predicate, Word, arguments, find, made, number};

/// Words that change nothing of a value for a comparison.
pub(super) const IDLE: &[&str] = &["&"];

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
    nothing: &["nil"],
    truth_is_equal: true,
    predicates: &[
        Predicate::new("DeepEqual", Claim::Equal, EXACT),
        Predicate::new("Equal", Claim::Equal, EXACT),
        Predicate::new("EqualFold", Claim::Equal, PART),
        Predicate::new("Contains", Claim::Holds, PART),
        Predicate::new("HasPrefix", Claim::Holds, PART),
        Predicate::new("HasSuffix", Claim::Holds, PART),
        Predicate::new("MatchString", Claim::Holds, PART),
        Predicate::new("Is", Claim::Raises, PART),
        Predicate::new("As", Claim::Raises, PART),
        Predicate::new("IsNaN", Claim::Equal, EXACT),
    ],
    lengths: &["len("],
    packages: &["strings", "bytes", "slices", "reflect", "errors", "maps", "cmp", "proto", "math"],
    errors: &["err", "err1", "err2", "e", "gotErr", "runErr", "readErr", "writeErr", "closeErr"],
};

static WORDS: &[Word] = &[
    Word::new(
        &[
            "Equal",
            "EqualValues",
            "Exactly",
            "Same",
            "JSONEq",
            "YAMLEq",
            "ElementsMatch",
            "EqualExportedValues",
            "DeepEqual",
            "Equals",
            "DeepEquals",
            "ContentEquals",
            "CmpEquals",
            "BeEquivalentTo",
            "BeIdenticalTo",
            "ConsistOf",
            "HaveExactElements",
            "MatchJSON",
            "MatchYAML",
            "HaveValue",
            "HTTPStatusCode",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::not(&["NotEqual", "NotEqualValues", "NotSame", "NotDeepEquals"], Claim::Equal, EXACT, First(1)),
    Word::new(&["EqualError", "PanicsWithError"], Claim::Raises, EXACT, First(1)),
    Word::new(
        &["ErrorIs", "ErrorAs", "ErrorContains", "PanicsWithValue", "ErrorMatches", "PanicMatches", "MatchError", "PanicWith", "ErrorType"],
        Claim::Raises,
        PART,
        First(1),
    ),
    Word::new(&["Error", "Panics", "HaveOccurred", "Panic", "IsError"], Claim::Raises, KIND, Nothing),
    Word::new(&["NoError", "NotPanics", "Succeed", "NilError", "NoErr"], Claim::Succeeds, EXISTENCE, Nothing),
    Word::new(&["True", "Assert", "BeTrue", "IsTrue", "Truef"], Claim::Truth, EXISTENCE, Condition),
    Word::not(&["False", "BeFalse", "IsFalse"], Claim::Truth, EXISTENCE, Condition),
    Word::new(&["Nil", "BeNil", "IsNil", "Zero", "BeZero"], Claim::Absent, EXACT, Nothing),
    Word::new(
        &["NotNil", "NotEmpty", "NotZero", "IsNotNil", "Positive", "Negative", "FileExists", "DirExists", "BeAnExistingFile"],
        Claim::Exists,
        EXISTENCE,
        Nothing,
    ),
    Word::new(&["Len", "HaveLen", "HasLen", "HaveCap"], Claim::Length, PART, First(1)),
    Word::new(&["Empty", "BeEmpty"], Claim::Length, PART, Nothing),
    Word::new(
        &[
            "Contains",
            "Subset",
            "Regexp",
            "ContainElement",
            "ContainElements",
            "ContainSubstring",
            "HaveKey",
            "HaveKeyWithValue",
            "MatchRegexp",
            "HavePrefix",
            "HaveSuffix",
            "BeElementOf",
            "BeKeyOf",
            "HaveField",
            "MatchFields",
            "MatchAllFields",
            "Matches",
            "Contain",
            "HaveEach",
            "HTTPBodyContains",
            "Or",
            "SatisfyAny",
            "And",
            "SatisfyAll",
        ],
        Claim::Holds,
        PART,
        First(1),
    ),
    Word::not(&["NotContains", "NotSubset", "NotRegexp"], Claim::Holds, PART, First(1)),
    Word::new(&["Greater", "GreaterOrEqual", "Less", "LessOrEqual", "BeNumerically", "BeTemporally"], Claim::Relation, KIND, First(2)),
    Word::new(&["InDelta", "InEpsilon", "WithinDuration", "InDeltaSlice", "InEpsilonSlice"], Claim::Near, PART, First(1)),
    Word::new(&["IsType", "Implements", "BeAssignableToTypeOf", "Satisfies"], Claim::Kind, KIND, First(1)),
    Word::new(&["Eventually", "Condition", "Never", "HTTPSuccess", "BeClosed", "Receive"], Claim::Truth, EXISTENCE, Nothing),
    Word::new(&["AssertExpectations", "AssertNumberOfCalls"], Claim::Called, KIND, First(1)),
    Word::new(&["AssertCalled"], Claim::Called, PART, All),
    Word::not(&["AssertNotCalled"], Claim::Called, PART, All),
];

/// Returns what an assertion claims.
pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    let subject = parts.subject.unwrap_or("");
    let guarded = parts.whole.starts_with("if") && parts.negated;
    if guarded {
        return condition(parts, subject);
    }
    if parts.matcher.starts_with("//") || parts.matcher.starts_with("/*") {
        let said = parts.whole.split_once(':').map_or("", |(_, said)| said);
        return vec![Check::new(Claim::Equal, EXACT, "Output").expecting([said])];
    }
    let last = parts.matcher.rsplit('.').next().unwrap_or(parts.matcher);
    let name = last.strip_suffix('f').filter(|n| find(WORDS, last).is_none() && find(WORDS, n).is_some()).unwrap_or(last);
    if parts.subject.is_none() && matches!(name, "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow") {
        return vec![Check::new(Claim::Failure, EXACT, "")];
    }
    let Some(word) = find(WORDS, name) else {
        if name.contains("NoErr") {
            return vec![Check::new(Claim::Succeeds, EXISTENCE, subject).on_the_way()];
        }
        let insists =
            ["assert", "expect", "verify", "check", "require", "must"].iter().any(|verb| name.to_ascii_lowercase().starts_with(verb));
        let unknown = Check::new(Claim::Unknown, EXACT, subject).expecting(parts.expected);
        return vec![if insists || parts.subject.is_some() { unknown } else { unknown.on_the_way() }];
    };
    let given: Vec<&str> = parts.expected.into_iter().collect();
    // The name says the opposite already, or a word before the matcher does.
    let negated = parts.negated && !name.starts_with("Not") && name != "False";
    let mut checks = made(word, &CONDITIONS, subject, &given, negated);
    for check in &mut checks {
        match check.claim {
            Claim::Near => {
                check.tolerance = arguments(parts.whole.split_once('(').map_or("", |(_, rest)| rest.trim_end().trim_end_matches(')')))
                    .get(3)
                    .copied()
                    .and_then(number)
            }
            Claim::Succeeds if word.claim == Claim::Succeeds => check.implicit = true,
            Claim::Holds if name == "BeNumerically" => check.level = KIND,
            Claim::Absent if CONDITIONS.errors.contains(&check.subject.as_str()) => {
                *check = Check::new(Claim::Succeeds, EXISTENCE, subject).on_the_way();
            }
            // `HaveOccurred` turned round.
            _ => {}
        }
    }
    checks
}

/// `if cond { t.Fatal(…) }`: the test fails where it holds.
fn condition(parts: &Parts<'_>, subject: &str) -> Vec<Check> {
    // The difference of two values: none is what is wanted.
    if let Some(at) = parts.whole.find("Diff(")
        && parts.whole[..at].len() < parts.whole.find('{').unwrap_or(usize::MAX)
    {
        let rest = &parts.whole[at + "Diff".len()..];
        let end = closing(rest);
        if let [want, got, ..] = arguments(&rest[..end])[..] {
            return vec![Check::new(Claim::Equal, EXACT, got).expecting([want])];
        }
    }
    let mut checks = CONDITIONS.read(subject, true);
    // `if err := call(); err != nil`: what failed is the call.
    let head = parts.whole.split('{').next().unwrap_or("").trim_start_matches("if").trim();
    if let Some((before, _)) = head.rsplit_once(';')
        && let Some((_, called)) = before.split_once('=')
    {
        for check in checks.iter_mut().filter(|c| matches!(c.claim, Claim::Succeeds | Claim::Raises)) {
            called.trim().clone_into(&mut check.subject);
            // A helper that gives what is wrong instead of failing.
            let insists = ["assert", "expect", "verify", "check", "want"].iter().any(|verb| check.subject.starts_with(verb));
            (check.implicit, check.level) = (check.implicit && !insists, if insists { PART } else { check.level });
        }
    }
    checks
}

/// Returns the byte behind the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}
