//! What the assertions of Java's frameworks claim (rules-b.md 2.1): JUnit, TestNG, Hamcrest, AssertJ, Truth, Mockito, Spring.

use crate::checks::Expects::{All, Condition, First, Nothing};
use crate::checks::{Check, Claim, Conditions, EXACT, EXISTENCE, KIND, PART, Parts, Predicate, Word, arguments, find, made, number};

/// Words that change nothing of a value for a comparison.
pub(super) const IDLE: &[&str] = &[".toString()"];

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
        ("instanceof", Claim::Kind, false),
    ],
    nothing: &["null"],
    truth_is_equal: true,
    predicates: &[
        Predicate::new("equals", Claim::Equal, EXACT),
        Predicate::new("deepEquals", Claim::Equal, EXACT),
        Predicate::new("contains", Claim::Holds, PART),
        Predicate::new("containsKey", Claim::Holds, PART),
        Predicate::new("containsAll", Claim::Holds, PART),
        Predicate::new("startsWith", Claim::Holds, PART),
        Predicate::new("endsWith", Claim::Holds, PART),
        Predicate::new("matches", Claim::Holds, PART),
        Predicate::new("isEmpty", Claim::Length, PART),
        Predicate::new("isPresent", Claim::Exists, EXISTENCE),
        Predicate::new("isInstance", Claim::Kind, KIND),
    ],
    lengths: &[".size()", ".length()", ".length", ".count()"],
    packages: &["Objects", "Arrays", "Pattern"],
    errors: &[],
};

