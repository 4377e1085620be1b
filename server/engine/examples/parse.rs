//! The floor of a cold check: parses files in full, with the grammar alone, and prints the milliseconds of each.
//!
//! `cargo run --release -p oguard-engine --example parse -- FILE…`; read by `scripts/bench-cold.py`.

#![allow(clippy::print_stdout, reason = "the script reads what is printed")]

use oguard_engine::grammars::by_path;
use oguard_engine::grammars::tree_sitter::Parser;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        let language = by_path(&path).expect("a known extension");
        let text = std::fs::read_to_string(&path).expect("a readable text");
        let mut parser = Parser::new();
        parser.set_language(&(language.grammar)()).expect("the grammar fits");
        let since = Instant::now();
        let tree = parser.parse(&text, None).expect("no limit is set");
        let took = since.elapsed();
        assert!(tree.root_node().end_byte() > 0, "an empty text measures nothing");
        println!("{:.3}", took.as_secs_f64() * 1000.0);
    }
}
