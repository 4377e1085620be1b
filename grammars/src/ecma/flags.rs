//! Bits that an item hands to the visits of what is inside it (`Item::flags`).
//!
//! A fact of a unit may depend on what is around it only through these: they are part of the key under which units are
//! reused after an edit.

/// The first parameter of the callback is destructured and takes `skip` out of the test's context.
pub(super) const TAKES_SKIP: u32 = 1;
/// The class is abstract, or is named as a base of others.
pub(super) const BASE_CLASS: u32 = 1 << 1;
/// The class or object is named as one that does nothing by design.
pub(super) const NULL_OBJECT: u32 = 1 << 2;
/// Inside, `test` is no runner's; likewise the next two.
pub(super) const HIDES_TEST: u32 = 1 << 3;
pub(super) const HIDES_IT: u32 = 1 << 4;
pub(super) const HIDES_DESCRIBE: u32 = 1 << 5;
/// A word that is a common name (`context`, `suite`) is bound to something else inside.
pub(super) const HIDES_COMMON: u32 = 1 << 11;
/// Any other word of a runner is.
pub(super) const HIDES_OTHER: u32 = 1 << 6;
/// The inside is reached under a condition evaluated at run time.
pub(super) const GUARD_RUNTIME: u32 = 1 << 7;
/// The inside is reached in CI only.
pub(super) const GUARD_CI: u32 = 1 << 8;
/// The inside is reached everywhere but in CI.
pub(super) const GUARD_ELSEWHERE: u32 = 1 << 9;
/// The guard is the way that its `if`, the frame around it, does not take.
pub(super) const IS_ELSE: u32 = 1 << 10;
/// The guard has no other way on: what it holds would not run otherwise either.
pub(super) const ONE_WAY: u32 = 1 << 12;

const NAME_SHIFT: u32 = 13;

/// First parameter of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter<'a> {
    None,
    Named(&'a str),
    /// Destructured; whether `skip` is among its names.
    Pattern {
        takes_skip: bool,
    },
}

/// Returns 19 bits of a name; never zero.
pub(super) fn of_name(name: &str) -> u32 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ((hash ^ (hash >> 19)) & 0x0007_ffff).max(1)
}

/// Returns the flags of a test, group or hook from its callback's first parameter.
pub(super) fn of_callback(parameter: Parameter<'_>) -> u32 {
    match parameter {
        Parameter::None => 0,
        Parameter::Named(name) => of_name(name) << NAME_SHIFT,
        Parameter::Pattern { takes_skip } => u32::from(takes_skip) * TAKES_SKIP,
    }
}

/// Returns the bits of the first parameter's name; zero where it has none.
pub(super) fn first_parameter(flags: u32) -> u32 {
    flags >> NAME_SHIFT
}
