//! Directives of Python: linters, type checkers, coverage.
//!
//! `# why  # noqa` counts: flake8, pylint, bandit, coverage and pyright search behind a later marker too.

use super::row::{Check, Codes::*, Reach::*, Row, row};

const PY: &[&str] = &["python", "cython", "starlark"];

pub(super) const ROWS: &[Row] = &[
    row("flake8", PY, "flake8:~noqa", ColonDigits, File).fold(),
    row("flake8", PY, "flake8=~noqa", ColonDigits, File).fold(),
    row("ruff", PY, "ruff:~noqa", ColonDigits, File).fold().alone(),
    row("ruff", PY, "ruff:~file-ignore", Bracket, File),
    row("ruff", PY, "ruff:~ignore", Bracket, LineOrNext).again(),
    row("ruff", PY, "ruff:~disable", Bracket, Range),
    row("noqa", PY, "noqa", ColonDigits, Line).fold().again().check(Check::NoProse),
    row("noqa", PY, "nopep8", Nothing, Line).fold().again().check(Check::NoProse),
    row("pylint", PY, "pylint:~disable-next", Equals, Next).again(),
    row("pylint", PY, "pylint:~disable-msg", Equals, LineOrRest).again(),
    row("pylint", PY, "pylint:~disable", Equals, LineOrRest).again(),
    row("pylint", PY, "pylint:~disable-all", Nothing, File),
    row("pylint", PY, "pylint:~skip-file", Nothing, File),
    row("bandit", PY, "nosec", Digits, Line).again().check(Check::NoProse),
    row("fixit", PY, "lint-ignore", Colon, LineOrNext),
    row("fixit", PY, "lint-fixme", Colon, LineOrNext),
    row("sourcery", PY, "sourcery skip", Colon, LineOrNext),
    row("vulture", PY, "vulture: ignore", Bracket, Line),
    // Type checkers. Mypy wants `type: ignore` first, pyright does not.
    row("type-ignore", PY, "type:~ignore", Bracket, LineOrFile).again(),
    row("mypy", PY, "mypy:~ignore-errors", Nothing, File),
    row("mypy", PY, "mypy:~disable-error-code", Equals, File),
    row("mypy", PY, "mypy:~ignore-missing-imports", Fixed("ignore-missing-imports"), File),
    row("mypy", PY, "mypy:~allow-untyped-defs", Fixed("allow-untyped-defs"), File),
    row("mypy", PY, "mypy:~allow-untyped-calls", Fixed("allow-untyped-calls"), File),
    row("mypy", PY, "mypy:~allow-untyped-decorators", Fixed("allow-untyped-decorators"), File),
    row("mypy", PY, "mypy:~allow-incomplete-defs", Fixed("allow-incomplete-defs"), File),
    row("mypy", PY, "mypy:~allow-any-generics", Fixed("allow-any-generics"), File),
    row("mypy", PY, "mypy:~allow-subclassing-any", Fixed("allow-subclassing-any"), File),
    row("mypy", PY, "mypy:~allow-", One, File),
    row("mypy", PY, "mypy:~no-", One, File),
    row("pyright", PY, "pyright:~ignore", Bracket, Line).again(),
    row("pyright", PY, "pyright:~basic", Fixed("basic"), File).alone(),
    row("pyright", PY, "pyright:~off", Nothing, File).alone(),
    row("pyright", PY, "pyright:~report~", Nothing, File).alone().check(Check::Lowered).needs_codes(),
    row("ty", PY, "ty:~ignore", Bracket, LineOrFile).again(),
    row("pyrefly", PY, "pyrefly:~ignore-errors", Nothing, File),
    row("pyrefly", PY, "pyrefly:~ignore", Bracket, LineOrNext).again(),
    row("pyre", PY, "pyre-ignore-all-errors", Bracket, File),
    row("pyre", PY, "pyre-ignore", Bracket, LineOrNext).again(),
    row("pyre", PY, "pyre-fixme", Bracket, LineOrNext).again(),
    row("pyre", PY, "pyre-unsafe", Nothing, File),
    row("pyre", PY, "pyre-do-not-check", Nothing, File),
    row("pytype", PY, "pytype:~disable", Equals, LineOrRest).again(),
    row("pytype", PY, "pytype:~skip-file", Nothing, File),
    // Coverage and mutation.
    row("coverage", PY, "pragma:~no~cover", Nothing, LineOrNext).fold().again(),
    row("coverage", PY, "pragma no cover", Nothing, LineOrNext).fold().again(),
    row("coverage", PY, "pragma:~no~branch", Fixed("branch"), Line).fold().again(),
    row("mutmut", PY, "pragma:~no~mutate", Nothing, Line).fold().again(),
];
