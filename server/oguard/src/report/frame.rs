//! The code frame of a finding: the edited line with carets, and below it what the base said.

use super::Style;
use oguard_engine::finding::{Finding, Level};

/// Widest line that is shown, in characters: a minified line would hide the rest.
const WIDTH_MAX: usize = 160;

/// Most lines of the base that are shown: enough for an assertion or a small body.
const BASE_LINES_MAX: usize = 6;

/// Tabs are shown as this, so that carets stand where they should.
const TAB: &str = "    ";

/// Appends the frame of a finding.
pub(super) fn push(out: &mut String, finding: &Finding, style: Style) {
    let all: Vec<&str> = finding.before.as_deref().map_or_else(Vec::new, |text| text.lines().collect());
    // A body often begins with the end of its head's line.
    let blank = all.iter().take_while(|line| line.trim().is_empty()).count();
    let base = &all[blank..];
    let base_line = finding.related.first().map_or(1, |r| r.place.line) + blank as u32;
    let last_base = base_line as usize + base.len().min(BASE_LINES_MAX);
    let gutter = finding.start.line.to_string().len().max(if base.is_empty() { 0 } else { last_base.to_string().len() }).max(3);
    if let Some(line) = finding.after.lines().next().filter(|l| !l.trim().is_empty()) {
        let number = finding.start.line;
        let shown = Shown::new(line, finding);
        out.push_str(&format!("  {} {}\n", style.dim(&format!("{number:>gutter$} |")), shown.text));
        if !shown.carets.is_empty() {
            let carets = match finding.level {
                Level::Block => style.block(&shown.carets),
                Level::Warn => style.warn(&shown.carets),
                Level::Info => style.bold(&shown.carets),
            };
            out.push_str(&format!("  {} {}{carets}\n", style.dim(&format!("{:>gutter$} |", "")), shown.before_carets));
        }
    }
    if base.is_empty() {
        return;
    }
    out.push_str(&format!("  {}\n", style.dim(&format!("{:>gutter$} | the base had:", ""))));
    for (index, line) in base.iter().take(BASE_LINES_MAX).enumerate() {
        let number = base_line as usize + index;
        let line = cut(&line.replace('\t', TAB));
        out.push_str(&format!("  {} {}\n", style.dim(&format!("{number:>gutter$} -")), line));
    }
    if base.len() > BASE_LINES_MAX {
        let more = base.len() - BASE_LINES_MAX;
        out.push_str(&format!("  {}\n", style.dim(&format!("{:>gutter$} - … {more} more lines", ""))));
    }
}

struct Shown {
    text: String,
    before_carets: String,
    carets: String,
}

impl Shown {
    /// Expands tabs, cuts a long line around the finding, and places carets by characters.
    fn new(line: &str, finding: &Finding) -> Self {
        let from = (finding.start.column as usize).saturating_sub(1);
        let chars: Vec<char> = line.trim_start_matches('\u{feff}').chars().collect();
        let to = if finding.end.line == finding.start.line { (finding.end.column as usize).saturating_sub(1) } else { chars.len() };
        let (from, to) = (from.min(chars.len()), to.clamp(from.min(chars.len()), chars.len()));
        let cut_left = if from > WIDTH_MAX / 2 && chars.len() > WIDTH_MAX { from - WIDTH_MAX / 4 } else { 0 };
        let right = chars.len().min(cut_left + WIDTH_MAX);
        let expand = |range: std::ops::Range<usize>| -> String {
            chars.get(range).unwrap_or(&[]).iter().map(|c| if *c == '\t' { TAB.to_owned() } else { shown(*c) }).collect()
        };
        let lead = if cut_left > 0 { "…" } else { "" };
        let tail = if right < chars.len() { "…" } else { "" };
        let text = format!("{lead}{}{tail}", expand(cut_left..right));
        let before_carets = " ".repeat(lead.chars().count() + expand(cut_left..from).chars().count());
        let carets = "^".repeat(expand(from..to.min(right)).chars().count().max(usize::from(from < right)));
        Shown { text, before_carets, carets }
    }
}

/// Returns a text in which no control character is left: none must reach a terminal, or end a line of a report.
pub(crate) fn safe(text: &str) -> String {
    text.chars().map(shown).collect()
}

fn shown(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
}

fn cut(line: &str) -> String {
    let safe = safe(line);
    if safe.chars().count() <= WIDTH_MAX {
        return safe;
    }
    let mut short: String = safe.chars().take(WIDTH_MAX).collect();
    short.push('…');
    short
}
