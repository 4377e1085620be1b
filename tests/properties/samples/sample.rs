//! Stock keeping.
#![allow(dead_code)]

use std::collections::HashMap;

pub struct Stock {
    items: HashMap<String, u32>,
}

impl Stock {
    pub fn total(&self) -> u32 {
        self.items.values().sum()
    }

    /// Takes one.
    #[allow(clippy::needless_pass_by_value)]
    pub fn take(&mut self, name: String) -> u32 {
        todo!("take {name}")
    }

    pub fn price(&self) -> u32 {
        // TODO: implement this
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stock() -> Stock {
        Stock { items: HashMap::from([("apple".to_owned(), 3)]) }
    }

    #[test]
    #[ignore]
    fn counts() {
        assert_eq!(stock().total(), 3);
    }

    #[test]
    #[should_panic(expected = "none left")]
    fn takes() {
        stock().take("pear".to_owned());
    }

    #[cfg(unix)]
    #[test]
    fn is_small() {
        assert!(stock().total() < 10, "small");
    }
}
