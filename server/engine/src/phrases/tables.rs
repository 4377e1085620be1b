//! The phrases of seven human languages, one file each.

mod chinese;
mod english;
mod english_stubs;
mod french;
mod german;
mod japanese;
mod portuguese;
mod spanish;

use super::row::Language;

/// All tables. The index names them by their place.
pub(super) const LANGUAGES: &[&Language] = &[
    &english::LANGUAGE,
    &english_stubs::LANGUAGE,
    &spanish::LANGUAGE,
    &portuguese::LANGUAGE,
    &german::LANGUAGE,
    &french::LANGUAGE,
    &chinese::LANGUAGE,
    &japanese::LANGUAGE,
];
