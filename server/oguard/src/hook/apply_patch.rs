//! The patches of Codex, `*** Begin Patch … *** End Patch`: which files one touches.
//!
//! The texts are not taken from the patch: by the time a hook is called, the files on disk are what it made of them.

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// Lines that name a file, old or new.
const HEADS: &[&str] = &["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// Returns the paths that a patch names, as it names them; none where it is no patch or names no file.
///
/// Models wrap patches in blanks and heredocs, and the host takes them, so lines before the beginning and after the end do not
/// count. Lines of a text begin with a blank, a plus or a minus, so that no text can look like a head.
pub(super) fn paths(patch: &str) -> Option<Vec<String>> {
    let mut lines = patch.lines().map(|line| line.trim_end());
    lines.by_ref().find(|line| line.trim_start() == BEGIN)?;
    let mut paths: Vec<String> = Vec::new();
    for line in lines.take_while(|line| *line != END) {
        let Some(path) = HEADS.iter().find_map(|head| line.strip_prefix(head)) else { continue };
        let path = path.trim();
        if !path.is_empty() && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    (!paths.is_empty()).then_some(paths)
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn each_kind_of_change_names_its_files() {
        let patch = "*** Begin Patch\n*** Add File: new file.py\n+x\n*** Update File: src/a.py\n*** Move to: src/b.py\n@@ def f():\n-a\n+b\n\
                     *** End of File\n*** Delete File: old.py\n*** End Patch\n";
        assert_eq!(paths(patch).unwrap(), ["new file.py", "src/a.py", "src/b.py", "old.py"]);
    }

    #[test]
    fn texts_are_no_heads() {
        let patch = "*** Begin Patch\n*** Update File: a.md\n@@\n *** Add File: b.py\n+*** Delete File: c.py\n-*** Move to: d.py\n*** End Patch\n\
                     *** Add File: e.py\n";
        assert_eq!(paths(patch).unwrap(), ["a.md"]);
    }

    #[test]
    fn wrapped_patches_and_odd_line_ends_are_read() {
        let patch = "apply_patch <<'EOF'\r\n  *** Begin Patch\r\n*** Update File: a.py\r\n@@\r\n-a\r\n*** End Patch\r\nEOF\r\n";
        assert_eq!(paths(patch).unwrap(), ["a.py"]);
        assert_eq!(paths("*** Begin Patch\n*** Update File: a.py\n*** Update File: a.py\n").unwrap(), ["a.py"]);
    }

    #[test]
    fn what_is_no_patch_names_nothing() {
        for text in ["", "*** Update File: a.py\n", "*** Begin Patch\n*** End Patch\n", "*** Begin Patch\n*** Update File: \n"] {
            assert_eq!(paths(text), None, "{text:?}");
        }
    }
}
