//! Build constraints of Go: a custom tag takes a file of tests out of every ordinary run (rules-a.md D11).

use crate::facts::{Condition, Edit, Effect, Marker, OnNew};
use crate::visit::Visit;
use tree_sitter::Node;

/// Operating systems; a build is for one of them.
const SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];

/// Systems that also are the other one.
const IS_ALSO: &[(&str, &str)] = &[("android", "linux"), ("ios", "darwin"), ("illumos", "solaris")];

/// Systems that are no `unix`.
const NOT_UNIX: &[&str] = &["js", "nacl", "plan9", "wasip1", "windows", "zos"];

/// Processors; a build is for one of them.
const PROCESSORS: &[&str] = &[
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// Other terms that describe the platform or the toolchain, not a choice of the project; each may hold beside any other.
const TOOLCHAIN: &[&str] = &["unix", "cgo", "race", "msan", "asan", "gc", "gccgo", "tinygo", "boringcrypto"];

/// Whether a comment is a build constraint by its first words.
pub(super) fn is_constraint(comment: &str) -> bool {
    comment.starts_with("//go:build ") || comment.starts_with("// +build ")
}

/// Emits the marker of a build constraint above the package clause of a test file.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let comment = text[node.byte_range()].trim_end();
    if !is_constraint(comment) || visit.frames.len() > 1 {
        return;
    }
    let head = &text[..node.start_byte()];
    let above = head.lines().all(|line| line.trim().trim_start_matches('\u{feff}').is_empty() || line.starts_with("//"));
    if !above {
        return;
    }
    let (source, old) = match comment.strip_prefix("//go:build ") {
        Some(source) => (source, false),
        // The old form beside the new one says the same.
        None if head.contains("//go:build ") => return,
        None => (comment.trim_start_matches("// +build "), true),
    };
    let mut reader = Reader { source, at: 0, old, custom: Vec::new(), free: Vec::new(), world: None };
    let holds = reader.any();
    let contradicts = reader.custom.is_empty() && is_contradiction(source, old, &reader.free);
    let condition = match holds {
        _ if contradicts => Condition::Always,
        _ if reader.custom.is_empty() => return,
        Some(false) => Condition::Always,
        _ if reader.custom.iter().all(|tag| tag.eq_ignore_ascii_case("ci")) => Condition::Ci,
        _ => Condition::Runtime,
    };
    let span = visit.span_of(node.start_byte(), node.start_byte() + comment.len());
    let mut marker = Marker::new(Effect::Disabled, span);
    marker.condition = condition;
    // A tag of the project's own is how a suite is made opt in; what no build satisfies is not.
    marker.on_new = if contradicts { OnNew::Report } else { OnNew::Silent };
    marker.whole_file = true;
    marker.removal = vec![Edit { span, text: String::new() }];
    visit.out.markers.push(marker);
}

/// Terms of the toolchain in one constraint up to which every choice of them is tried.
const FREE_MAX: usize = 4;

/// Whether no build whatever satisfies a constraint without custom tags: `linux && windows`.
fn is_contradiction(source: &str, old: bool, free: &[&str]) -> bool {
    let mut free = free.to_vec();
    free.sort_unstable();
    free.dedup();
    if free.len() > FREE_MAX {
        return false;
    }
    // A processor that is not named stands for all that are not.
    let named = PROCESSORS.iter().copied().filter(|p| source.contains(p)).chain([""]);
    let mut worlds =
        named.flat_map(|processor| SYSTEMS.iter().flat_map(move |system| (0..1u32 << FREE_MAX).map(move |set| (*system, processor, set))));
    !worlds.any(|(system, processor, set)| {
        let world = World { system, processor, free: &free, set };
        set >> free.len() == 0
            && Reader { source, at: 0, old, custom: Vec::new(), free: Vec::new(), world: Some(&world) }.any() != Some(false)
    })
}

/// A build that could be.
struct World<'a> {
    system: &'a str,
    processor: &'a str,
    free: &'a [&'a str],
    /// Which of the free terms hold, by bits.
    set: u32,
}

impl World<'_> {
    fn holds(&self, tag: &str) -> bool {
        tag == self.system
            || tag == self.processor
            || IS_ALSO.contains(&(self.system, tag))
            || (tag == "unix" && !NOT_UNIX.contains(&self.system))
            || self.free.iter().position(|t| *t == tag).is_some_and(|at| self.set >> at & 1 == 1)
    }
}

/// Reads a constraint in an ordinary run: custom tags are not set, platforms are unknown, unless a world is given.
struct Reader<'a> {
    source: &'a str,
    at: usize,
    /// The form `// +build`: blanks are alternatives, commas join.
    old: bool,
    custom: Vec<&'a str>,
    /// Terms of the toolchain.
    free: Vec<&'a str>,
    world: Option<&'a World<'a>>,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        let blanks = |c: char| c.is_whitespace() && !self.old;
        self.at += self.source[self.at..].find(|c: char| !blanks(c)).unwrap_or(self.source.len() - self.at);
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        let found = self.source[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn any(&mut self) -> Option<bool> {
        let mut value = self.all();
        while self.eat(if self.old { " " } else { "||" }) {
            value = match (value, self.all()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), other) | (other, Some(false)) => other,
                (None, None) => None,
            };
        }
        value
    }

    fn all(&mut self) -> Option<bool> {
        let mut value = self.term();
        while self.eat(if self.old { "," } else { "&&" }) {
            value = match (value, self.term()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) | (other, Some(true)) => other,
                (None, None) => None,
            };
        }
        value
    }

    fn term(&mut self) -> Option<bool> {
        let mut negated = false;
        while self.eat("!") {
            negated = !negated;
        }
        let value = if self.eat("(") {
            let inner = self.any();
            self.eat(")");
            inner
        } else {
            let rest = &self.source[self.at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            self.at += end;
            self.tag(&rest[..end])
        };
        value.map(|v| v != negated)
    }

    fn tag(&mut self, tag: &'a str) -> Option<bool> {
        let of_toolchain = TOOLCHAIN.contains(&tag) || tag.starts_with("go1.") || tag.starts_with("goexperiment.");
        if of_toolchain && tag != "unix" {
            self.free.push(tag);
        }
        if tag.is_empty() || of_toolchain || SYSTEMS.contains(&tag) || PROCESSORS.contains(&tag) {
            return self.world.filter(|_| !tag.is_empty()).map(|world| world.holds(tag));
        }
        self.custom.push(tag);
        Some(false)
    }
}
