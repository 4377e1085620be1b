//! Expressions as sequences of tokens that can be compared: quotes, blanks and words that change nothing do not count.

use crate::change::code::{Kind, Token, hash_of, lex};

/// An expression by the hashes of its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Norm(pub(crate) Vec<u64>);

impl Norm {
    /// Reads an expression.
    pub(crate) fn of(text: &str, idle: &[&str]) -> Self {
        let mut text = std::borrow::Cow::Borrowed(text);
        for word in idle {
            if text.contains(word) {
                text = text.replace(word, "").into();
            }
        }
        Norm(lex(&text, 0..text.len(), &[]).into_iter().map(|t| t.hash).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this stands in another as it is.
    pub(crate) fn is_in(&self, other: &Norm) -> bool {
        !self.0.is_empty() && other.0.windows(self.0.len()).any(|part| part == self.0)
    }

    /// Returns how often this stands in another.
    pub(crate) fn times_in(&self, other: &Norm) -> usize {
        if self.0.is_empty() { 0 } else { other.0.windows(self.0.len()).filter(|part| *part == self.0).count() }
    }

    /// Whether another is a member, an element or a result of this.
    pub(crate) fn owns(&self, other: &Norm) -> bool {
        !self.0.is_empty() && other.0.len() > self.0.len() && other.0.starts_with(&self.0) && opens(other.0[self.0.len()])
    }

    /// Returns how alike two expressions are, from 0 to 1.
    pub(crate) fn likeness(&self, other: &Norm) -> f64 {
        let (mut one, mut two) = (self.0.clone(), other.0.clone());
        one.sort_unstable();
        two.sort_unstable();
        let (mut at, mut common) = (0, 0usize);
        for token in &one {
            while at < two.len() && two[at] < *token {
                at += 1;
            }
            if at < two.len() && two[at] == *token {
                common += 1;
                at += 1;
            }
        }
        if one.len() + two.len() == 0 { 0.0 } else { (2 * common) as f64 / (one.len() + two.len()) as f64 }
    }
}

/// Whether a token leads from a value into it.
fn opens(token: u64) -> bool {
    [".", "[", "(", "?", "!"].iter().any(|sign| hash_of(Kind::Sign, sign) == token)
}

/// Returns the words of an expression, with what they say.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let tokens: Vec<Token> = lex(text, 0..text.len(), &[]);
    tokens.into_iter().filter(|t| t.kind == Kind::Word).filter_map(|t| text.get(t.span)).collect()
}

/// Returns a text in one line, cut where it is longer than a sentence bears.
pub(crate) fn short(text: &str) -> String {
    const SHOWN_MAX: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN_MAX {
        return line;
    }
    let cut: String = line.chars().take(SHOWN_MAX - 1).collect();
    format!("{}…", cut.trim_end())
}
