//! Conditions that a test must find true: `x == 1`, `isinstance(x, A)`, `!ok`, `a && b`.

use super::source::{call, operands, operator, strip};
use super::{Check, Claim, EXACT, EXISTENCE, KIND, NOTHING, PART};

/// How a language writes conditions.
pub(crate) struct Conditions {
    /// Joins what must hold together.
    pub(crate) and: &'static str,
    /// Joins what may hold instead.
    pub(crate) or: &'static str,
    /// Turns round what follows.
    pub(crate) not: &'static str,
    /// Operators and what they say; the bool turns it round.
    pub(crate) operators: &'static [(&'static str, Claim, bool)],
    /// Words for no value.
    pub(crate) nothing: &'static [&'static str],
    /// A comparison with a truth value is the truth itself (rules-a.md D23).
    pub(crate) truth_is_equal: bool,
    /// Functions and methods that say something else than that they are true.
    pub(crate) predicates: &'static [Predicate],
    /// Ways to ask for a number of elements: a function before its argument or a member behind its object.
    pub(crate) lengths: &'static [&'static str],
    /// What functions are taken from that look at their first argument; any other receiver is what is looked at.
    pub(crate) packages: &'static [&'static str],
    /// Names of errors of which nothing but that they are none is asked.
    pub(crate) errors: &'static [&'static str],
}

/// A function or method that says something of a value.
pub(crate) struct Predicate {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it says.
    pub(crate) claim: Claim,
    /// How much.
    pub(crate) level: u8,
    /// It says the opposite.
    pub(crate) negated: bool,
}

impl Predicate {
    /// Returns a row of a table.
    pub(crate) const fn new(name: &'static str, claim: Claim, level: u8) -> Self {
        Predicate { name, claim, level, negated: false }
    }
}

/// Alternatives that are tried one in the other.
const DEPTH_MAX: usize = 6;

impl Conditions {
    /// Returns what a condition claims; `negated` where the test fails if it holds.
    pub(crate) fn read(&self, condition: &str, negated: bool) -> Vec<Check> {
        let mut checks = Vec::new();
        self.collect(condition, negated, 0, &mut checks);
        checks
    }

    fn collect(&self, condition: &str, negated: bool, depth: usize, checks: &mut Vec<Check>) {
        let condition = strip(condition);
        let (together, instead) = if negated { (self.or, self.and) } else { (self.and, self.or) };
        let parts = operands(condition, together);
        if parts.len() > 1 && depth < DEPTH_MAX && operands(condition, instead).len() == 1 {
            parts.into_iter().for_each(|part| self.collect(part, negated, depth + 1, checks));
            return;
        }
        let ways = operands(condition, instead);
        if ways.len() > 1 {
            let always = ways.iter().any(|way| self.is_constant(way, !negated));
            let (claim, level) = if always { (Claim::Nothing, NOTHING) } else { (Claim::Truth, KIND) };
            let subject = ways.first().map_or("", |first| self.compared(first).map_or(*first, |(before, _, _)| before));
            checks.push(Check::new(claim, level, subject).expecting([condition]).turned(negated));
            return;
        }
        if let Some(rest) = condition.strip_prefix(self.not).filter(|rest| !rest.starts_with('=') && depth < DEPTH_MAX)
            && self.compared(condition).is_none_or(|(before, _, _)| before.starts_with(self.not) && self.not.len() > 1)
        {
            return self.collect(rest, !negated, depth + 1, checks);
        }
        checks.push(self.single(condition, negated));
    }

    /// Whether a text is the constant that is true, or false.
    fn is_constant(&self, text: &str, truth: bool) -> bool {
        let word = strip(text);
        let words: &[&str] = if truth { &["True", "true", "1"] } else { &["False", "false", "0"] };
        words.contains(&word) || (!truth && self.nothing.contains(&word))
    }

