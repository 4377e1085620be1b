//! JavaScript, TypeScript and TSX: their rows and their one adapter.
//!
//! This file says which node kinds are looked at and sends them on: `tests.rs` opens tests, groups and hooks,
//! `functions.rs` functions and classes, `guards.rs` and `shadows.rs` what decides over those inside; `markers.rs`, `dead.rs`, `silenced.rs`,
//! `assertions.rs`, `bends.rs`, `cases.rs`, `stubs.rs` and `casts.rs` read what stands inside.
//! `frameworks.rs` holds the words of the runners, `scope.rs` what a file's top level binds them to.

mod assertions;
mod bends;
mod cases;
mod casts;
mod chain;
mod claims;
mod comments;
mod constants;
mod dead;
mod flags;
mod frameworks;
mod functions;
mod guards;
mod markers;
mod regions;
mod scope;
mod shadows;
mod silenced;
mod stubs;
mod terms;
mod tests;

use crate::Language;
use crate::checks::{Check, Parts};
use crate::facts::{Item, ItemKind, Span};
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use chain::{callback, root_of, slice, statement_call, title};
use tree_sitter::Node;

const TEST_PATHS: &[&str] =
    &["**/*.{test,spec,cy,e2e,test-d}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/{__tests__,test,tests,spec,e2e,cypress}/**"];

/// Every runner has its own patterns, and most projects set them: whatever is named or placed like a test may be one.
const COLLECTED: &[&str] = &[
    "**/*{test,Test,tests,Tests,spec,Spec,specs,Specs,cy,e2e,test-d,bench}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
    "**/{test-,test_,test.}*",
    "**/{__tests__,test,tests,spec,specs,e2e,cypress}/**",
];

const CONFIGURING: &[&str] = &[
    "**/*.{config,conf,setup,workspace,rc}*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
    "**/.*rc.{js,mjs,cjs,ts}",
    "**/{config,configs,scripts,build,tools,playground,playgrounds,demo,demos,.storybook}/**",
    "**/{config,env,environment,gulpfile,Gruntfile,setup,rollup,webpack}*.{js,mjs,cjs,ts,mts,cts}",
];

/// Joins names of groups and tests, as the runners print them.
const SEPARATOR: &str = " > ";

const ROLES: &[(&str, u8)] = &[
    ("comment", role::COMMENT),
    ("string", role::LEAF),
    ("regex", role::LEAF),
    ("expression_statement", role::ITEM | role::VISIT),
    ("call_expression", role::ITEM | role::VISIT | role::CALL),
    ("new_expression", role::CALL),
    ("function_declaration", role::ITEM | role::VISIT),
    ("generator_function_declaration", role::ITEM),
    ("method_definition", role::ITEM),
    ("variable_declarator", role::ITEM | role::VISIT),
    ("pair", role::ITEM),
    ("field_definition", role::ITEM),
    ("public_field_definition", role::ITEM),
    ("assignment_expression", role::ITEM | role::VISIT),
    ("export_statement", role::ITEM),
    ("class_declaration", role::ITEM),
    ("abstract_class_declaration", role::ITEM),
    ("class", role::ITEM),
    ("internal_module", role::ITEM),
    ("module", role::ITEM),
    ("if_statement", role::ITEM | role::VISIT | role::BRANCH),
    ("ternary_expression", role::BRANCH),
    ("switch_statement", role::BRANCH),
    ("for_statement", role::VISIT | role::BRANCH),
    ("for_in_statement", role::ITEM | role::VISIT | role::BRANCH),
    ("else_clause", role::ITEM),
    ("catch_clause", role::ITEM),
    ("switch_case", role::ITEM),
    ("switch_default", role::ITEM),
    ("while_statement", role::VISIT | role::BRANCH),
    ("do_statement", role::BRANCH),
    ("try_statement", role::VISIT | role::BRANCH),
    ("throw_statement", role::VISIT),
    ("member_expression", role::VISIT),
    ("subscript_expression", role::VISIT),
    ("as_expression", role::VISIT),
    ("type_assertion", role::VISIT),
    ("unary_expression", role::VISIT),
];

