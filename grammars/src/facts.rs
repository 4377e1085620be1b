//! The dictionary of facts: what a text contains, in words that hold for every language.
//!
//! Adapters emit these; rules of the engine read them. All spans are byte offsets relative to the start of the unit that
//! holds the fact (see [`crate::visit::Visit::span`]), so that a unit that only moved keeps its facts.

/// A byte range relative to the start of its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ItemKind {
    /// The whole file; opened by the walk itself.
    File,
    /// A container of tests: `describe`, a test class, a test module, a suite type.
    Group,
    /// A test case that its runner collects.
    Test,
    /// Set-up or tear-down code of tests, a fixture, a helper known to be one.
    Hook,
    /// A function or method.
    Function,
    /// A class, trait, impl, interface, module: a scope that only gives names.
    Scope,
}

/// A named construct that opens a unit of its own: facts inside it belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Own name, unqualified; a test's title as written between its quotes; empty where it has none.
    pub name: String,
    /// Where the name stands (the anchor of findings about the whole item).
    pub name_span: Span,
    /// The body of a function or test, where it has one.
    pub body: Option<Body>,
    /// A parameterised test: one test whatever its rows.
    pub parametrised: bool,
    /// A benchmark: collected like a test, and free to check nothing.
    pub measures: bool,
    /// Everything inside is test code (`#[cfg(test)] mod`, a test itself).
    pub opens_test_region: bool,
    /// Switched off as a whole by a marker emitted with it; markers inside are covered by that one (rules-a.md D9).
    pub disabled: bool,
    /// Why an empty, constant or refusing body is no stand-in (abstract, overload, null object, …).
    pub exempt: Option<&'static str>,
    /// A function that no other file can call by its name.
    pub private: bool,
    /// Bits of the language's own, seen by visits of what is inside.
    pub flags: u32,
}

impl Item {
    /// Returns an item of a kind and name with nothing else said.
    pub fn new(kind: ItemKind, name: impl Into<String>, name_span: Span) -> Self {
        let opens_test_region = matches!(kind, ItemKind::Group | ItemKind::Test | ItemKind::Hook);
        Item {
            kind,
            name: name.into(),
            name_span,
            body: None,
            parametrised: false,
            measures: false,
            opens_test_region,
            disabled: false,
            exempt: None,
            private: false,
            flags: 0,
        }
    }
}

/// Why a callback that is registered somewhere may do nothing (`Item::exempt`). It holds for one that is born so: one that did
/// work before has lost it.
pub const MAY_DO_NOTHING: &str = "registered, and free to do nothing";

/// The body of a function or test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The body with its delimiters, relative to the item's unit.
    pub span: Span,
    /// Statements directly in it, without docstring, comments and unused-parameter statements.
    pub statements: u32,
    /// What the statements amount to.
    pub shape: Shape,
    /// Branches and loops anywhere in it; counted by the walk.
    pub branches: u32,
    /// Calls anywhere in it; counted by the walk.
    pub calls: u32,
}

/// What the statements of a body amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No statement, or only `pass`, `...`, a docstring.
    Empty,
    /// One statement that gives back a constant (`return 0`, `None`, `{} as T`), or a bare `return`.
    Constant,
    /// One statement that refuses: throw, raise, panic, an error of 'not implemented'.
    Refusal,
    /// Anything else.
    Work,
}

/// A construct that stands where an implementation is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Stub {
    /// The statement or expression.
    pub span: Span,
    /// How it stands in.
    pub form: StubForm,
    /// The text of its message, where there is one.
    pub message: Option<String>,
    /// It is all that the body does.
    pub whole: bool,
}

/// How a stub stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubForm {
    /// Says so by itself wherever it stands (`todo!()`).
    Promise,
    /// Says so where it is the whole body (`unimplemented!()`, `raise NotImplementedError`).
    NotImplemented,
    /// Throws, raises, panics or returns an error; only its message can say that it is a stub.
    Refusal,
    /// Nothing where something is expected: `pass`, `...`, an empty block of a function that declares a value.
    Empty,
    /// A constant; a stub only with a stand-in comment, or where a working body stood.
    Constant,
}

/// What a marker does to the test, group or file it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Not run.
    Disabled,
    /// Run, but a failure no longer counts.
    ExpectedFailure,
    /// Named without a body.
    Todo,
    /// Run while all others are not.
    Focused,
}

/// When a marker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Always: no condition, or a constant one.
    Always,
    /// Where a condition evaluated at run time says so (platform, version, missing tool).
    Runtime,
    /// Where a condition reads nothing but that it runs in CI (rules-a.md D2).
    Ci,
}

/// How a marker is ranked where the test it stands on is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnNew {
    /// The rule's usual rank.
    Report,
    /// Information only.
    Inform,
    /// Nothing (an opt-in idiom of the runner).
    Silent,
}

/// A marker that disables or focuses tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The token or line that does it; its tokens are part of the finding's id.
    pub span: Span,
    /// What it does.
    pub effect: Effect,
    /// When it does.
    pub condition: Condition,
    /// A reason is given beside it.
    pub reason: bool,
    /// Rank on a new test.
    pub on_new: OnNew,
    /// Stands on the whole file (module-level mark, build tag), not on the item around it.
    pub whole_file: bool,
    /// Name of what it marks where that is not the item it was emitted for.
    pub subject: Option<String>,
    /// Edits that take the marker away and leave the test; empty where none is known.
    pub removal: Vec<Edit>,
    /// Digest of the example in documentation that it switches off, where it stands on one: the example is no new one where
    /// the base ran it (see [`Local::examples`]).
    pub example: Option<u64>,
}

