//! Codex's hooks: Claude Code's shape, with edits that come as patches.
//!
//! A block after a tool takes the place of the tool's output, so an answer to a command says that it ran. A patch given
//! through the shell calls no hook; the next event that reads the tree sees it.

use super::apply_patch;
use super::claude;
use super::{Event, Question, Reply};
use serde_json::Value;
use std::path::Path;

/// The tools after which `install` has the guard called.
pub(super) const MATCHER: &str = "apply_patch|Edit|Write|Bash|mcp__.*";

/// Said with a block after a command, whose output the model does not see.
const OUTPUT_HIDDEN: &str = "oguard: the command ran, and what it changed stays; its output is not shown here";

/// Returns what the host asks.
pub(super) fn question(input: &Value) -> Result<Question, &'static str> {
    claude::read(input, tool)
}

fn tool(name: &str, input: &Value, folder: &Path) -> Event {
    // A patch that cannot be read was applied all the same, so the tree is read again.
    let patch = input.get("command").or_else(|| input.get("input")).and_then(Value::as_str);
    match (name, patch.and_then(apply_patch::paths)) {
        ("apply_patch", Some(paths)) => Event::Edited(paths.iter().map(|path| folder.join(path)).collect()),
        ("update_plan" | "view_image" | "web_search", _) => Event::Other,
        _ => Event::Ran,
    }
}

/// Returns the answer; none is silence.
pub(super) fn reply(event: &Event, reply: &Reply) -> Option<Value> {
    if *event == Event::Ran && !reply.block.is_empty() {
        let mut said = reply.clone();
        said.block.push(OUTPUT_HIDDEN.to_owned());
        return claude::reply(event, &said);
    }
    claude::reply(event, reply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_patch_is_an_edit_of_its_files() {
        let event = |name: &str, tool_input: Value| {
            let input = json!({"hook_event_name": "PostToolUse", "cwd": "/w/sub", "tool_name": name, "tool_input": tool_input});
            question(&input).unwrap().event
        };
        let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n";
        assert_eq!(event("apply_patch", json!({"command": patch})), Event::Edited(vec!["/w/sub/a.py".into()]));
        assert_eq!(event("apply_patch", json!({"command": "no patch"})), Event::Ran);
        assert_eq!(event("apply_patch", json!({})), Event::Ran);
        assert_eq!(event("Bash", json!({"command": patch})), Event::Ran, "a shell may do more than the patch");
        assert_eq!(event("update_plan", json!({})), Event::Other);
    }

    #[test]
    fn a_block_after_a_command_says_that_it_ran() {
        let said = Reply { block: vec!["a".into()], ..Reply::default() };
        assert_eq!(reply(&Event::Ran, &said).unwrap()["reason"], format!("a\n{OUTPUT_HIDDEN}"));
        assert_eq!(reply(&Event::Edited(Vec::new()), &said).unwrap()["reason"], "a");
    }
}
