//! Git's pre-commit script: a block of ours, marked, before whatever else the script does.
//!
//! A script in another language cannot hold the block; then the refusal says what to add by hand.

use super::super::command_line;
use super::State;
use std::path::Path;

const BEGIN: &str = "# oguard: begin (`oguard hook uninstall git` takes this out)";

/// In a script that is ours alone, so that it goes as a whole.
const BEGIN_OWN: &str = "# oguard: begin (`oguard hook uninstall git` takes this file away)";

const END: &str = "# oguard: end";

const SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "ksh", "zsh"];

fn call(program: &str) -> String {
    format!("{program} hook git || exit $?")
}

fn by_hand() -> String {
    format!("let it run `{}`", call("oguard"))
}

/// Says why a script must not be edited in place.
pub(super) fn fits(file: &Path) -> Result<(), String> {
    let Ok(kind) = std::fs::symlink_metadata(file) else { return Ok(()) };
    if kind.is_symlink() {
        return Err(format!("it is a link, and what it leads to is not git's alone; {}", by_hand()));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if kind.is_file() && kind.permissions().mode() & 0o111 == 0 {
            return Err("it is not executable, so git passes it over; make it so (`chmod +x`) or remove it".to_owned());
        }
    }
    Ok(())
}

/// Returns the script with our block.
pub(super) fn with(text: Option<&str>, program: &str) -> Result<String, String> {
    let Some(text) = text else { return Ok(format!("#!/bin/sh\n{BEGIN_OWN}\n{}\n{END}\n", call(program))) };
    if let Some((start, end)) = block(text) {
        let own = text[start..].starts_with(BEGIN_OWN);
        let newline = newline(text);
        let begin = if own { BEGIN_OWN } else { BEGIN };
        return Ok(format!("{}{begin}{newline}{}{newline}{END}{newline}{}", &text[..start], call(program), &text[end..]));
    }
    if calls_by_hand(text) {
        return Ok(text.to_owned());
    }
    let first = text.lines().next().unwrap_or("");
    if !is_shell(first) {
        return Err(format!("it is no shell script; {}", by_hand()));
    }
    let newline = newline(text);
    let (head, rest) = match text.split_once('\n') {
        Some((head, rest)) => (format!("{head}\n"), rest),
        None => return Err(format!("it is a first line without an end; {}", by_hand())),
    };
    Ok(format!("{head}{BEGIN}{newline}{}{newline}{END}{newline}{rest}", call(program)))
}

/// Returns the script without our block; none where nothing else was in it.
pub(super) fn without(text: &str) -> Option<String> {
    let Some((start, end)) = block(text) else { return Some(text.to_owned()) };
    let own = text[start..].starts_with(BEGIN_OWN) && &text[..start] == "#!/bin/sh\n" && text[end..].is_empty();
    (!own).then(|| format!("{}{}", &text[..start], &text[end..]))
}

/// Says how the script stands.
pub(super) fn state(text: &str, program: &str) -> State {
    match block(text) {
        Some((start, end)) if text[start..end].lines().any(|line| line == call(program)) => State::Installed,
        Some(_) => State::Partly,
        None if calls_by_hand(text) => State::Installed,
        None => State::Absent,
    }
}

/// Returns the bytes of our block, whole lines.
fn block(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut start = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if start.is_none() && (bare == BEGIN || bare == BEGIN_OWN) {
            start = Some(at);
        }
        at += line.len();
        if bare == END
            && let Some(start) = start
        {
            return Some((start, at));
        }
    }
    None
}

fn calls_by_hand(text: &str) -> bool {
    text.lines().map(str::trim).filter(|line| !line.starts_with('#')).any(|line| {
        let command = line.split(['|', '&', ';']).next().unwrap_or("");
        command_line::is_ours(command.trim().trim_start_matches("exec "), "git")
    })
}

fn is_shell(first: &str) -> bool {
    let Some(rest) = first.trim_end().strip_prefix("#!") else { return false };
    let mut words = rest.split_whitespace();
    let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let mut program = words.next().map(name).unwrap_or_default();
    if program == "env" {
        program = words.find(|word| !word.starts_with('-')).map(name).unwrap_or_default();
    }
    SHELLS.contains(&program.as_str())
}

fn newline(text: &str) -> &'static str {
    if text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_comes_back_byte_for_byte() {
        for text in
            ["#!/bin/sh\n", "#!/bin/sh\nmake lint\n", "#!/usr/bin/env -S bash\nmake lint", "#!/bin/bash -e\r\nmake\r\n", "#!/bin/sh\n\n\n"]
        {
            let with_us = with(Some(text), "oguard").unwrap();
            assert!(with_us.contains("oguard hook git || exit $?"), "{with_us}");
            assert_eq!(state(&with_us, "oguard"), State::Installed);
            assert_eq!(with(Some(&with_us), "oguard").unwrap(), with_us, "once is enough");
            assert_eq!(without(&with_us).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_script_of_our_own_goes_unless_something_was_added() {
        let ours = with(None, "oguard").unwrap();
        assert_eq!(without(&ours), None);
        assert_eq!(without(&format!("{ours}make lint\n")).unwrap(), "#!/bin/sh\nmake lint\n");
        assert_eq!(with(Some(&ours), "oguard").unwrap(), ours);
    }

    #[test]
    fn another_place_of_the_program_is_put_right() {
        let old = with(Some("#!/bin/sh\nmake\n"), "/old/oguard").unwrap();
        assert_eq!(state(&old, "oguard"), State::Partly);
        assert_eq!(with(Some(&old), "oguard").unwrap(), with(Some("#!/bin/sh\nmake\n"), "oguard").unwrap());
    }

    #[test]
    fn what_calls_us_by_hand_stays() {
        for text in ["#!/bin/sh\nexec oguard hook git\n", "#!/bin/sh\n/opt/oguard hook git || exit 1\n"] {
            assert_eq!(with(Some(text), "oguard").unwrap(), text);
            assert_eq!(without(text).as_deref(), Some(text));
        }
        assert_eq!(state("#!/bin/sh\n# oguard hook git\n", "oguard"), State::Absent);
    }

    #[test]
    fn other_languages_are_refused_with_the_line_to_add() {
        for text in ["#!/usr/bin/env python3\nprint()\n", "\u{7f}ELF", "make lint\n", "#!/bin/sh"] {
            assert!(with(Some(text), "oguard").unwrap_err().contains("oguard hook git || exit $?"), "{text}");
        }
    }
}
