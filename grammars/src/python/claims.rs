//! What the assertions of Python's frameworks claim (rules-a.md 7.2): unittest, pytest, mocks, numeric libraries.

use crate::checks::Expects::{All, Condition, First, Nothing};
use crate::checks::{
    Check, Claim, Conditions, EXACT, EXISTENCE, KIND, NOTHING, PART, Parts, Predicate, Word, arguments, find, is_literal, made, named,
    number, positional,
};

pub(super) static CONDITIONS: Conditions = Conditions {
    and: "and",
    or: "or",
    not: "not ",
    operators: &[
        ("==", Claim::Equal, false),
        ("!=", Claim::Equal, true),
        ("is", Claim::Equal, false),
        ("is not", Claim::Equal, true),
        ("in", Claim::Holds, false),
        ("not in", Claim::Holds, true),
        ("<=", Claim::Relation, false),
        (">=", Claim::Relation, false),
        ("<", Claim::Relation, false),
        (">", Claim::Relation, false),
    ],
    nothing: &["None"],
    truth_is_equal: false,
    predicates: &[
        Predicate::new("isinstance", Claim::Kind, KIND),
        Predicate::new("issubclass", Claim::Kind, KIND),
        Predicate::new("hasattr", Claim::Kind, KIND),
        Predicate::new("callable", Claim::Kind, KIND),
        Predicate::new("startswith", Claim::Holds, PART),
        Predicate::new("endswith", Claim::Holds, PART),
        Predicate::new("issubset", Claim::Holds, PART),
        Predicate::new("issuperset", Claim::Holds, PART),
        Predicate::new("allclose", Claim::Near, PART),
        Predicate::new("isclose", Claim::Near, PART),
        Predicate::new("array_equal", Claim::Equal, EXACT),
        Predicate::new("equals", Claim::Equal, EXACT),
        Predicate::new("all", Claim::Holds, PART),
        Predicate::new("any", Claim::Holds, PART),
    ],
    lengths: &["len("],
    packages: &["np", "numpy", "math", "torch", "os.path", "re", "pd", "cmath"],
    errors: &[],
};

