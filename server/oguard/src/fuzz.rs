//! Properties of what comes from outside, tried with random input for as long as one likes.
//!
//! The tests stand beside what they try (`fuzz.rs` in `lsp/frames/`, `session/document/`, `patch/`). An ordinary run takes a
//! few seconds of each; `OGUARD_FUZZ_SECONDS` makes it as many as it says. A failure prints the smallest input that shows it.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::time::{Duration, Instant};

/// How long an ordinary run tries each property, in seconds.
const SECONDS: u64 = 2;

/// Tries a property until the time is over, and once at least.
pub(crate) fn for_a_while<S: Strategy>(strategy: S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seconds = std::env::var("OGUARD_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(SECONDS);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut cases = 0_u64;
    loop {
        // A new runner has a new seed.
        let config = Config { cases: 128, failure_persistence: None, ..Config::default() };
        cases += u64::from(config.cases);
        if let Err(error) = TestRunner::new(config).run(&strategy, &property) {
            panic!("{error}");
        }
        if Instant::now() >= end {
            break;
        }
    }
    eprintln!("{cases} cases in {seconds} s");
}
