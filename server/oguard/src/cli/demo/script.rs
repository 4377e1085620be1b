//! What the demonstration plays: files of a small shop, and the edits of an agent that wants green tests.

/// The files of the scratch repository at its first commit.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "stock.py",
        "class Stock:\n    def __init__(self, items):\n        self.items = dict(items)\n\n    def total(self):\n        return sum(self.items.values())\n\n    \
         def take(self, name, count=1):\n        left = self.items.get(name, 0) - count\n        if left < 0:\n            raise ValueError(name)\n        \
         self.items[name] = left\n        return left\n",
    ),
    (
        "test_stock.py",
        "import sys\n\nimport pytest\n\nfrom stock import Stock\n\n\ndef test_total():\n    assert Stock({\"apple\": 3}).total() == 3\n\n\n\
         def test_take():\n    stock = Stock({\"apple\": 3})\n    assert stock.take(\"apple\") == 2\n\n\n\
         def test_take_too_many():\n    with pytest.raises(ValueError):\n        Stock({}).take(\"apple\")\n",
    ),
    (
        "cart.test.ts",
        "import { expect, it } from 'vitest';\nimport { Cart } from './cart';\n\nit('adds', () => {\n  expect(new Cart().add(2).sum()).toBe(2);\n});\n\n\
         it('starts empty', () => {\n  expect(new Cart().sum()).toBe(0);\n});\n",
    ),
];

/// What happens in a step.
pub(super) enum Act {
    /// Replaces the first text by the second in the open file.
    Edit(&'static str, &'static str),
    /// Applies the quick fix of a title to the first finding.
    Fix(&'static str),
    /// Commits everything.
    Commit,
}

/// One step of the session.
pub(super) struct Step {
    /// What the agent does, as a sentence.
    pub(super) says: &'static str,
    /// The file.
    pub(super) file: &'static str,
    /// What happens.
    pub(super) act: Act,
}

/// The session, in order.
pub(super) const STEPS: &[Step] = &[
    Step {
        says: "`test_take` fails, so the agent skips it",
        file: "test_stock.py",
        act: Act::Edit("def test_take():", "@pytest.mark.skip\ndef test_take():"),
    },
    Step { says: "it commits, hoping that the base moves along", file: "test_stock.py", act: Act::Commit },
    Step { says: "it takes the quick fix", file: "test_stock.py", act: Act::Fix("Remove the skip") },
    Step {
        says: "an honest edit: a new test that needs another platform",
        file: "test_stock.py",
        act: Act::Edit(
            "def test_take_too_many():",
            "@pytest.mark.skipif(sys.platform == \"win32\", reason=\"paths\")\ndef test_path():\n    assert Stock({}).total() == 0\n\n\ndef test_take_too_many():",
        ),
    },
    Step {
        says: "it rewrites `stock.py` and leaves a method out",
        file: "stock.py",
        act: Act::Edit(
            "        left = self.items.get(name, 0) - count\n        if left < 0:\n            raise ValueError(name)\n        self.items[name] = left\n        return left\n",
            "        # ... rest of the method unchanged ...\n        raise NotImplementedError\n",
        ),
    },
    Step { says: "it restores the method from the base", file: "stock.py", act: Act::Fix("Restore this from the base") },
    Step {
        says: "it silences the type checker for a whole line",
        file: "stock.py",
        act: Act::Edit("return sum(self.items.values())", "return sum(self.items.values())  # type: ignore"),
    },
    Step { says: "it focuses the one test that passes", file: "cart.test.ts", act: Act::Edit("it('adds'", "it.only('adds'") },
    Step { says: "it takes the quick fix", file: "cart.test.ts", act: Act::Fix("Remove the focus") },
];