    fn compared<'t>(&self, condition: &'t str) -> Option<(&'t str, &'static str, &'t str)> {
        const NAMES_MAX: usize = 16;
        let mut names = [""; NAMES_MAX];
        let count = self.operators.len().min(NAMES_MAX);
        for (name, (operator, _, _)) in names.iter_mut().zip(self.operators) {
            *name = operator;
        }
        operator(condition, &names[..count])
    }

    fn single(&self, condition: &str, negated: bool) -> Check {
        if let Some((before, operator, after)) = self.compared(condition) {
            let (_, claim, turned) =
                self.operators.iter().find(|(name, _, _)| *name == operator).copied().unwrap_or(("", Claim::Equal, false));
            return self.comparison(before, claim, after, turned != negated);
        }
        if self.is_constant(condition, !negated) {
            return Check::new(Claim::Nothing, NOTHING, condition);
        }
        self.truth(condition, negated)
    }

    /// Returns what it means that a value is true.
    pub(crate) fn truth(&self, condition: &str, negated: bool) -> Check {
        let condition = strip(condition);
        if let Some((receiver, name, given)) = call(condition)
            && let Some(predicate) = self.predicates.iter().find(|p| p.name == name)
        {
            let (subject, rest) = match given.split_first() {
                // A function of a package or of none looks at its first argument, a method at its object.
                Some((first, rest)) if receiver.is_empty() || self.packages.contains(&receiver) => (*first, rest),
                _ => (receiver, given.as_slice()),
            };
            let check = Check::new(predicate.claim, predicate.level, subject).expecting(rest.iter().copied());
            return self.measured(check).turned(negated != predicate.negated);
        }
        Check::new(Claim::Truth, EXISTENCE, condition).turned(negated)
    }

    /// Returns what a comparison claims, whichever side is the constant one.
    pub(crate) fn comparison(&self, before: &str, claim: Claim, after: &str, negated: bool) -> Check {
        let (mut subject, mut expected) = (strip(before), strip(after));
        if claim == Claim::Equal && is_literal(subject) && !is_literal(expected) {
            std::mem::swap(&mut subject, &mut expected);
        }
        if claim == Claim::Equal && self.nothing.contains(&expected) {
            let none = Check::new(Claim::Absent, EXACT, subject).expecting([expected]).turned(negated);
            if self.errors.contains(&subject) {
                let claim = if none.claim == Claim::Absent { Claim::Succeeds } else { Claim::Raises };
                let level = if claim == Claim::Raises { KIND } else { EXISTENCE };
                let check = Check::new(claim, level, subject);
                return if claim == Claim::Succeeds { check.on_the_way() } else { check };
            }
            return none;
        }
        if claim == Claim::Equal && self.truth_is_equal && matches!(expected, "True" | "False" | "true" | "false") {
            return self.single(subject, negated == expected.eq_ignore_ascii_case("true"));
        }
        if claim == Claim::Equal && self.errors.contains(&subject) && !negated {
            return Check::new(Claim::Raises, PART, subject).expecting([expected]);
        }
        let level = match claim {
            Claim::Equal => EXACT,
            Claim::Holds | Claim::Near => PART,
            _ => KIND,
        };
        let mut check = Check::new(claim, level, subject).expecting([expected]);
        if claim == Claim::Relation && ["abs(", "Abs("].iter().any(|word| subject.contains(word)) {
            // `abs(a - b) < 0.1`: a is near b.
            (check.claim, check.level) = (Claim::Near, PART);
            check.tolerance = super::number(expected);
            return check;
        }
        self.measured(check).turned(negated)
    }

    /// Makes a claim about a number of elements one about what has them.
    pub(crate) fn measured(&self, mut check: Check) -> Check {
        if check.claim != Claim::Equal {
            return check;
        }
        for length in self.lengths {
            let of = if let Some(function) = length.strip_suffix('(') {
                call(&check.subject)
                    .filter(|(receiver, name, given)| receiver.is_empty() && *name == function && given.len() == 1)
                    .map(|c| c.2[0].to_owned())
            } else {
                check.subject.strip_suffix(length).map(str::to_owned)
            };
            if let Some(of) = of.filter(|o| !o.is_empty()) {
                check.subject = of;
                check.claim = Claim::Length;
                check.level = PART;
                return check;
            }
        }
        check
    }
}

/// Whether a text is one literal, or a display of several.
pub(crate) fn is_literal(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+', '&']);
    let first = text.as_bytes().first().copied().unwrap_or(b' ');
    let word = matches!(text, "true" | "false" | "True" | "False" | "None" | "null" | "nil" | "undefined");
    let quoted = matches!(first, b'"' | b'\'' | b'`') && !text.contains(").") && !text.contains("\".") && !text.contains("'.");
    word || first.is_ascii_digit() || quoted || matches!(first, b'[' | b'{')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Conditions = Conditions {
        and: "&&",
        or: "||",
        not: "!",
        operators: &[("==", Claim::Equal, false), ("!=", Claim::Equal, true), ("<", Claim::Relation, false)],
        nothing: &["null"],
        truth_is_equal: true,
        predicates: &[Predicate::new("contains", Claim::Holds, PART)],
        lengths: &[".len()", "len("],
        packages: &["strings"],
        errors: &["err"],
    };

    /// Returns what a condition claims, a check in one word each.
    fn said(condition: &str, negated: bool) -> Vec<(Claim, String, u8)> {
        SMALL.read(condition, negated).into_iter().map(|c| (c.claim, c.subject, c.level)).collect()
    }

    fn one(condition: &str) -> (Claim, String, u8) {
        let mut all = said(condition, false);
        assert_eq!(all.len(), 1, "{condition}");
        all.remove(0)
    }

    #[test]
    fn a_comparison_looks_at_the_side_that_is_no_literal() {
        assert_eq!(one("3 == f(x)"), (Claim::Equal, "f(x)".to_owned(), EXACT));
        assert_eq!(one("f(x) == 3"), one("(3 == f(x))"));
        assert_eq!(one("a.len() == 3"), (Claim::Length, "a".to_owned(), PART));
        assert_eq!(one("len(a) == 3"), one("a.len() == 3"));
        assert_eq!(one("abs(a - b) < 0.1").0, Claim::Near);
    }

    #[test]
    fn what_must_not_hold_is_read_the_other_way_round() {
        assert_eq!(said("a != 1 || !b", true), [(Claim::Equal, "a".to_owned(), EXACT), (Claim::Truth, "b".to_owned(), EXISTENCE)]);
        assert_eq!(said("err != null", true), [(Claim::Succeeds, "err".to_owned(), EXISTENCE)]);
        assert_eq!(said("err == null", true), [(Claim::Raises, "err".to_owned(), KIND)]);
    }

    #[test]
    fn alternatives_say_less_and_a_constant_nothing() {
        assert_eq!(one("a == 1 || a == 2").2, KIND);
        assert_eq!(one("a == 1 || true").0, Claim::Nothing);
        assert_eq!(one("true").0, Claim::Nothing);
    }

    #[test]
    fn a_predicate_looks_at_its_object_or_its_first_argument() {
        assert_eq!(one("s.contains(\"a\")"), (Claim::Holds, "s".to_owned(), PART));
        assert_eq!(one("strings.contains(s, \"a\")"), (Claim::Holds, "s".to_owned(), PART));
    }
}
