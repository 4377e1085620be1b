//! Golden ids: a change of tokens or of the algorithm shows here, and must raise the version in front of the id.
//!
//! `UPDATE_EXPECT=1` rewrites `fixtures/fingerprints.txt`; read the difference before committing it.

use crate::texts::{SAMPLES, document};
use oguard_engine::check::check;
use oguard_engine::settings::Settings;
use std::path::Path;

#[test]
fn ids_are_those_of_the_golden_file() {
    let mut lines = Vec::new();
    for (path, text) in SAMPLES {
        for finding in check(&document(path, text), path, None, &Settings::default()).findings {
            lines.push(format!("{} {} {path} {}", finding.fingerprint, finding.rule.id.0, finding.tokens));
        }
    }
    let now = lines.join("\n") + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fingerprints.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &now).expect("the golden file is writable");
    }
    let golden = std::fs::read_to_string(&file).expect("the golden file is there");
    assert_eq!(golden, now, "an id changed: stored exceptions and reports would no longer find it");
}
