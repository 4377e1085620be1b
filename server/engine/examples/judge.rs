//! Development aid: judges labelled cases with the engine alone. `judge DIR LANG[,LANG] [ID]`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an aid that prints and may stop")]

use oguard_engine::check::{Baseline, check};
use oguard_engine::document::{Document, Parsers};
use oguard_engine::grammars::by_path;
use oguard_engine::settings::Settings;
use std::path::Path;

const RULES: &[&str] = &["syntax-error", "test-disabled", "test-focused", "stub-body", "placeholder-comment", "check-suppressed"];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (dir, langs, only) = (Path::new(&args[1]), &args[2], args.get(3));
    let (mut hits, mut misses, mut wrong, mut notes) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(dir.join("cases.jsonl")).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        if !langs.split(',').any(|l| case["lang"] == l) || only.is_some_and(|o| !id.starts_with(o.as_str())) {
            continue;
        }
        let path = case["path"].as_str().unwrap();
        let Some(language) = by_path(path) else { continue };
        let settings = Settings::default();
        let mut parsers = Parsers::default();
        let mut read = |name: &serde_json::Value, path: &str| {
            let text = String::from_utf8(std::fs::read(dir.join(name.as_str()?)).unwrap()).ok()?;
            let mut document = Document::new(language, path, text, &settings);
            document.read(&mut parsers, &mut || true);
            Some(document)
        };
        let Some(after) = read(&case["after"], path) else { continue };
        let base = read(&case["before"], case["before_path"].as_str().unwrap_or(path)).map(|d| Baseline::new(d, path));
        let checked = check(&after, path, base.as_ref(), &settings);
        let mut left: Vec<_> = checked.findings.iter().collect();
        if case["parses"] == false {
            left.retain(|f| f.rule.id.0 == "syntax-error");
        }
        if only.is_some() {
            for f in &left {
                println!("  {}:{} {} {:?} {} | {}", id, f.start.line, f.rule.id.0, f.level, f.message, f.fingerprint);
            }
        }
        for want in case["expect"].as_array().unwrap() {
            let rule = want["rule"].as_str().unwrap();
            if !RULES.contains(&rule) {
                continue;
            }
            let (low, high) = match want["accept"].as_array() {
                Some(a) => (a[0].as_i64(), a[1].as_i64()),
                None => (want["line"].as_i64(), want["line"].as_i64()),
            };
            let at = left.iter().position(|f| {
                f.rule.id.0 == rule
                    && (low.is_none()
                        || want["line_exact"] == false
                        || (i64::from(f.start.line) - 1 <= high.unwrap() && low.unwrap() <= i64::from(f.end.line.max(f.start.line)) + 1))
            });
            match at {
                Some(i) => {
                    hits += 1;
                    left.remove(i);
                }
                None => {
                    misses += 1;
                    println!("MISS  {id} {rule}:{} | {}", want["line"], case["why"].as_str().unwrap_or(""));
                }
            }
        }
        for f in left {
            if case["allow"].as_array().is_some_and(|a| a.iter().any(|r| r["rule"] == f.rule.id.0)) {
                continue;
            }
            if f.level == oguard_engine::finding::Level::Info {
                notes += 1;
                println!("note  {id} {}:{} {}", f.rule.id.0, f.start.line, f.message);
            } else {
                wrong += 1;
                println!("FALSE {id} {}:{} {} | {}", f.rule.id.0, f.start.line, f.message, case["why"].as_str().unwrap_or(""));
            }
        }
    }
    println!("hits {hits} misses {misses} false {wrong} notes {notes}");
}
