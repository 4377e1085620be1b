//! Directives of Rust, Go, C and C++, the JVM, .NET, Swift, Dart and Scala.

use super::row::{Check, Codes::*, Reach::*, Row, row};

const GO: &[&str] = &["go"];
const C: &[&str] = &["c", "cpp", "objective-c", "objective-cpp", "objc", "cuda", "arduino"];
const JVM: &[&str] = &["java", "kotlin", "groovy", "scala"];
const NET: &[&str] = &["csharp", "fsharp", "vb"];
const SWIFT: &[&str] = &["swift", "objective-c", "objc"];

/// Languages that gcov and its successors measure.
const COVERED: &[&str] = &["rust", "c", "cpp", "objective-c", "objc", "cuda"];
const PVS: &[&str] = &["c", "cpp", "csharp", "java", "objective-c"];
const RESHARPER: &[&str] = &["csharp", "fsharp", "vb", "cpp", "c", "javascript", "typescript"];

pub(super) const ROWS: &[Row] = &[
    // Rust's own lints are attributes; these are the comments.
    row("lcov", COVERED, "LCOV_EXCL_START", Nothing, Range),
    row("lcov", COVERED, "LCOV_EXCL_LINE", Nothing, Line).again(),
    row("lcov", COVERED, "LCOV_EXCL_BR_START", Fixed("branch"), Range),
    row("lcov", COVERED, "LCOV_EXCL_BR_LINE", Fixed("branch"), Line).again(),
    row("gcovr", COVERED, "GCOVR_EXCL_START", Nothing, Range),
    row("gcovr", COVERED, "GCOVR_EXCL_LINE", Nothing, Line).again(),
    row("gcovr", COVERED, "GCOVR_EXCL_FUNCTION", Nothing, Next),
    row("gcov", COVERED, "GCOV_EXCL_START", Nothing, Range),
    row("gcov", COVERED, "GCOV_EXCL_LINE", Nothing, Line).again(),
    row("grcov", &["rust"], "grcov-excl-start", Nothing, Range),
    row("grcov", &["rust"], "grcov-excl-line", Nothing, Line),
    row("grcov", &["rust"], "grcov-excl-br-start", Fixed("branch"), Range),
    row("grcov", &["rust"], "grcov-excl-br-line", Fixed("branch"), Line),
    row("grcov", &["rust"], "GRCOV_EXCL_START", Nothing, Range),
    row("grcov", &["rust"], "GRCOV_EXCL_LINE", Nothing, Line),
    row("grcov", &["rust"], "GRCOV_STOP_COVERAGE", Nothing, Range),
    row("tidy", &["rust"], "ignore-tidy-", One, File),
    row("cargo-spellcheck", &["rust"], "spellcheck:ignore", Nothing, Next),
    // Go. `//nolint` and `// nolint` are the same to older versions of golangci-lint.
    row("golangci", GO, "nolint", Colon, LineOrDeclaration).check(Check::NoProse),
    row("gosec", GO, "#nosec", Blanks, LineOrNext).again(),
    row("gosec", GO, "gosec:disable", Blanks, LineOrNext),
    row("staticcheck", GO, "lint:file-ignore", One, File).tight().needs_codes(),
    row("staticcheck", GO, "lint:ignore", One, Next).tight().needs_codes(),
    row("revive", GO, "revive:disable-next-line", Colon, Next),
    row("revive", GO, "revive:disable-line", Colon, Line),
    row("revive", GO, "revive:disable", Colon, Rest),
    row("exhaustive", GO, "exhaustive:ignore", Nothing, LineOrNext),
    row("exhaustruct", GO, "exhaustruct:ignore", Nothing, LineOrNext),
    row("coverage-ignore", GO, "coverage-ignore", Nothing, LineOrNext),
    row("coverage-ignore", GO, "coverage:ignore", Nothing, LineOrNext),
    row("wsl", GO, "wsl:ignore", Nothing, Next),
    // C and C++.
    row("clang-tidy", C, "NOLINTNEXTLINE", Paren, Next).again().check(Check::NoProse),
    row("clang-tidy", C, "NOLINTBEGIN", Paren, Range).check(Check::NoProse),
    row("clang-tidy", C, "NOLINT", Paren, Line).again().check(Check::NoProse),
    row("cppcheck", C, "cppcheck-suppress-begin", Bracket, Range),
    row("cppcheck", C, "cppcheck-suppress-file", Bracket, File),
    row("cppcheck", C, "cppcheck-suppress-macro", Bracket, Next),
    row("cppcheck", C, "cppcheck-suppress", BracketOrOne, LineOrNext),
    row("coverity", C, "coverity", Bracket, Next).needs_codes(),
    row("pvs-studio", PVS, "-V::", Digits, File),
    row("pvs-studio", PVS, "-V:", Nothing, Next),
    row("pvs-studio", PVS, "-V~", One, Line).tight().needs_codes(),
    row("pc-lint", C, "lint -e", One, LineOrRest).block(),
    row("pc-lint", C, "lint !e", One, Line).block(),
    row("pc-lint", C, "-e{", Nothing, Next),
    row("oclint", &["objective-c", "objc", "c", "cpp"], "OCLINT", Nothing, Line),
    // The JVM.
    row("pmd", &["java", "kotlin", "groovy", "scala", "apex", "plsql"], "NOPMD", Nothing, Line).again().check(Check::NoProse),
    row("cpd", &[], "CPD-OFF", Nothing, Range),
    row("checkstyle", JVM, "CHECKSTYLE:OFF", Colon, Rest),
    row("checkstyle", JVM, "CHECKSTYLE.OFF", Colon, Rest),
    row("checkstyle", JVM, "CHECKSTYLE OFF", Colon, Rest),
    row("checkstyle", JVM, "CHECKSTYLE:SUPPRESS", Colon, Line),
    row("checkstyle", JVM, "CHECKSTYLE:IGNORE", Blanks, LineOrNext),
    row("checkstyle", JVM, "SUPPRESS CHECKSTYLE", Blanks, Line),
    row("ktlint", JVM, "ktlint-disable", Blanks, LineOrRest).check(Check::Layout).needs_codes(),
    row("codenarc", &["groovy"], "codenarc-disable-line", Commas, Line),
    row("codenarc", &["groovy"], "codenarc-disable", Commas, Rest),
    row("scalafix", &["scala"], "scalafix:off", Blanks, Rest),
    row("scalafix", &["scala"], "scalafix:ok", Blanks, Line),
    row("scalastyle", &["scala"], "scalastyle:off", Blanks, Rest),
    row("scalastyle", &["scala"], "scalastyle:ignore", Blanks, Line),
    row("scoverage", &["scala"], "$COVERAGE-OFF$", Nothing, Range),
    // .NET.
    row("resharper", RESHARPER, "ReSharper disable once", Blanks, Next),
    row("resharper", RESHARPER, "ReSharper disable", Blanks, Rest),
    row("fsharplint", &["fsharp"], "fsharplint:disable-next-line", Blanks, Next),
    row("fsharplint", &["fsharp"], "fsharplint:disable-line", Blanks, Line),
    row("fsharplint", &["fsharp"], "fsharplint:disable", Blanks, Rest),
    row("stylecop", NET, "StyleCop.Disable", Blanks, Rest),
    // Swift and Objective-C.
    row("swiftlint", SWIFT, "swiftlint:disable:next", Blanks, Next),
    row("swiftlint", SWIFT, "swiftlint:disable:this", Blanks, Line).again(),
    row("swiftlint", SWIFT, "swiftlint:disable:previous", Blanks, Line),
    row("swiftlint", SWIFT, "swiftlint:disable ", Blanks, Rest),
    row("sourcery", SWIFT, "sourcery:~skip", Nothing, Next),
    row("periphery", SWIFT, "periphery:ignore:all", Nothing, File),
    row("periphery", SWIFT, "periphery:ignore:parameters", Blanks, Next),
    row("periphery", SWIFT, "periphery:ignore", Nothing, Next),
    // Dart.
    row("dart", &["dart"], "ignore_for_file:", Commas, File).needs_codes(),
    row("dart", &["dart"], "ignore:", Commas, LineOrNext).needs_codes(),
    row("dart-coverage", &["dart"], "coverage:ignore-line", Nothing, Line),
    row("dart-coverage", &["dart"], "coverage:ignore-start", Nothing, Range),
    row("dart-coverage", &["dart"], "coverage:ignore-file", Nothing, File),
];