static WORDS: &[Word] = &[
    Word::new(
        &[
            "assertEqual",
            "assertEquals",
            "assertDictEqual",
            "assertListEqual",
            "assertTupleEqual",
            "assertSetEqual",
            "assertSequenceEqual",
            "assertMultiLineEqual",
            "assertIs",
            "assertCountEqual",
            "assertItemsEqual",
            "assertXMLEqual",
            "assertHTMLEqual",
            "assertJSONEqual",
            "assertQuerysetEqual",
            "assertQuerySetEqual",
            "eq_",
            "assert_equal",
            "assert_array_equal",
            "assert_string_equal",
            "assert_frame_equal",
            "assert_series_equal",
            "assert_index_equal",
            "assert_identical",
            "assert_equals",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::not(&["assertNotEqual", "assertNotEquals", "assertIsNot", "assert_not_equal"], Claim::Equal, EXACT, First(1)),
    Word::new(&["assertTrue", "assert_", "ok_", "assert_true", "failUnless"], Claim::Truth, EXISTENCE, Condition),
    Word::not(&["assertFalse", "assert_false", "failIf"], Claim::Truth, EXISTENCE, Condition),
    Word::new(&["assertIsNone"], Claim::Absent, EXACT, Nothing),
    Word::new(&["assertIsNotNone"], Claim::Exists, EXISTENCE, Nothing),
    Word::new(
        &[
            "assertIn",
            "assertDictContainsSubset",
            "assertContains",
            "assertInHTML",
            "assertRegex",
            "assertRegexpMatches",
            "assertStartsWith",
            "assertEndsWith",
        ],
        Claim::Holds,
        PART,
        First(1),
    ),
    Word::not(&["assertNotIn", "assertNotRegex", "assertNotContains"], Claim::Holds, PART, First(1)),
    Word::new(&["assertIsInstance", "assertIsSubclass", "assertHasAttr"], Claim::Kind, KIND, First(1)),
    Word::not(&["assertNotIsInstance", "assertNotHasAttr"], Claim::Kind, KIND, First(1)),
    Word::new(
        &["assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual", "assert_array_less"],
        Claim::Relation,
        KIND,
        First(1),
    ),
    Word::new(
        &[
            "assertAlmostEqual",
            "assertAlmostEquals",
            "assert_allclose",
            "assert_almost_equal",
            "assert_array_almost_equal",
            "assert_approx_equal",
            "assert_close",
        ],
        Claim::Near,
        PART,
        First(1),
    ),
    Word::not(&["assertNotAlmostEqual"], Claim::Near, PART, First(1)),
    Word::new(
        &[
            "assert_called_once_with",
            "assert_called_with",
            "assert_has_calls",
            "assert_any_call",
            "assert_awaited_once_with",
            "assert_awaited_with",
            "assert_has_awaits",
            "assert_any_await",
        ],
        Claim::Called,
        PART,
        All,
    ),
    Word::new(&["assert_called", "assert_called_once", "assert_awaited", "assert_awaited_once"], Claim::Called, KIND, Nothing),
    Word::not(&["assert_not_called", "assert_not_awaited"], Claim::Called, PART, Nothing),
    Word::new(&["assertNumQueries"], Claim::Length, PART, First(1)),
    Word::new(&["assertLogs", "assertNoLogs"], Claim::Raises, KIND, All),
];

/// Errors that say no more than that something went wrong.
const BROAD: &[&str] = &["Exception", "BaseException", "", "Warning"];

/// Returns what an assertion claims.
pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    let subject = parts.subject.unwrap_or("");
    let expected = parts.expected.unwrap_or("");
    if let Some((operator, claim, turned)) = CONDITIONS.operators.iter().find(|(operator, _, _)| same_words(operator, parts.matcher)) {
        // `"x" in text` looks at the text, `code in (0, 1)` at the code.
        let (subject, expected) =
            if *claim == Claim::Holds && is_literal(subject) && !is_literal(expected) { (expected, subject) } else { (subject, expected) };
        let mut check = CONDITIONS.comparison(subject, *claim, expected, *turned != parts.negated);
        if let Some(near) = approximate(&check, operator) {
            check = near;
        }
        if matches!(check.claim, Claim::Equal) && matches!(check.expected.first().map(String::as_str), Some("ANY" | "mock.ANY")) {
            check.level = EXISTENCE;
        }
        // `x == True` is written for `x` (rules-a.md D23); `x is True` says more.
        if *operator == "==" && check.expected.len() == 1 && matches!(check.expected[0].as_str(), "True" | "False") {
            let negated = parts.negated != (check.expected[0] == "False");
            return vec![CONDITIONS.truth(subject, negated)];
        }
        if check.claim == Claim::Equal && subject.starts_with("type(") {
            (check.claim, check.level) = (Claim::Kind, KIND);
        }
        return vec![check];
    }
    match parts.matcher {
        "assert" => return CONDITIONS.read(subject, parts.negated).into_iter().map(matched).collect(),
        "fail" => return vec![Check::new(Claim::Failure, EXACT, "")],
        "raises"
        | "warns"
        | "deprecated_call"
        | "assertRaises"
        | "assertRaisesRegex"
        | "assertWarns"
        | "assertWarnsRegex"
        | "assertRaisesMessage"
        | "assertRaisesRegexp" => return vec![raises(parts.matcher, expected)],
        "match" if parts.whole.contains(".match(") => {
            return vec![Check::new(Claim::Raises, PART, subject).expecting(arguments(expected))];
        }
        _ => {}
    }
    let given = arguments(expected);
    let by_place = positional(&given);
    let Some(word) = find(WORDS, parts.matcher) else {
        return vec![Check::new(Claim::Unknown, EXACT, subject).expecting(given)];
    };
    if word.claim == Claim::Called {
        return made(word, &CONDITIONS, subject, &given, false);
    }
    // The part comes first, then what has it.
    let (subject, by_place) = match by_place.first() {
        Some(container) if matches!(parts.matcher, "assertIn" | "assertNotIn") && (is_literal(subject) || !is_literal(container)) => {
            (*container, vec![subject])
        }
        _ => (subject, by_place),
    };
    let mut checks = made(word, &CONDITIONS, subject, &by_place, false);
    if let [check] = checks.as_mut_slice() {
        if word.claim == Claim::Near {
            check.tolerance = tolerance(parts.matcher, &given, &by_place);
        } else if matches!(check.expected.first().map(String::as_str), Some("True" | "False"))
            && word.claim == Claim::Equal
            && parts.matcher != "assertIs"
        {
            let negated = word.negated != (check.expected[0] == "False");
            *check = CONDITIONS.truth(&check.subject.clone(), negated);
        } else if let Some(near) = approximate(check, "==") {
            *check = near;
        }
        swap_literal(check);
    }
    checks
}

/// `PATTERN.fullmatch(line)` looks at the line.
fn matched(mut check: Check) -> Check {
    if let (Claim::Truth, Some((receiver, rest))) = (check.claim, check.subject.rsplit_once('.')) {
        for (name, level) in [("fullmatch(", EXACT), ("match(", PART), ("search(", PART)] {
            let Some(given) = rest.strip_prefix(name).and_then(|r| r.strip_suffix(')')) else { continue };
            let given = arguments(given);
            let (pattern, subject) = match given[..] {
                [one] => (receiver, one),
                [pattern, of, ..] => (pattern, of),
                [] => return check,
            };
            let negated = check.negated;
            check = Check::new(Claim::Holds, level, subject).expecting([pattern]).turned(negated);
            break;
        }
    }
    check
}

/// Words of unittest look at either side; the literal one is what is expected.
fn swap_literal(check: &mut Check) {
    if let (Claim::Relation | Claim::Near, [expected]) = (check.claim, check.expected.as_mut_slice())
        && crate::checks::number(&check.subject).is_some()
        && crate::checks::number(expected).is_none()
    {
        std::mem::swap(&mut check.subject, expected);
    }
}

fn same_words(operator: &str, matcher: &str) -> bool {
    operator.split_whitespace().eq(matcher.split_whitespace())
}

/// `x == pytest.approx(y, rel=1e-3)`.
fn approximate(check: &Check, operator: &str) -> Option<Check> {
    let [expected] = check.expected.as_slice() else { return None };
    let at = expected.find("approx(").filter(|_| operator == "==" && !check.negated)?;
    let before = &expected[..at];
    if !before.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_') {
        return None;
    }
    let given = arguments(expected[at + "approx".len()..].trim());
    let value = positional(&given);
    let bound = ["rel", "abs"]
        .iter()
        .filter_map(|name| named(&given, name))
        .chain(value.get(1).copied())
        .filter_map(number)
        .fold(None, |most: Option<f64>, n| Some(most.map_or(n, |m| m.max(n))));
    let mut near = Check::new(Claim::Near, PART, &check.subject).expecting(value.first().copied());
    near.tolerance = Some(bound.unwrap_or(1e-6));
    Some(near)
}

