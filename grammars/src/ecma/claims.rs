//! What the assertions of JavaScript's frameworks claim (rules-a.md 7.2): jest, vitest, chai, node, ava, tap, QUnit, playwright,
//! cypress, testing-library.

use super::chain::unquoted;
use crate::checks::Expects::{All, Condition, First, Nothing};
use crate::checks::{Check, Claim, Conditions, EXACT, EXISTENCE, KIND, PART, Parts, Predicate, Word, arguments, find, made, number};

/// Words that change nothing of a value for a comparison.
pub(super) const IDLE: &[&str] = &["await ", " as any", " as never", " as const", " as unknown"];

static CONDITIONS: Conditions = Conditions {
    and: "&&",
    or: "||",
    not: "!",
    operators: &[
        ("===", Claim::Equal, false),
        ("==", Claim::Equal, false),
        ("!==", Claim::Equal, true),
        ("!=", Claim::Equal, true),
        ("<=", Claim::Relation, false),
        (">=", Claim::Relation, false),
        ("<", Claim::Relation, false),
        (">", Claim::Relation, false),
        ("instanceof", Claim::Kind, false),
        ("in", Claim::Kind, false),
    ],
    nothing: &["null", "undefined", "void 0"],
    truth_is_equal: false,
    predicates: &[
        Predicate::new("includes", Claim::Holds, PART),
        Predicate::new("startsWith", Claim::Holds, PART),
        Predicate::new("endsWith", Claim::Holds, PART),
        Predicate::new("test", Claim::Holds, PART),
        Predicate::new("match", Claim::Holds, PART),
        Predicate::new("has", Claim::Holds, PART),
        Predicate::new("isArray", Claim::Kind, KIND),
        Predicate::new("isNaN", Claim::Equal, EXACT),
        Predicate::new("hasOwnProperty", Claim::Kind, KIND),
        Predicate::new("every", Claim::Holds, PART),
        Predicate::new("some", Claim::Holds, PART),
    ],
    lengths: &[".length", ".size"],
    packages: &["Array", "Number", "Object", "Object.prototype.hasOwnProperty"],
    errors: &[],
};