/// JavaScript and JSX.
pub(crate) static JAVASCRIPT: Language = Language {
    id: "javascript",
    lsp_ids: &["javascript", "javascriptreact"],
    extensions: &["js", "mjs", "cjs", "jsx"],
    test_paths: TEST_PATHS,
    collected: COLLECTED,
    passed_over: &[],
    configuring: CONFIGURING,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    node_kind_count: 265,
    roles: ROLES,
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: SEPARATOR,
    adapter: &Ecma,
};
/// TypeScript.
pub(crate) static TYPESCRIPT: Language = Language {
    id: "typescript",
    lsp_ids: &["typescript"],
    extensions: &["ts", "mts", "cts"],
    test_paths: TEST_PATHS,
    collected: COLLECTED,
    passed_over: &[],
    configuring: CONFIGURING,
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    node_kind_count: 383,
    roles: ROLES,
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: SEPARATOR,
    adapter: &Ecma,
};
/// TypeScript with JSX.
pub(crate) static TSX: Language = Language {
    id: "typescriptreact",
    lsp_ids: &["typescriptreact"],
    extensions: &["tsx"],
    test_paths: TEST_PATHS,
    collected: COLLECTED,
    passed_over: &[],
    configuring: CONFIGURING,
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    node_kind_count: 400,
    roles: ROLES,
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: SEPARATOR,
    adapter: &Ecma,
};

struct Ecma;

impl Adapter for Ecma {
    fn scope(&self, root: Node<'_>, text: &str, file: FileKind, _words: &Words) -> FileScope {
        scope::read(root, text, file)
    }

    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        match node.kind() {
            "expression_statement" => {
                let Some(call) = statement_call(node) else { return guards::open(node, visit) };
                runner_call(call, visit).or_else(|| wrapping_call(call, visit))
            }
            "call_expression" if !is_opened(node, visit) => runner_call(node, visit).or_else(|| shadows::open(node, visit)),
            "call_expression" => None,
            "if_statement" => in_source_tests(node, visit).or_else(|| guards::open(node, visit)),
            "else_clause" | "catch_clause" | "switch_case" | "switch_default" => guards::open(node, visit),
            "for_in_statement" => shadows::open(node, visit),
            _ => functions::open(node, visit),
        }
    }

    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
        match node.kind() {
            "call_expression" => call(node, visit),
            "member_expression" | "subscript_expression" => member(node, visit),
            "throw_statement" => stubs::throw(node, visit),
            "function_declaration" | "variable_declarator" => silenced::visit(node, visit),
            "assignment_expression" if visit.in_tests() => {
                markers::assignment(node, visit);
                bends::assignment(node, visit);
                silenced::visit(node, visit);
            }
            "if_statement" => {
                dead::branch(node, visit);
                regions::visit(node, visit);
                if !visit.in_tests() {
                    cases::branch(node, visit);
                }
            }
            "for_statement" | "for_in_statement" | "while_statement" | "try_statement" => regions::visit(node, visit),
            "unary_expression" if !visit.in_tests() => bends::unary(node, visit),
            "expression_statement" => dead::statement(node, visit),
            "as_expression" | "type_assertion" => casts::visit(node, visit),
            _ => {}
        }
    }

    fn claims(&self, parts: &Parts<'_>) -> Vec<Check> {
        claims::read(parts)
    }

    fn idle_words(&self) -> &'static [&'static str] {
        claims::IDLE
    }

    fn commented_tests(&self, comment: &str) -> Vec<CommentedTest> {
        comments::tests(comment)
    }
}

/// Opens the item of a call that defines a test, group or hook.
fn runner_call<'tree>(call: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
    if let Some(definition) = tests::define(call, visit) {
        return definition.open(call, visit);
    }
    // A rule tester makes a suite of its cases.
    markers::rule_tester(call, visit.text)?;
    let name = chain::arguments(call.child_by_field_name("arguments")?).first().copied()?;
    Some(Item::new(ItemKind::Group, title(name, visit.text), visit.span(name)))
}

