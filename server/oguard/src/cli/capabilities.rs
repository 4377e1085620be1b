//! `oguard capabilities`: which rule runs for which language, from the registries.

use super::output::{Plain, print};
use anyhow::{Context, Result};
use oguard_engine::grammars::{LANGUAGES, Language};
use oguard_engine::rules::RULES;
use serde::Serialize;
use std::collections::BTreeMap;

/// Print which rule runs for which language
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How the matrix looks
    #[arg(long, value_enum, default_value_t = Plain::Text)]
    format: Plain,
}

#[derive(Serialize)]
struct Capabilities {
    schema: &'static str,
    version: &'static str,
    languages: Vec<LanguageRow>,
    rules: Vec<RuleRow>,
    matrix: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
}

#[derive(Serialize)]
struct LanguageRow {
    id: &'static str,
    extensions: Vec<&'static str>,
}

#[derive(Serialize)]
struct RuleRow {
    id: &'static str,
    version: u32,
    level: &'static str,
    summary: &'static str,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    match args.format {
        Plain::Text => print(&text()),
        Plain::Json => {
            let mut text = serde_json::to_string_pretty(&capabilities()).context("the matrix cannot be written as JSON")?;
            text.push('\n');
            print(&text);
        }
    }
    Ok(0)
}

/// Every rule is a function of facts, and every language of this build emits them.
const SUPPORTED: &str = "supported";

fn capabilities() -> Capabilities {
    let languages = LANGUAGES.iter().map(|l| LanguageRow { id: l.id, extensions: l.extensions.to_vec() }).collect();
    let rules = RULES.iter().map(|r| RuleRow { id: r.id.0, version: r.version, level: r.level.name(), summary: r.summary }).collect();
    let row = || LANGUAGES.iter().map(|l| (l.id, SUPPORTED)).collect();
    let matrix = RULES.iter().map(|r| (r.id.0, row())).collect();
    Capabilities { schema: "oguard.capabilities/1", version: env!("CARGO_PKG_VERSION"), languages, rules, matrix }
}

fn text() -> String {
    let first = RULES.iter().map(|r| r.id.0.len()).max().unwrap_or(0);
    let width = |language: &Language| language.id.len().max(3);
    let mut out = format!("{:first$}", "");
    for language in LANGUAGES {
        out.push_str(&format!("  {:w$}", language.id, w = width(language)));
    }
    out = format!("{}\n", out.trim_end());
    for rule in RULES {
        out.push_str(&format!("{:first$}", rule.id.0));
        for language in LANGUAGES {
            out.push_str(&format!("  {:w$}", "yes", w = width(language)));
        }
        out = format!("{}\n", out.trim_end());
    }
    out.push_str("\nextensions:\n");
    for language in LANGUAGES {
        out.push_str(&format!("  {}: {}\n", language.id, language.extensions.join(" ")));
    }
    out.push_str("Files of any other kind are named as not evaluated.\n");
    out
}
