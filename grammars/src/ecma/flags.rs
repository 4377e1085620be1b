//! Bits that an item hands to the visits of what is inside it (`Item::flags`).

/// The first parameter of the callback is destructured and takes `skip` out of the test's context.
pub(super) const TAKES_SKIP: u32 = 1;
/// The class is abstract, or is named as a base of others.
pub(super) const BASE_CLASS: u32 = 1 << 1;
/// The class or object is named as one that does nothing by design.
pub(super) const NULL_OBJECT: u32 = 1 << 2;

const NAME_SHIFT: u32 = 8;

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

/// Returns 24 bits of a name; never zero.
pub(super) fn of_name(name: &str) -> u32 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ((hash ^ (hash >> 24)) & 0x00ff_ffff).max(1)
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