fn tolerance(matcher: &str, given: &[&str], by_place: &[&str]) -> Option<f64> {
    if let Some(delta) = ["delta", "rtol", "atol", "rel", "abs"].iter().filter_map(|n| named(given, n)).filter_map(number).reduce(f64::max)
    {
        return Some(delta);
    }
    let digits =
        |default: f64| named(given, "places").or(named(given, "decimal")).or(by_place.get(1).copied()).and_then(number).unwrap_or(default);
    match matcher {
        "assertAlmostEqual" | "assertAlmostEquals" => Some(0.5 * 10f64.powf(-digits(7.0))),
        "assert_almost_equal" => Some(1.5 * 10f64.powf(-digits(7.0))),
        "assert_array_almost_equal" => Some(1.5 * 10f64.powf(-digits(6.0))),
        "assert_allclose" => Some(1e-7),
        _ => None,
    }
}

fn raises(matcher: &str, expected: &str) -> Check {
    let given = arguments(expected);
    let by_place = positional(&given);
    let kind = by_place.first().copied().or(named(&given, "expected_exception")).or(named(&given, "expected_warning")).unwrap_or("");
    let second = || by_place.get(1).copied();
    let tells = matcher.contains("Reg") || matcher == "assertRaisesMessage";
    let message = named(&given, "match").or_else(|| if tells { second() } else { None });
    if kind == "None" {
        // It records and asks for nothing.
        return Check::new(Claim::Nothing, NOTHING, "");
    }
    let level = match (message, BROAD.contains(&kind)) {
        (Some(text), _) if !matches!(text.trim_matches(['"', '\'', 'r']), "" | ".*" | "." | ".+") => PART,
        (_, false) => KIND,
        _ => EXISTENCE,
    };
    // What is called, where that is given by place, is what is looked at.
    let subject = second().filter(|_| !tells).unwrap_or("");
    let mut check = Check::new(Claim::Raises, level, subject);
    check.expected = std::iter::once(kind).chain(message).map(str::to_owned).collect();
    // That something is going away is said of what is called, and ends with it.
    check.implicit = matcher == "deprecated_call"
        || (matcher.to_ascii_lowercase().contains("warns") && ["Deprecat", "FutureWarning"].iter().any(|w| kind.contains(w)));
    check
}