/// Whether the statement around a call has opened the unit that the call would open.
fn is_opened(call: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    const PREFIX_BYTES_MAX: usize = 64;
    let frame = visit.frame();
    let start = frame.start as usize;
    if !matches!(frame.kind, ItemKind::Test | ItemKind::Group | ItemKind::Hook | ItemKind::Scope) {
        return false;
    }
    start == call.start_byte()
        || (call.start_byte() - start <= PREFIX_BYTES_MAX
            && matches!(visit.text.get(start..call.start_byte()).map(str::trim_end), Some("await" | "void" | "(" | "await (")))
}

/// Opens an unnamed scope for a call outside functions that ends in a callback (`app.get('/', (req, res) => {…})`), so that
/// an edit inside it costs what it touched.
fn wrapping_call(call: Node<'_>, visit: &Visit<'_, '_>) -> Option<Item> {
    if !matches!(visit.frame().kind, ItemKind::File | ItemKind::Group | ItemKind::Scope) {
        return shadows::open(call, visit);
    }
    let last = chain::arguments(call.child_by_field_name("arguments")?).last().copied()?;
    let flags = shadows::of_function(callback(last)?, false, visit);
    Some(Item { flags, ..Item::new(ItemKind::Scope, "", Span::default()) })
}

/// Opens `if (import.meta.vitest) {…}`: test code in a production file.
fn in_source_tests(node: Node<'_>, visit: &Visit<'_, '_>) -> Option<Item> {
    let condition = node.child_by_field_name("condition")?;
    let is_region = slice(visit.text, condition).contains("import.meta.vitest");
    is_region.then(|| Item { opens_test_region: true, ..Item::new(ItemKind::Scope, "", Span::default()) })
}

/// Members whose calls bend a run, or tell a double what to give back.
const CALLS: &[&str] = &["exit", "ock", "extend", "addEqualityTesters", "Value", "ValueOnce", "returns", "resolves", ".fn"];

fn call<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(callee) = node.child_by_field_name("function") else { return };
    if visit.in_tests() || visit.file == FileKind::Test {
        terms::call(node, callee, visit);
    }
    if visit.in_tests() || visit.scope.frameworks != 0 {
        markers::call(node, visit);
        if root_of(callee).is_some_and(|r| r.kind() == "identifier")
            && let Some(definition) = slice(visit.text, callee).contains(".step").then(|| tests::define(node, visit)).flatten()
        {
            definition.mark_step(visit);
        }
    }
    if visit.in_tests() {
        assertions::call(node, visit);
        regions::call(node, callee, visit);
        if CALLS.iter().any(|name| slice(visit.text, callee).ends_with(name))
            && let Some(name) = callee.child_by_field_name("property").map(|p| slice(visit.text, p))
        {
            bends::call(node, callee, name, visit);
            cases::answer(node, callee, name, visit);
        }
    } else if slice(visit.text, callee) == "Promise.reject" {
        stubs::rejected(node, visit);
    }
}

/// Members by their last name: most of a program is members, so that name alone is looked at first.
fn member<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let bytes = visit.text.as_bytes();
    let mut end = node.end_byte();
    if bytes.get(end - 1) == Some(&b']') {
        end = end.saturating_sub(2);
    }
    let start = bytes[..end].iter().rposition(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'$').map_or(0, |i| i + 1);
    let name = visit.text.get(start..end).unwrap_or("");
    match name {
        "skip" | "only" | "failing" | "fails" | "fixme" => markers::alias(node, visit),
        "NODE_ENV" | "JEST_WORKER_ID" | "VITEST" | "VITEST_WORKER_ID" | "VITEST_POOL_ID" if !visit.in_tests() => {
            bends::member(node, name, visit);
        }
        name if visit.in_tests() && assertions::is_terminal(name) => assertions::property(node, visit),
        _ => {}
    }
}
