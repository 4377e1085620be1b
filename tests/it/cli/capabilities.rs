//! `oguard capabilities`, `oguard completions` and `--help`: what the program says of itself.

use super::repo::run_in;
use oguard_engine::grammars::LANGUAGES;
use oguard_engine::rules::RULES;

#[test]
fn the_matrix_is_that_of_the_registries() {
    let temp = tempfile::tempdir().unwrap();
    let matrix = run_in(temp.path(), &["capabilities", "--format", "json"]).json();
    for rule in RULES {
        for language in LANGUAGES {
            assert_eq!(matrix["matrix"][rule.id.0][language.id], "supported", "{} {}", rule.id.0, language.id);
        }
    }
    let text = run_in(temp.path(), &["capabilities"]).stdout;
    assert!(RULES.iter().all(|r| text.contains(r.id.0)) && LANGUAGES.iter().all(|l| text.contains(l.id)), "{text}");
}

#[test]
fn shells_complete_the_commands() {
    let temp = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run_in(temp.path(), &["completions", shell]);
        assert!(run.code == 0 && run.stdout.contains("capabilities"), "{shell}");
    }
}

#[test]
fn help_teaches_by_example_and_usage_errors_exit_2() {
    let temp = tempfile::tempdir().unwrap();
    let help = run_in(temp.path(), &["check", "--help"]);
    assert_eq!(help.code, 0);
    assert!(help.stdout.contains("oguard check --base origin/main") && help.stdout.contains("Exit codes"), "{}", help.stdout);
    assert_eq!(run_in(temp.path(), &["chekc"]).code, 2);
    assert_eq!(run_in(temp.path(), &["check", "--staged", "--head", "HEAD"]).code, 2);
}
