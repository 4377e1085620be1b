//! What each tool reads and what it does not, in the spellings that people and agents use.

use super::{Directive, Place, Scope, directives};

const BEHIND: Place = Place { alone_on_line: false, before_first_code: false, block: false, doc: false };
const ALONE: Place = Place { alone_on_line: true, ..BEHIND };
const TOP: Place = Place { before_first_code: true, ..ALONE };

fn read<'a>(language: &str, raw: &'a str, place: Place) -> Vec<Directive<'a>> {
    let block = raw.starts_with("/*") || raw.starts_with("<!--");
    directives(language, raw, Place { block, doc: raw.starts_with("/**"), ..place })
}

/// Each row: comment, place, tool, codes, scope, reason.
type Case<'a> = (&'a str, Place, &'a str, &'a [&'a str], Scope, bool);

fn all(language: &str, cases: &[Case]) {
    for (raw, place, tool, codes, scope, reason) in cases {
        let found = read(language, raw, *place);
        let [one] = &found[..] else { panic!("{raw}: {found:?}") };
        assert_eq!((one.tool, &one.codes[..], one.scope, one.reason), (*tool, *codes, *scope, *reason), "{raw}");
        assert!(raw[one.range.clone()].chars().next().is_some_and(|c| !c.is_whitespace()), "{raw}");
    }
}

fn none(language: &str, comments: &[(&str, Place)]) {
    for (raw, place) in comments {
        assert_eq!(read(language, raw, *place), [], "{raw}");
    }
}

#[test]
fn javascript_and_typescript() {
    let cases: &[Case] = &[
        ("/* eslint-disable no-await-in-loop */", TOP, "eslint", &["no-await-in-loop"], Scope::File, false),
        ("/* eslint-disable */", ALONE, "eslint", &[], Scope::Range, false),
        ("/* eslint-disable-line */", BEHIND, "eslint", &[], Scope::Line, false),
        (
            "// eslint-disable-next-line no-promise-executor-return -- plain sleep",
            ALONE,
            "eslint",
            &["no-promise-executor-return"],
            Scope::NextLine,
            true,
        ),
        (
            "// eslint-disable-line @typescript-eslint/no-explicit-any, no-console",
            BEHIND,
            "eslint",
            &["@typescript-eslint/no-explicit-any", "no-console"],
            Scope::Line,
            false,
        ),
        ("{/* eslint-disable-next-line react/no-danger */}", ALONE, "eslint", &["react/no-danger"], Scope::NextLine, false),
        ("/* eslint no-console: \"off\", curly: 2 */", TOP, "eslint", &["no-console"], Scope::File, false),
        ("// oxlint-disable-next-line no-console", ALONE, "oxlint", &["no-console"], Scope::NextLine, false),
        ("/* oxlint-disable */", TOP, "oxlint", &[], Scope::File, false),
        (
            "// biome-ignore lint/suspicious/noExplicitAny: addon has no types",
            ALONE,
            "biome",
            &["lint/suspicious/noExplicitAny"],
            Scope::NextLine,
            true,
        ),
        ("// biome-ignore-all lint: generated", TOP, "biome", &["lint"], Scope::File, true),
        ("// deno-lint-ignore no-explicit-any", ALONE, "deno", &["no-explicit-any"], Scope::NextLine, false),
        ("// deno-lint-ignore-file", TOP, "deno", &[], Scope::File, false),
        ("// @ts-ignore", ALONE, "typescript", &[], Scope::NextLine, false),
        ("/// @ts-ignore old", ALONE, "typescript", &[], Scope::NextLine, true),
        ("/* @ts-ignore */", ALONE, "typescript", &[], Scope::NextLine, false),
        ("/* the addon exports this at run time\n     @ts-expect-error */", ALONE, "ts-expect-error", &[], Scope::NextLine, false),
        ("// @ts-expect-error-next-line", ALONE, "ts-expect-error", &[], Scope::NextLine, true),
        ("// @ts-expect-error name is required", ALONE, "ts-expect-error", &[], Scope::NextLine, true),
        ("// @ts-nocheck -- generated bindings land next week", TOP, "typescript", &[], Scope::File, true),
        ("// $FlowFixMe[prop-missing] old", ALONE, "flow", &["prop-missing"], Scope::NextLine, true),
        ("// tslint:disable-next-line:no-any max-line-length", ALONE, "tslint", &["no-any", "max-line-length"], Scope::NextLine, false),
        ("/* tslint:disable */", TOP, "tslint", &[], Scope::File, false),
        ("/* istanbul ignore next */", ALONE, "istanbul", &[], Scope::NextLine, false),
        ("/* istanbul ignore if -- @preserve */", ALONE, "istanbul", &[], Scope::NextLine, true),
        ("/* v8 ignore next 3 */", ALONE, "v8", &[], Scope::NextLine, false),
        ("/* c8 ignore start */", ALONE, "c8", &[], Scope::Range, false),
        ("/* node:coverage disable */", ALONE, "node-coverage", &[], Scope::Range, false),
        ("// NOSONAR", BEHIND, "sonar", &[], Scope::Line, false),
        ("// nosemgrep: javascript.lang.eval", BEHIND, "semgrep", &["javascript.lang.eval"], Scope::Line, false),
        ("// ts-prune-ignore-next", ALONE, "ts-prune", &[], Scope::NextLine, false),
    ];
    all("typescript", cases);
    none(
        "typescript",
        &[
            ("// eslint-disable no-console", TOP),
            ("// Counts how often people write eslint-disable in this file.", ALONE),
            ("/* eslint-enable no-console */", ALONE),
            ("/* eslint curly: \"error\" */", TOP),
            ("/* eslint-env node */", TOP),
            ("// prettier-ignore", ALONE),
            (
                "/**\n * Starts the server. Callers used to write eslint-disable-next-line here.\n *\n * @ts-ignore is not needed any more\n */",
                TOP,
            ),
            ("// We never use @ts-ignore here because it would also accept correct code.", ALONE),
            ("/* @ts-ignore\n old */", ALONE),
            ("// @ts-check", TOP),
            ("// @ts-nocheck", ALONE),
            ("// biome-ignore format: table", ALONE),
            ("// biome-ignore", ALONE),
            ("/* istanbul reports are in ./coverage */", ALONE),
            ("/* v8 ignore stop */", ALONE),
            ("// tslint:enable", ALONE),
            ("/** @jest-environment jsdom */", TOP),
            ("// c8 ignores this file by default", ALONE),
            ("/* #__PURE__ */", BEHIND),
            ("// NOSONAR comments are listed in the report", ALONE),
        ],
    );
}

#[test]
fn python() {
    let cases: &[Case] = &[
        ("# noqa: F401", BEHIND, "noqa", &["F401"], Scope::Line, false),
        ("#NOQA", BEHIND, "noqa", &[], Scope::Line, false),
        ("# noqa E501", BEHIND, "noqa", &[], Scope::Line, false),
        ("# noqa[F401]", BEHIND, "noqa", &[], Scope::Line, false),
        ("# noqa: BLE001 - driver raises anything", BEHIND, "noqa", &["BLE001"], Scope::Line, true),
        ("#noqa:E501,W291", BEHIND, "noqa", &["E501", "W291"], Scope::Line, false),
        ("# a height  # type: ignore", BEHIND, "type-ignore", &[], Scope::Line, false),
        ("# type: ignore[attr-defined, misc]", BEHIND, "type-ignore", &["attr-defined", "misc"], Scope::Line, false),
        ("# type:ignore", TOP, "type-ignore", &[], Scope::File, false),
        ("# ruff: noqa", TOP, "ruff", &[], Scope::File, false),
        ("# ruff: noqa: E501, F401", TOP, "ruff", &["E501", "F401"], Scope::File, false),
        ("# flake8: noqa", TOP, "flake8", &[], Scope::File, false),
        (
            "# pylint: disable=missing-docstring,too-many-arguments",
            TOP,
            "pylint",
            &["missing-docstring", "too-many-arguments"],
            Scope::File,
            false,
        ),
        ("# pylint: disable=invalid-name", BEHIND, "pylint", &["invalid-name"], Scope::Line, false),
        ("# pylint: disable=all", ALONE, "pylint", &[], Scope::Range, false),
        ("# pylint: disable-next=eval-used", ALONE, "pylint", &["eval-used"], Scope::NextLine, false),
        ("# pylint: skip-file", TOP, "pylint", &[], Scope::File, false),
        ("# nosec B605", BEHIND, "bandit", &["B605"], Scope::Line, false),
        ("# nosec", BEHIND, "bandit", &[], Scope::Line, false),
        (
            "# nosemgrep: python.lang.security.audit.formatted-sql-query",
            ALONE,
            "semgrep",
            &["python.lang.security.audit.formatted-sql-query"],
            Scope::NextLine,
            false,
        ),
        ("# noinspection PyBroadException", ALONE, "noinspection", &["PyBroadException"], Scope::NextLine, false),
        ("# pyright: ignore[reportAssignmentType]", BEHIND, "pyright", &["reportAssignmentType"], Scope::Line, false),
        ("# pyright: basic", TOP, "pyright", &["basic"], Scope::File, false),
        ("# pyright: reportMissingImports=false, reportX=true", TOP, "pyright", &["reportMissingImports"], Scope::File, false),
        ("# mypy: ignore-errors", TOP, "mypy", &[], Scope::File, false),
        ("# mypy: disable-error-code=\"attr-defined,misc\"", TOP, "mypy", &["attr-defined", "misc"], Scope::File, false),
        ("# ty: ignore[unresolved-import]", BEHIND, "ty", &["unresolved-import"], Scope::Line, false),
        ("# pyre-fixme[9]: old", ALONE, "pyre", &["9"], Scope::NextLine, true),
        ("# pytype: disable=attribute-error", BEHIND, "pytype", &["attribute-error"], Scope::Line, false),
        ("# pragma: no cover", BEHIND, "coverage", &[], Scope::Line, false),
        ("# pragma: nocover", BEHIND, "coverage", &[], Scope::Line, false),
        ("# pragma: no branch", BEHIND, "coverage", &["branch"], Scope::Line, false),
        ("# codespell:ignore", BEHIND, "codespell", &[], Scope::Line, false),
    ];
    all("python", cases);
    none(
        "python",
        &[
            ("# noqa is used extensively in old code, so we count it here", ALONE),
            ("# A sentence that talks about using # noqa in prose.", ALONE),
            ("# counts noqa comments", BEHIND),
            ("# noinspire: just a word", BEHIND),
            ("# The word pragma alone (no cover) means nothing here.", ALONE),
            ("# nosecret values end up in the report", ALONE),
            ("# type: int is an old style annotation", ALONE),
            ("# type: (list) -> str", ALONE),
            ("# type: list[str]", BEHIND),
            ("# type: ignored", BEHIND),
            ("# fmt: off", ALONE),
            ("# isort: skip_file would be formatting only", ALONE),
            ("# isort: skip", BEHIND),
            ("# yapf: disable", BEHIND),
            ("# -*- coding: utf-8 -*-", TOP),
            ("# pylint: enable=invalid-name", ALONE),
            ("# pylint: disable", ALONE),
            ("# pyright: strict", TOP),
            ("# pyright: reportMissingImports=true", TOP),
            ("# ruff: enable[E501]", ALONE),
            ("# mypy: disallow-untyped-defs", TOP),
            ("# pragma: once", TOP),
        ],
    );
    let two = read("python", "# type: ignore[x]  # noqa: F401", BEHIND);
    assert_eq!(two.iter().map(|d| (d.tool, d.reason)).collect::<Vec<_>>(), [("type-ignore", false), ("noqa", false)]);
    assert!(read("python", "# type: ignore  # untyped package", BEHIND)[0].reason);
}

#[test]
fn rust_and_go() {
    let cases: &[Case] = &[
        ("// LCOV_EXCL_START", ALONE, "lcov", &[], Scope::Range, false),
        ("// LCOV_EXCL_LINE", BEHIND, "lcov", &[], Scope::Line, false),
        ("// grcov-excl-start", ALONE, "grcov", &[], Scope::Range, false),
        ("// grcov-excl-line", BEHIND, "grcov", &[], Scope::Line, false),
    ];
    all("rust", cases);
    none(
        "rust",
        &[
            ("// LCOV_EXCL_STOP", ALONE),
            ("// allow(dead_code) is not needed", ALONE),
            ("// nolint", BEHIND),
            ("// eslint-disable-next-line", ALONE),
        ],
    );
    let cases: &[Case] = &[
        ("//nolint:all", TOP, "golangci", &[], Scope::File, false),
        ("//nolint:gosec", BEHIND, "golangci", &["gosec"], Scope::Line, false),
        ("// nolint", BEHIND, "golangci", &[], Scope::Line, false),
        ("//nolint: gosec, errcheck // checked above", BEHIND, "golangci", &["gosec", "errcheck"], Scope::Line, true),
        ("//nolint:errcheck", ALONE, "golangci", &["errcheck"], Scope::Declaration, false),
        ("//lint:file-ignore U1000 kept for the old importers", ALONE, "staticcheck", &["U1000"], Scope::File, true),
        ("//lint:ignore SA4006,SA1019 old", ALONE, "staticcheck", &["SA4006", "SA1019"], Scope::NextLine, true),
        ("/* #nosec G501 */", BEHIND, "gosec", &["G501"], Scope::Line, false),
        ("// #nosec G204", BEHIND, "gosec", &["G204"], Scope::Line, false),
        ("//#nosec", BEHIND, "gosec", &[], Scope::Line, false),
        ("//revive:disable-next-line:exported", ALONE, "revive", &["exported"], Scope::NextLine, false),
        ("//revive:disable", TOP, "revive", &[], Scope::File, false),
        ("//exhaustive:ignore", ALONE, "exhaustive", &[], Scope::NextLine, false),
    ];
    all("go", cases);
    none(
        "go",
        &[
            ("// nolintlint reports every nolint directive that lacks a reason, and", ALONE),
            ("// nolint directives are counted", ALONE),
            ("// nosec without a rule. See also lint:ignore in the staticcheck docs.", ALONE),
            ("// lint:ignore SA4006 old", ALONE),
            ("//lint:ignore", ALONE),
            ("//go:noinline", ALONE),
            ("//export nolint", ALONE),
            ("//revive:enable", ALONE),
        ],
    );
}

#[test]
fn other_languages() {
    let cases: &[(&str, Case)] = &[
        ("java", ("// NOPMD - old", BEHIND, "pmd", &[], Scope::Line, true)),
        ("java", ("// CHECKSTYLE:OFF", ALONE, "checkstyle", &[], Scope::Range, false)),
        ("java", ("// noinspection unchecked", ALONE, "noinspection", &["unchecked"], Scope::NextLine, false)),
        ("kotlin", ("// ktlint-disable no-wildcard-imports", BEHIND, "ktlint", &["no-wildcard-imports"], Scope::Line, false)),
        ("csharp", ("// ReSharper disable once InconsistentNaming", ALONE, "resharper", &["InconsistentNaming"], Scope::NextLine, false)),
        ("ruby", ("# rubocop:disable Metrics", TOP, "rubocop", &["Metrics"], Scope::File, false)),
        (
            "ruby",
            (
                "# note for readers # rubocop:disable Style/OptionalBooleanParameter",
                BEHIND,
                "rubocop",
                &["Style/OptionalBooleanParameter"],
                Scope::Line,
                false,
            ),
        ),
        ("ruby", ("# rubocop:todo Lint/SuppressedException -- later", BEHIND, "rubocop", &["Lint/SuppressedException"], Scope::Line, true)),
        ("ruby", ("# :nocov:", ALONE, "simplecov", &[], Scope::Range, false)),
        ("php", ("// @phpstan-ignore-next-line", ALONE, "phpstan", &[], Scope::NextLine, false)),
        ("php", ("/**\n * Reads.\n * @psalm-suppress MixedReturn\n */", ALONE, "psalm", &["MixedReturn"], Scope::NextLine, false)),
        ("php", ("/* phpcs:ignore Generic.Files.LineLength */", BEHIND, "phpcs", &["Generic.Files.LineLength"], Scope::Line, false)),
        ("swift", ("// swiftlint:disable force_try", TOP, "swiftlint", &["force_try"], Scope::File, false)),
        (
            "swift",
            (
                "// swiftlint:disable:next cyclomatic_complexity function_body_length",
                ALONE,
                "swiftlint",
                &["cyclomatic_complexity", "function_body_length"],
                Scope::NextLine,
                false,
            ),
        ),
        ("swift", ("// swiftlint:disable:this force_unwrapping", BEHIND, "swiftlint", &["force_unwrapping"], Scope::Line, false)),
        ("cpp", ("// NOLINT(bugprone-x, cert-y)", BEHIND, "clang-tidy", &["bugprone-x", "cert-y"], Scope::Line, false)),
        ("cpp", ("// NOLINTNEXTLINE", ALONE, "clang-tidy", &[], Scope::NextLine, false)),
        ("cpp", ("// cppcheck-suppress unusedFunction", ALONE, "cppcheck", &["unusedFunction"], Scope::NextLine, false)),
        ("c", ("//-V501", BEHIND, "pvs-studio", &["501"], Scope::Line, false)),
        (
            "elixir",
            (
                "# credo:disable-for-this-file Credo.Check.Readability.ModuleDoc",
                ALONE,
                "credo",
                &["Credo.Check.Readability.ModuleDoc"],
                Scope::File,
                false,
            ),
        ),
        ("elixir", ("# coveralls-ignore-start", ALONE, "excoveralls", &[], Scope::Range, false)),
        ("scala", ("// scalafix:off DisableSyntax.asInstanceOf", ALONE, "scalafix", &["DisableSyntax.asInstanceOf"], Scope::Range, false)),
        ("scala", ("// $COVERAGE-OFF$", ALONE, "scoverage", &[], Scope::Range, false)),
        (
            "dart",
            (
                "// ignore_for_file: public_member_api_docs, avoid_print",
                TOP,
                "dart",
                &["public_member_api_docs", "avoid_print"],
                Scope::File,
                false,
            ),
        ),
        ("dart", ("// ignore: unnecessary_lambdas", BEHIND, "dart", &["unnecessary_lambdas"], Scope::Line, false)),
        ("dart", ("// ignore_for_file: type=lint", TOP, "dart", &["type=lint"], Scope::File, false)),
        ("dart", ("// coverage:ignore-start", ALONE, "dart-coverage", &[], Scope::Range, false)),
        ("bash", ("# shellcheck disable=SC2034,SC2154", TOP, "shellcheck", &["SC2034", "SC2154"], Scope::File, false)),
        ("bash", ("# shellcheck disable=2086 disable=SC2029", ALONE, "shellcheck", &["2086", "SC2029"], Scope::NextLine, false)),
        ("lua", ("-- luacheck: ignore 212", TOP, "luacheck", &["212"], Scope::File, false)),
        ("lua", ("-- luacheck: no unused args", BEHIND, "luacheck", &["unused args"], Scope::Line, false)),
        (
            "lua",
            (
                "---@diagnostic disable-next-line: undefined-global",
                ALONE,
                "lua-language-server",
                &["undefined-global"],
                Scope::NextLine,
                false,
            ),
        ),
        ("lua", ("-- selene: allow(unused_variable)", ALONE, "selene", &["unused_variable"], Scope::NextLine, false)),
        ("dockerfile", ("# hadolint ignore=DL3008,DL3009", ALONE, "hadolint", &["DL3008", "DL3009"], Scope::NextLine, false)),
        ("terraform", ("#tfsec:ignore:aws-s3-enable-logging", ALONE, "tfsec", &["aws-s3-enable-logging"], Scope::NextLine, false)),
        ("terraform", ("# checkov:skip=CKV_AWS_20:public on purpose", ALONE, "checkov", &["CKV_AWS_20:public"], Scope::Range, true)),
        ("yaml", ("# yamllint disable-line rule:line-length", BEHIND, "yamllint", &["rule:line-length"], Scope::Line, false)),
        ("yaml", ("# zizmor: ignore[artipacked]", BEHIND, "zizmor", &["artipacked"], Scope::Line, false)),
        ("sql", ("-- noqa: LT01", BEHIND, "sqlfluff", &["LT01"], Scope::Line, false)),
        ("proto", ("// buf:lint:ignore ENUM_ZERO_VALUE_SUFFIX", ALONE, "buf", &["ENUM_ZERO_VALUE_SUFFIX"], Scope::NextLine, false)),
        ("markdown", ("<!-- markdownlint-disable MD033 MD041 -->", TOP, "markdownlint", &["MD033", "MD041"], Scope::File, false)),
        ("go", ("// gitleaks:allow", BEHIND, "gitleaks", &[], Scope::Line, false)),
    ];
    for (language, case) in cases {
        all(language, &[*case]);
    }
    none("java", &[("// @formatter:off", ALONE), ("// CHECKSTYLE:ON", ALONE), ("// spotless:off", ALONE)]);
    none("kotlin", &[("// ktlint-disable max-line-length", BEHIND)]);
    none("ruby", &[("# rubocop:enable Metrics", ALONE), ("# frozen_string_literal: true", TOP), ("# typed: strict", TOP)]);
    none(
        "php",
        &[
            ("// phpcs:enable", ALONE),
            ("/** @phpstan-param Row $row */", ALONE),
            (
                "/**\n * Writes CSV. The old class needed phpstan-ignore on every line.\n *\n * @see https://docs.example/suppress#psalm-suppress\n * @phpstan-type Row array{string, int}\n */",
                ALONE,
            ),
        ],
    );
    none(
        "cpp",
        &[
            ("// clang-format off", ALONE),
            ("// The NOLINT comments of the old file were removed in favour of gsl::span.", ALONE),
            ("// NOLINTEND", ALONE),
        ],
    );
    none(
        "bash",
        &[("# shellcheck source=./env.sh", ALONE), ("# shellcheck disable SC2034", ALONE), ("# shellcheck disable=SC2034", BEHIND)],
    );
    none("lua", &[("-- luacheck: globals love", TOP), ("---@diagnostic enable: x", ALONE)]);
    none("terraform", &[("# The scanner skips this folder? No: see checkov.yaml, nothing is skipped.", TOP)]);
}