/// Matchers by name, whichever library has them.
static WORDS: &[Word] = &[
    Word::new(
        &[
            "toBe",
            "toEqual",
            "toStrictEqual",
            "equal",
            "equals",
            "eq",
            "eql",
            "eqls",
            "strictEqual",
            "deepEqual",
            "deepStrictEqual",
            "same",
            "strictSame",
            "is",
            "toHaveText",
            "toHaveValue",
            "toHaveURL",
            "toHaveTitle",
            "toHaveReturnedWith",
            "toMatchInlineSnapshot",
            "propEqual",
            "looseEqual",
            "deepLooseEqual",
            "toHaveTextContent",
            "toHaveDisplayValue",
            "toEqualTypeOf",
            "toHaveValues",
            "toThrowErrorMatchingInlineSnapshot",
            "assertType",
            "expectType",
            "toMatchAriaSnapshot",
            "toBeTypeOf",
            "members",
            "sameMembers",
            "toHaveAccessibleName",
            "toHaveStyle",
            "toHaveCSS",
            "have.text",
            "have.value",
            "deep.equal",
            "eventually.equal",
            "toHaveResolvedWith",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::not(
        &[
            "notEqual",
            "notStrictEqual",
            "notDeepEqual",
            "notDeepStrictEqual",
            "notSame",
            "strictNotSame",
            "not",
            "notPropEqual",
            "notDeepLooseEqual",
        ],
        Claim::Equal,
        EXACT,
        First(1),
    ),
    Word::new(&["toBeNull", "toBeUndefined", "isNull", "isUndefined", "null", "undefined", "toBeNullable"], Claim::Absent, EXACT, Nothing),
    Word::new(&["toBeNaN", "isNaN", "NaN"], Claim::Equal, EXACT, Nothing),
    Word::new(
        &["toBeDefined", "isNotNull", "isDefined", "exists", "exist", "isNotUndefined", "be.exist", "toBeAttached"],
        Claim::Exists,
        EXISTENCE,
        Nothing,
    ),
    Word::new(&["notExists"], Claim::Absent, EXACT, Nothing),
    Word::new(&["toBeTruthy", "ok", "assert", "truthy", "isOk", "invariant", "be.ok"], Claim::Truth, EXISTENCE, Condition),
    Word::not(&["toBeFalsy", "notOk", "falsy", "isNotOk"], Claim::Truth, EXISTENCE, Condition),
    Word::new(
        &[
            "toContain",
            "toContainEqual",
            "toMatch",
            "toMatchObject",
            "match",
            "include",
            "includes",
            "contain",
            "contains",
            "containSubset",
            "like",
            "has",
            "hasStrict",
            "toContainText",
            "toContainHTML",
            "toContainElement",
            "regex",
            "toHaveAttribute",
            "toHaveClass",
            "propContains",
            "toMatchTypeOf",
            "toHaveBeenNthCalledWith",
            "deepInclude",
            "keys",
            "have.attr",
            "have.class",
            "be.match",
            "toExtend",
            "toContainClass",
            "toHaveJSProperty",
            "toHaveFormValues",
            "toMatchObjectType",
            "containEql",
            "startWith",
            "endWith",
            "toSatisfy",
            "matchRule",
            "toHaveBeenWarned",
            "toHaveBeenWarnedLast",
            "toHaveBeenWarnedTimes",
            "property",
            "toHaveProperty",
        ],
        Claim::Holds,
        PART,
        First(2),
    ),
    Word::not(&["notMatch", "notRegex", "notInclude", "notContain"], Claim::Holds, PART, First(1)),
    Word::new(
        &["toHaveLength", "lengthOf", "length", "toHaveCount", "have.length", "toHaveSize", "have.lengthOf", "lengthIs"],
        Claim::Length,
        PART,
        First(1),
    ),
    Word::new(&["empty", "isEmpty", "toBeEmptyDOMElement", "be.empty", "toBeEmpty"], Claim::Length, PART, Nothing),
    Word::new(&["toBeCloseTo", "closeTo", "approximately", "approx"], Claim::Near, PART, First(1)),
    Word::new(
        &[
            "toBeInstanceOf",
            "instanceOf",
            "instanceof",
            "a",
            "an",
            "typeOf",
            "type",
            "isArray",
            "isObject",
            "isFunction",
            "isString",
            "isNumber",
            "isBoolean",
            "finite",
            "arguments",
        ],
        Claim::Kind,
        KIND,
        First(1),
    ),
    Word::new(
        &[
            "toBeGreaterThan",
            "toBeGreaterThanOrEqual",
            "toBeLessThan",
            "toBeLessThanOrEqual",
            "above",
            "below",
            "least",
            "most",
            "gt",
            "gte",
            "lt",
            "lte",
            "within",
            "isAbove",
            "isBelow",
            "isAtLeast",
            "isAtMost",
            "greaterThan",
            "lessThan",
            "be.gt",
            "be.greaterThan",
            "be.lessThan",
        ],
        Claim::Relation,
        KIND,
        First(2),
    ),
    Word::new(
        &[
            "toHaveBeenCalledWith",
            "toBeCalledWith",
            "toHaveBeenLastCalledWith",
            "lastCalledWith",
            "calledWith",
            "calledOnceWith",
            "calledWithMatch",
            "calledOnceWithExactly",
            "calledWithExactly",
            "nthCalledWith",
            "toHaveBeenExactlyOnceWith",
            "toHaveBeenCalledExactlyOnceWith",
            "be.calledWith",
            "have.been.calledWith",
            "verify",
        ],
        Claim::Called,
        PART,
        All,
    ),
    Word::new(
        &[
            "toHaveBeenCalledTimes",
            "toBeCalledTimes",
            "toHaveReturnedTimes",
            "callCount",
            "calledOnce",
            "calledTwice",
            "calledThrice",
            "toHaveBeenCalledOnce",
            "toHaveBeenCalledBefore",
        ],
        Claim::Called,
        PART,
        First(1),
    ),
    Word::new(
        &["toHaveBeenCalled", "toBeCalled", "called", "toHaveReturned", "have.been.called", "be.called"],
        Claim::Called,
        KIND,
        Nothing,
    ),
    Word::not(&["notCalled"], Claim::Called, PART, Nothing),
    Word::new(
        &[
            "toMatchSnapshot",
            "toMatchFileSnapshot",
            "snapshot",
            "matchSnapshot",
            "toThrowErrorMatchingSnapshot",
            "toHaveScreenshot",
            "toMatchImageSnapshot",
        ],
        Claim::Snapshot,
        PART,
        Nothing,
    ),
    Word::new(
        &["doesNotThrow", "notThrows", "doesNotReject", "notThrowsAsync", "ifError", "error", "fulfilled", "toPass"],
        Claim::Succeeds,
        EXISTENCE,
        Nothing,
    ),
    Word::new(
        &[
            "toBeVisible",
            "toBeInTheDocument",
            "toBeChecked",
            "toBeDisabled",
            "toBeEnabled",
            "toBeFocused",
            "toHaveFocus",
            "toBeEditable",
            "toBeInViewport",
            "toBeRequired",
            "toBeValid",
            "toBeInvalid",
            "toBeOK",
            "be.visible",
            "be.checked",
            "be.disabled",
            "be.enabled",
            "be.focused",
            "toBePartiallyChecked",
            "toBeEmpty",
        ],
        Claim::Visible,
        KIND,
        Nothing,
    ),
    Word::not(&["toBeHidden", "not.be.visible", "be.hidden"], Claim::Visible, KIND, Nothing),
    Word::new(&["assertions", "plan", "hasAssertions"], Claim::Count, EXISTENCE, First(1)),
    Word::new(&["fail", "unreachable"], Claim::Failure, EXACT, Nothing),
];

/// Words for values of which only the kind is asked, or nothing.
const ANY: &[(&str, u8)] = &[
    ("expect.anything(", EXISTENCE),
    ("expect.any(", KIND),
    ("expect.objectContaining(", PART),
    ("expect.arrayContaining(", PART),
    ("expect.stringContaining(", PART),
    ("expect.stringMatching(", PART),
    ("expect.closeTo(", PART),
];

/// Returns what an assertion claims.
pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    let subject = parts.subject.unwrap_or("");
    let given = arguments_of(parts.expected);
    let name = parts.matcher;
    if name.starts_with("should") || name == "and" {
        return vec![cypress(parts, subject, &given)];
    }
    if raises(name) {
        return vec![failure(parts, subject, &given)];
    }
    if ["getBy", "findBy", "getAllBy", "findAllBy", "waitFor"].iter().any(|prefix| name.starts_with(prefix))
        || (name == "contains" && parts.whole.starts_with("cy."))
    {
        let on_the_way = Check::new(Claim::Exists, KIND, parts.whole);
        return vec![on_the_way.on_the_way()];
    }
    if name == "expect" && subject.contains('(') {
        // supertest: a status, a header, a body.
        let told = given.into_iter().filter(|g| *g != "done" && !g.starts_with("function") && !g.contains("=>"));
        return told.map(|g| Check::new(Claim::Equal, EXACT, if number(g).is_some() { "status" } else { "" }).expecting([g])).collect();
    }
    if matches!(name, "true" | "false" | "isTrue" | "isFalse") {
        let value = if name.to_ascii_lowercase().ends_with("true") { "true" } else { "false" };
        return vec![truth(subject, value, parts.negated)];
    }
    let Some(word) = find(WORDS, name) else {
        // A matcher of the repository's own, or a helper.
        return vec![Check { negated: parts.negated, ..Check::new(Claim::Unknown, EXACT, subject).expecting(given) }];
    };
    if matches!(word.claim, Claim::Equal) && word.expects == First(1) {
        if let [value @ ("true" | "false"), ..] = given.as_slice() {
            return vec![truth(subject, value, parts.negated)];
        }
        if given.is_empty() && name.ends_with("InlineSnapshot") {
            return vec![Check::new(Claim::Snapshot, PART, subject)];
        }
    }
    let mut checks = made(word, &CONDITIONS, subject, &given, parts.negated);
    for check in &mut checks {
        match check.claim {
            Claim::Near => check.tolerance = near(name, &arguments_of(parts.expected)),
            Claim::Equal | Claim::Called if check.level > KIND => {
                if let Some((_, level)) = check.expected.first().and_then(|e| ANY.iter().find(|(start, _)| e.starts_with(start))) {
                    check.level = check.level.min(*level);
                }
            }
            Claim::Holds if matches!(name, "property" | "toHaveProperty") => {
                check.level = if check.expected.len() > 1 { EXACT } else { KIND }
            }
            _ => {}
        }
    }
    checks
}

/// What is expected, however it is written: a list of arguments without brackets.
fn arguments_of(expected: Option<&str>) -> Vec<&str> {
    let Some(text) = expected else { return Vec::new() };
    // The span runs from the first argument to the last, so that brackets around it are a value's own.
    let listed = arguments(text);
    if listed.len() > 1 && text.trim_start().starts_with('(') { vec![text] } else { listed }
}

/// `toBe(true)` of a comparison is the comparison; of anything else it says that it is that value.
fn truth(subject: &str, value: &str, negated: bool) -> Check {
    let turned = negated != (value == "false");
    let read = CONDITIONS.read(subject, turned);
    match read.as_slice() {
        [only] if !matches!(only.claim, Claim::Truth | Claim::Nothing) => only.clone(),
        [only] if only.claim == Claim::Nothing => only.clone(),
        _ => Check::new(Claim::Equal, EXACT, subject).expecting([value]).turned(negated),
    }
}

fn near(name: &str, given: &[&str]) -> Option<f64> {
    let second = given.get(1).copied().and_then(number);
    if name == "toBeCloseTo" { Some(0.5 * 10f64.powf(-second.unwrap_or(2.0))) } else { second }
}

fn raises(name: &str) -> bool {
    matches!(
        name,
        "toThrow"
            | "toThrowError"
            | "throws"
            | "throw"
            | "Throw"
            | "rejects"
            | "throwsAsync"
            | "rejected"
            | "rejectedWith"
            | "exception"
            | "raises"
    )
}

fn failure(parts: &Parts<'_>, subject: &str, given: &[&str]) -> Check {
    // A text behind the function is a message to node and what is thrown to others: nobody is accused of the difference.
    let inside = parts.whole.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches([')', ';']));
    let of_expect = parts.matcher.starts_with("to");
    let told = !given.is_empty() || (!of_expect && arguments(inside).len() > 1);
    let level = if told && given.first() != Some(&"Error") { PART } else { KIND };
    let subject = subject.strip_prefix("async ").unwrap_or(subject).trim();
    let subject = subject.strip_prefix("()").map_or(subject, |rest| rest.trim_start().trim_start_matches("=>").trim());
    Check::new(Claim::Raises, level, subject).expecting(given.iter().copied()).turned(parts.negated)
}

/// `cy.get(…).should('have.text', 'x')`: the word is the first argument, and what is looked at the chain before, without checks.
fn cypress(parts: &Parts<'_>, subject: &str, given: &[&str]) -> Check {
    let subject = subject.split(".should(").next().unwrap_or(subject);
    let Some((word, rest)) = given.split_first() else { return Check::new(Claim::Unknown, EXACT, subject) };
    let said = unquoted(word);
    let (said, negated) = said.strip_prefix("not.").map_or((said, false), |rest| (rest, true));
    let last = said.rsplit('.').next().unwrap_or(said);
    let known = find(WORDS, said).or_else(|| find(WORDS, last));
    match known {
        Some(word) if word.expects != Condition => {
            let level = word.level;
            Check::new(word.claim, level, subject).expecting(rest.iter().copied()).turned(negated != word.negated)
        }
        _ => Check { negated: parts.negated, ..Check::new(Claim::Unknown, EXACT, subject).expecting(given.iter().copied()) },
    }
}
