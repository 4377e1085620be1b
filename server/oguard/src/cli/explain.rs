//! `oguard explain`: the page of a rule, or of a finding of the present change.

use super::output::print;
use crate::report::Style;
use anyhow::{Context, Result, bail};
use oguard_engine::rules::{RULES, Rule, by_name};

/// Explain a rule, or a finding of the present change by its id
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The name of a rule (`test-disabled`) or the id of a finding (`og1:…`)
    #[arg(value_name = "RULE|FINGERPRINT")]
    what: String,
}

const EXAMPLES: &str = "\
Examples:
  oguard explain test-disabled
  oguard explain og1:0123456789abcdef

An id is looked up in the present change (what `oguard check` judges).";

/// How an id begins.
const ID_PREFIX: &str = "og1:";

pub(super) fn run(args: &Args) -> Result<u8> {
    let style = Style::of_stdout();
    if let Some(rule) = by_name(&args.what) {
        print(&page(rule, style));
        return Ok(0);
    }
    if !args.what.starts_with(ID_PREFIX) {
        let names: Vec<&str> = RULES.iter().map(|r| r.id.0).collect();
        bail!("no rule `{}`; the rules are {}", args.what, names.join(", "));
    }
    let cwd = std::env::current_dir().context("the working directory is gone")?;
    let report = super::check::judge_work_tree(&cwd)?;
    let Some((file, finding)) = report.findings().find(|(_, finding)| finding.fingerprint == args.what) else {
        bail!(
            "no finding {} in the present change ({}); `oguard check --format json` lists what there is, with its ids",
            args.what,
            report.claim.compared.words
        );
    };
    let place = format!("{}:{}:{}", file.path, finding.start.line, finding.start.column);
    print(&format!(
        "{} {place}\n{}\nnext: {}\n\n{}",
        style.bold(&args.what),
        finding.message,
        finding.next_action,
        page(finding.rule, style)
    ));
    Ok(0)
}

/// Returns the page of a rule.
fn page(rule: &Rule, style: Style) -> String {
    let (language, wrong, right) = rule.example;
    let when = if rule.settled { "when an edit has settled (idle, save, check)" } else { "at once" };
    let mut page = format!("{}: {}\n\n", style.bold(rule.id.0), rule.summary);
    page.push_str(&format!("level    {} (a repository can set it in oguard.toml: [rules] {} = \"…\")\n", rule.level.name(), rule.id.0));
    page.push_str(&format!("judged   {when}\nversion  {}\n\n", rule.version));
    for (title, text) in [("Why", rule.why), ("What to do", rule.remedy), ("Limits", rule.limits)] {
        page.push_str(&format!("{}\n{}\n\n", style.bold(title), wrapped(text)));
    }
    page.push_str(&format!("{}\n{}\n", style.bold(&format!("Example ({language})")), indented("wrong", wrong)));
    page.push_str(&format!("{}\n", indented("right", right)));
    page
}

fn indented(label: &str, code: &str) -> String {
    let lines: Vec<String> = code.lines().enumerate().map(|(i, line)| format!("  {:<7}{line}", if i == 0 { label } else { "" })).collect();
    lines.join("\n")
}

/// Widest line of a page, in characters.
const WIDTH_MAX: usize = 96;

fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH_MAX {
            out.push('\n');
            width = 0;
        }
        out.push_str(if width == 0 { "  " } else { " " });
        out.push_str(word);
        width += length + 1;
    }
    out
}
