//! Works out which rows of phrases are worth trying for which word, and writes it as tables of numbers.
//!
//! A cold process would spend more on that than on reading a small file. The rows and what reads them are the crate's own
//! files, compiled into this script a second time.

use std::path::Path;

#[allow(dead_code, reason = "the crate uses all of it, this script a part")]
#[path = "src/phrases"]
mod phrases {
    mod keys;
    mod row;
    mod tables;
    mod trigger;
    mod words;

    pub(crate) use trigger::indexes;
}

fn main() {
    println!("cargo::rerun-if-changed=src/phrases");
    let folder = std::env::var("OUT_DIR").expect("cargo names the folder");
    std::fs::write(Path::new(&folder).join("phrases.rs"), phrases::indexes()).expect("cargo made the folder");
}
