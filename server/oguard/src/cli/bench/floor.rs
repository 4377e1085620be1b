//! The floor: a server that parses incrementally, looks at what changed and publishes an empty list. Nothing can be faster that
//! answers each edit by what tree-sitter says of it.
//!
//! One thread, one message after the other, positions in utf-8, trees kept for every open document.

use anyhow::{Context, Result};
use oguard_engine::grammars::by_path;
use oguard_engine::grammars::tree_sitter::{InputEdit, Parser, Point, Tree};
use ropey::Rope;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};

struct Open {
    rope: Rope,
    parser: Parser,
    tree: Tree,
}

/// Serves standard input until it ends.
pub(super) fn serve() -> Result<()> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::stdout().lock();
    let mut documents: HashMap<String, Open> = HashMap::new();
    while let Some(message) = read(&mut input)? {
        let params = &message["params"];
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => {
                let capabilities = json!({"positionEncoding": "utf-8", "textDocumentSync": {"openClose": true, "change": 2}});
                write(&mut output, &json!({"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": capabilities}}))?;
            }
            "shutdown" => write(&mut output, &json!({"jsonrpc": "2.0", "id": message["id"], "result": null}))?,
            "exit" => return Ok(()),
            "textDocument/didOpen" => {
                documents.insert(uri.to_owned(), open(uri, params["textDocument"]["text"].as_str().unwrap_or_default())?);
                publish(&mut output, uri, &params["textDocument"]["version"])?;
            }
            "textDocument/didChange" => {
                if let Some(document) = documents.get_mut(uri) {
                    for change in params["contentChanges"].as_array().into_iter().flatten() {
                        document.apply(change);
                    }
                    document.reparse()?;
                }
                publish(&mut output, uri, &params["textDocument"]["version"])?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn open(uri: &str, text: &str) -> Result<Open> {
    let language = by_path(uri).with_context(|| format!("no language for {uri}"))?;
    let mut parser = Parser::new();
    parser.set_language(&(language.grammar)()).context("the grammar does not fit the library")?;
    let tree = parser.parse(text, None).context("the parser gave up")?;
    Ok(Open { rope: Rope::from_str(text), parser, tree })
}

impl Open {
    fn byte(&self, position: &Value) -> (usize, Point) {
        let row = position["line"].as_u64().unwrap_or(0) as usize;
        let column = position["character"].as_u64().unwrap_or(0) as usize;
        (self.rope.line_to_byte(row) + column, Point { row, column })
    }

    fn apply(&mut self, change: &Value) {
        let text = change["text"].as_str().unwrap_or_default();
        let (start_byte, start_position) = self.byte(&change["range"]["start"]);
        let (old_end_byte, old_end_position) = self.byte(&change["range"]["end"]);
        let (from, to) = (self.rope.byte_to_char(start_byte), self.rope.byte_to_char(old_end_byte));
        self.rope.remove(from..to);
        self.rope.insert(from, text);
        let new_end_byte = start_byte + text.len();
        let row = self.rope.byte_to_line(new_end_byte);
        let new_end_position = Point { row, column: new_end_byte - self.rope.line_to_byte(row) };
        self.tree.edit(&InputEdit { start_byte, old_end_byte, new_end_byte, start_position, old_end_position, new_end_position });
    }

    fn reparse(&mut self) -> Result<()> {
        let rope = &self.rope;
        let mut chunk = |at: usize, _: Point| -> &[u8] {
            if at >= rope.len_bytes() {
                return &[];
            }
            let (chunk, start, _, _) = rope.chunk_at_byte(at);
            &chunk.as_bytes()[at - start..]
        };
        let tree = self.parser.parse_with_options(&mut chunk, Some(&self.tree), None).context("the parser gave up")?;
        let mut named = 0;
        for range in self.tree.changed_ranges(&tree) {
            // What a query would visit at least: the nodes that the change touches.
            let mut node = tree.root_node().descendant_for_byte_range(range.start_byte, range.end_byte);
            while let Some(next) = node {
                named += usize::from(next.is_named());
                node = next.parent();
            }
        }
        std::hint::black_box(named);
        self.tree = tree;
        Ok(())
    }
}

fn publish(output: &mut impl Write, uri: &str, version: &Value) -> Result<()> {
    let params = json!({"uri": uri, "version": version, "diagnostics": []});
    write(output, &json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}))
}

fn write(output: &mut impl Write, message: &Value) -> Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    Ok(output.flush()?)
}

fn read(input: &mut impl BufRead) -> Result<Option<Value>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(number) = header.strip_prefix("Content-Length: ") {
                    length = number.parse().context("a length that is no number")?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}
