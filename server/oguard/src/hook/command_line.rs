//! The command that a host's settings call us by: written so that every shell of a host takes it, known again when it is ours.

use std::path::{Path, PathBuf};

/// The name of the program.
const PROGRAM: &str = "oguard";

/// Returns how the program that runs now is called: by name where the search path finds this very file by it, so that
/// settings can be shared; else by its place.
pub(super) fn program() -> String {
    let Ok(own) = std::env::current_exe() else { return PROGRAM.to_owned() };
    if found_by_name(&own) { PROGRAM.to_owned() } else { quoted(&own.to_string_lossy(), cfg!(windows)) }
}

fn found_by_name(own: &Path) -> bool {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&paths).map(|folder| folder.join(&name)).find(|file| file.is_file());
    let real = |path: PathBuf| path.canonicalize().ok();
    first.and_then(real).is_some_and(|first| Some(first) == real(own.to_owned()))
}

/// Returns a path as a word of a shell. On Windows hosts call Git Bash, PowerShell or cmd: all take slashes and double quotes.
fn quoted(path: &str, windows: bool) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if windows {
        let path = path.strip_prefix(r"\\?\").unwrap_or(path).replace('\\', "/");
        return if path.chars().all(plain) { path } else { format!("\"{path}\"") };
    }
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Whether a command calls our hook for a host, from whatever place: by the program's name, or by the one that runs now.
pub(super) fn is_ours(command: &str, host: &str) -> bool {
    let Some(program) = command.trim().strip_suffix(host).and_then(|rest| rest.trim_end().strip_suffix("hook")) else { return false };
    if !program.ends_with([' ', '\t']) {
        return false;
    }
    let program = program.trim().trim_matches(['"', '\'']);
    let name = name(program);
    name == PROGRAM || std::env::current_exe().is_ok_and(|own| name == self::name(&own.to_string_lossy()))
}

/// Returns the name of a program as it is compared: without folder, `.exe` and case.
fn name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(quoted("/opt/oguard", false), "/opt/oguard");
        assert_eq!(quoted("/my tools/o'guard", false), r"'/my tools/o'\''guard'");
        assert_eq!(quoted("/a$(x)/oguard", false), "'/a$(x)/oguard'");
        assert_eq!(quoted(r"C:\Tools\oguard.exe", true), "C:/Tools/oguard.exe");
        assert_eq!(quoted(r"\\?\C:\Program Files\oguard.exe", true), "\"C:/Program Files/oguard.exe\"");
    }

    #[test]
    fn ours_is_known_from_any_place() {
        for command in [
            "oguard hook claude",
            "  /opt/x/oguard hook claude ",
            "'/my tools/oguard' hook claude",
            "\"C:/Program Files/oguard.exe\" hook claude",
            r"C:\Tools\OGUARD.EXE hook claude",
        ] {
            assert!(is_ours(command, "claude"), "{command}");
        }
        for command in [
            "oguard hook codex",
            "my-oguard hook claude",
            "oguard unhook claude",
            "oguardhook claude",
            "echo hook claude",
            "",
            "hook claude",
        ] {
            assert!(!is_ours(command, "claude"), "{command}");
        }
    }
}