impl Marker {
    /// Returns an unconditional marker without reason.
    pub fn new(effect: Effect, span: Span) -> Self {
        Marker {
            span,
            effect,
            condition: Condition::Always,
            reason: false,
            on_new: OnNew::Report,
            whole_file: false,
            subject: None,
            removal: Vec::new(),
            example: None,
        }
    }
}

/// A replacement of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// By what; empty for a deletion. A deletion that leaves a blank line takes the line with it (the engine sees to that).
    pub text: String,
}

/// A comment, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// With its markers.
    pub span: Span,
    /// Nothing but blanks stands before it on its line.
    pub alone: bool,
    /// A block comment (may span lines).
    pub block: bool,
    /// Documentation of an item (`///`, `/** */`).
    pub doc: bool,
}

/// How much of the code a suppression covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// Its own line.
    Line,
    /// The next line or statement.
    NextLine,
    /// The item it stands on.
    Declaration,
    /// To a closing directive.
    Range,
    /// The whole file.
    File,
}

/// A switched-off check of a linter, type checker or coverage tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Suppression {
    /// The directive.
    pub span: Span,
    /// The tool it speaks to.
    pub tool: String,
    /// The codes it names, sorted; none means all.
    pub codes: Vec<String>,
    /// How far it reaches.
    pub reach: Reach,
    /// A reason is given.
    pub reason: bool,
    /// It fails when there is nothing to suppress (`#[expect]`), or is a type-level escape: weighs less.
    pub mild: bool,
    /// Edits that take it away; empty where none is known.
    pub removal: Vec<Edit>,
}

/// A check that a test makes. Parts are spans, so that a fact costs no copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The whole assertion.
    pub span: Span,
    /// What is looked at, where it can be told.
    pub subject: Option<Span>,
    /// The matcher or the assertion's name.
    pub matcher: Span,
    /// What is expected, where it can be told.
    pub expected: Option<Span>,
    /// Turned round by `not`.
    pub negated: bool,
}

/// A stretch of a test in which a check may count for less than where it stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The stretch.
    pub span: Span,
    /// What it is.
    pub form: RegionForm,
    /// The condition or what is gone through, where there is one.
    pub of: Option<Span>,
}

/// What a stretch of a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionForm {
    /// A failure in it is caught by what neither fails nor passes it on.
    Swallowed,
    /// Nothing comes there: behind an unconditional return, under a condition that is never true.
    Dead,
    /// Only where a condition holds.
    Guarded,
    /// Only where a condition does not hold.
    Otherwise,
    /// Once for each of several values.
    Repeated,
    /// What is in it must fail for the test to pass.
    Failing,
}

/// On which terms a test runs: with how many inputs, how often, how long, with what replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The construct that says so.
    pub span: Span,
    /// What it says.
    pub form: TermForm,
    /// How many, in the unit of its form.
    pub amount: u64,
}

/// What a construct says of how a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermForm {
    /// Rows of inputs written down.
    Rows,
    /// Inputs that a property is tried with.
    Samples,
    /// Further runs after a failure.
    Retries,
    /// Milliseconds until it gives up.
    Patience,
    /// What the span names is replaced by a double.
    Double,
}

/// A construct by which a run of tests can say something else than its checks found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bend {
    /// The statement, expression or name that does it.
    pub span: Span,
    /// How it does.
    pub form: BendForm,
    /// Written for honest reasons so often that it is worth knowing and no more.
    pub mild: bool,
}

/// How a construct bends what a run of tests says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BendForm {
    /// Code around tests writes the result of a test or of the run.
    Outcome,
    /// A hook of the runner drops or skips what was collected, whatever it is.
    Selection,
    /// A check of the runner or of an assertion library is replaced by code that does not check.
    Replaced,
    /// Code around tests catches what they throw and lets nothing through.
    Swallowed,
    /// An equality that holds whatever is compared.
    Equal,
    /// Ends the process as a success, with all tests in it.
    Exit,
    /// Production code asks whether it runs in a test.
    Probe,
}

/// What a double was told to give back in a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Where it is told so.
    pub span: Span,
    /// What gives it, as the test would call it: `clock.now`, without its arguments.
    pub of: String,
    /// What it gives.
    pub value: Span,
}

/// A branch of production code that gives one literal for others: `if a == 2 and b == 3: return 5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The condition.
    pub span: Span,
    /// The literals that names are compared with.
    pub given: Vec<Span>,
    /// The literal that is given back.
    pub answer: Span,
}

/// The facts of one unit, without those of the units inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Local {
    /// Markers on or in the item.
    pub markers: Vec<Marker>,
    /// Stand-ins in it.
    pub stubs: Vec<Stub>,
    /// Comments in it.
    pub comments: Vec<Comment>,
    /// Suppressions in it.
    pub suppressions: Vec<Suppression>,
    /// Assertions in it.
    pub assertions: Vec<Assertion>,
    /// Stretches in which checks may count for less.
    pub regions: Vec<Region>,
    /// On which terms it runs.
    pub terms: Vec<Term>,
    /// What bends the run of tests.
    pub bends: Vec<Bend>,
    /// What doubles were told to give back.
    pub answers: Vec<Answer>,
    /// Branches that give one literal for others.
    pub cases: Vec<Case>,
    /// Digests of the examples in documentation that a runner executes (doc tests).
    pub examples: Vec<u64>,
    /// Names of groups that are run from here (a suite that nobody runs is disabled).
    pub registrations: Vec<String>,
    /// ERROR and MISSING nodes.
    pub broken: Vec<Span>,
}