static WORDS: &[Word] = &[
    Word::new(
        &[
            "assertEquals",
            "assertSame",
            "assertArrayEquals",
            "assertIterableEquals",
            "assertLinesMatch",
            "assertEqualsDeep",
            "isEqualTo",
            "isSameAs",
            "isSameInstanceAs",
            "isEqualByComparingTo",
            "containsExactly",
            "containsExactlyInAnyOrder",
            "containsExactlyElementsOf",
            "containsExactlyInAnyOrderElementsOf",
            "hasToString",
            "hasValue",
            "equalTo",
            "is",
            "sameInstance",
            "theInstance",
            "containsExactlyEntriesOf",
            "isEqualToIgnoringWhitespace",
            "containsExactlyElementsIn",
            "inOrder",
            "isEqualToComparingFieldByField",
            "expectNext",
            "containsOnly",
            "isExactly",
            "hasSameElementsAs",
            "isEqualToNormalizingNewlines",
            "contentEquals",
            "samePropertyValuesAs",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::not(&["assertNotEquals", "assertNotSame", "isNotEqualTo", "isNotSameAs"], Claim::Equal, EXACT, First(1)),
    Word::new(&["assertTrue", "isTrue", "assert"], Claim::Truth, EXISTENCE, Condition),
    Word::not(&["assertFalse", "isFalse"], Claim::Truth, EXISTENCE, Condition),
    Word::new(&["assertNull", "isNull", "nullValue", "isNotPresent"], Claim::Absent, EXACT, Nothing),
    Word::new(
        &["assertNotNull", "isNotNull", "isNotEmpty", "isPresent", "notNullValue", "exists", "anything", "isNotBlank", "isNotZero"],
        Claim::Exists,
        EXISTENCE,
        Nothing,
    ),
    Word::new(
        &["hasSize", "hasLength", "hasSizeGreaterThan", "iterableWithSize", "arrayWithSize", "hasSameSizeAs", "expectNextCount"],
        Claim::Length,
        PART,
        First(1),
    ),
    Word::new(&["isEmpty", "isNullOrEmpty", "empty", "isZero", "isBlank", "isEmptyString", "emptyString"], Claim::Length, PART, Nothing),
    Word::new(
        &[
            "contains",
            "containsKey",
            "containsKeys",
            "containsEntry",
            "containsValue",
            "containsAnyOf",
            "containsAll",
            "containsSequence",
            "containsPattern",
            "containsIgnoringCase",
            "startsWith",
            "endsWith",
            "matches",
            "satisfies",
            "allSatisfy",
            "anySatisfy",
            "anyMatch",
            "allMatch",
            "noneMatch",
            "hasFieldOrPropertyWithValue",
            "containsString",
            "hasItem",
            "hasItems",
            "hasEntry",
            "hasKey",
            "allOf",
            "anyOf",
            "matchesPattern",
            "hasProperty",
            "containsAtLeast",
            "containsAtLeastElementsIn",
            "isIn",
            "hasSameClassAs",
            "isSubsetOf",
            "containsSubsequence",
            "everyItem",
            "isOneOf",
            "either",
            "both",
            "isEqualToIgnoringCase",
            "hasContent",
            "hasAnnotation",
            "stringContainsInOrder",
            "in",
            "oneOf",
        ],
        Claim::Holds,
        PART,
        All,
    ),
    Word::not(
        &[
            "doesNotContain",
            "doesNotContainKey",
            "doesNotMatch",
            "isNotIn",
            "doesNotStartWith",
            "doesNotEndWith",
            "doesNotHaveToString",
            "containsNone",
        ],
        Claim::Holds,
        PART,
        All,
    ),
    Word::new(
        &[
            "assertInstanceOf",
            "isInstanceOf",
            "isExactlyInstanceOf",
            "isInstanceOfAny",
            "instanceOf",
            "isA",
            "any",
            "hasFieldOrProperty",
            "typeCompatibleWith",
        ],
        Claim::Kind,
        KIND,
        First(1),
    ),
    Word::new(
        &[
            "isGreaterThan",
            "isGreaterThanOrEqualTo",
            "isLessThan",
            "isLessThanOrEqualTo",
            "isBetween",
            "isPositive",
            "isNegative",
            "isAfter",
            "isBefore",
            "greaterThan",
            "lessThan",
            "greaterThanOrEqualTo",
            "lessThanOrEqualTo",
            "isAtLeast",
            "isAtMost",
            "isNotNegative",
            "isNotPositive",
            "isStrictlyBetween",
        ],
        Claim::Relation,
        KIND,
        First(2),
    ),
    Word::new(&["isCloseTo", "closeTo", "isWithin"], Claim::Near, PART, First(1)),
    Word::new(
        &[
            "hasMessage",
            "hasMessageContaining",
            "hasMessageStartingWith",
            "hasMessageMatching",
            "hasMessageThat",
            "hasMessageContainingAll",
            "withMessage",
            "withMessageContaining",
            "expectMessage",
            "hasCauseInstanceOf",
            "hasCause",
            "hasRootCauseInstanceOf",
            "expectErrorMessage",
            "expectErrorMatches",
        ],
        Claim::Raises,
        PART,
        First(1),
    ),
    Word::new(&["isThrownBy", "expectError", "verifyError"], Claim::Raises, KIND, First(1)),
    Word::new(
        &[
            "assertDoesNotThrow",
            "doesNotThrowAnyException",
            "expectComplete",
            "verifyComplete",
            "assertTimeout",
            "assertTimeoutPreemptively",
        ],
        Claim::Succeeds,
        EXISTENCE,
        Nothing,
    ),
    Word::new(&["verifyNoInteractions", "verifyNoMoreInteractions", "verifyZeroInteractions"], Claim::Called, PART, Nothing),
];

/// Errors that say no more than that something went wrong.
const BROAD: &[&str] = &["Exception.class", "Throwable.class", "RuntimeException.class", "Error.class"];

/// Returns what an assertion claims.
pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    let subject = parts.subject.unwrap_or("");
    let name = parts.matcher;
    match name {
        "fail" => return vec![Check::new(Claim::Failure, EXACT, "")],
        "assertThrows" | "assertThrowsExactly" | "expectThrows" => return vec![raises(parts.expected.unwrap_or(subject), subject)],
        "expected" | "expectedExceptions" | "expect" => return vec![raises(parts.expected.or(parts.subject).unwrap_or(""), "")],
        "expectMessage" | "expectErrorMessage" => {
            return vec![Check::new(Claim::Raises, PART, "").expecting(parts.subject.or(parts.expected))];
        }
        _ => {}
    }
    if name.starts_with("andExpect") {
        return vec![Check::new(Claim::Equal, EXACT, "").expecting(parts.expected)];
    }
    if name == "untilAsserted" {
        return vec![Check::new(Claim::Unknown, EXACT, subject).on_the_way()];
    }
    if verified(parts.whole) {
        return vec![called(parts, name, subject)];
    }
    if subject.trim_start().starts_with("()") && parts.whole.contains("assertThatThrownBy") {
        let mut check = raises(parts.expected.unwrap_or(""), subject);
        check.level = if name.starts_with("isInstanceOf") { check.level } else { PART };
        return vec![check];
    }
    let Some(word) = find(WORDS, name) else {
        return vec![Check::new(Claim::Unknown, EXACT, subject).expecting(parts.expected)];
    };
    let plain = |value| match value {
        "Boolean.TRUE" => "true",
        "Boolean.FALSE" => "false",
        other => other,
    };
    let given: Vec<&str> = parts.expected.into_iter().map(plain).collect();
    let named = ["Not", "doesNot", "hasNo", "False", "none", "verifyNo"].iter().any(|part| name.contains(part));
    let mut checks = made(word, &CONDITIONS, subject, &given, parts.negated && !named);
    if let [check] = checks.as_mut_slice() {
        // `assertEquals(a, b, delta)`.
        if name == "assertEquals" || name == "assertArrayEquals" {
            let all = arguments(parts.whole.split_once('(').map_or("", |(_, rest)| rest.trim_end().trim_end_matches([')', ';'])));
            if let Some(delta) = all.get(2).copied().filter(|_| all.len() == 3).and_then(number) {
                (check.claim, check.level, check.tolerance) = (Claim::Near, PART, Some(delta));
            }
        } else if check.claim == Claim::Near {
            check.tolerance = parts.whole.rsplit(['(', ',']).next().map(|t| t.trim().trim_end_matches([')', ';'])).and_then(number);
        }
    }
    checks
}

fn raises(kind: &str, subject: &str) -> Check {
    let level = if BROAD.contains(&kind.trim()) { EXISTENCE } else { KIND };
    let subject = subject.trim().strip_prefix("() ->").unwrap_or(subject);
    Check::new(Claim::Raises, level, subject).expecting(Some(kind).filter(|k| !k.is_empty()))
}

/// Whether a call is one that a mock must have had: `verify(mock).save(x)`.
fn verified(whole: &str) -> bool {
    whole.split('(').next().is_some_and(|callee| callee.trim() == "verify" || callee.trim().ends_with(".verify"))
}

fn called(parts: &Parts<'_>, name: &str, subject: &str) -> Check {
    let at = parts.whole.find("verify(").map_or(0, |at| at + "verify(".len());
    let rest = &parts.whole[at..];
    let mut depth = 1usize;
    let end = rest.bytes().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let of = arguments(&rest[..end.unwrap_or(rest.len())]);
    let mode = of.get(1).copied().unwrap_or("");
    let never = mode.contains("never()");
    let loose = ["atLeast", "atMost", "timeout("].iter().any(|word| mode.contains(word)) && !mode.contains("times(");
    let subject = format!("{}.{name}", of.first().copied().unwrap_or(subject));
    let mut check = Check::new(Claim::Called, if loose { KIND } else { PART }, &subject).expecting(parts.expected);
    check.expected.extend(Some(mode.to_owned()).filter(|m| !m.is_empty()));
    check.negated = never;
    check
}
