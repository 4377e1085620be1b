//! Directives of JavaScript, TypeScript, their frameworks and style sheets.

use super::row::{Check, Codes::*, Reach::*, Row, row};

const JS: &[&str] =
    &["javascript", "javascriptreact", "typescript", "typescriptreact", "jsx", "tsx", "vue", "svelte", "astro", "mdx", "graphql"];
const PAGES: &[&str] = &["html", "vue", "svelte", "astro", "angular", "markdown"];
const CSS: &[&str] =
    &["css", "scss", "less", "sass", "vue", "svelte", "html", "javascript", "typescript", "javascriptreact", "typescriptreact"];

pub(super) const ROWS: &[Row] = &[
    // ESLint. The file form lives in block comments only; a line comment with it is inert.
    row("eslint", JS, "eslint-disable-next-line", Commas, Next),
    row("eslint", JS, "eslint-disable-line", Commas, Line),
    row("eslint", JS, "eslint-disable", Commas, Rest).block(),
    row("eslint", PAGES, "eslint-disable-next-line", Commas, Next),
    row("eslint", PAGES, "eslint-disable-line", Commas, Line),
    row("eslint", PAGES, "eslint-disable", Commas, Rest).block(),
    row("eslint", JS, "eslint ", Nothing, Rest).block().check(Check::EslintConfig).needs_codes(),
    row("oxlint", JS, "oxlint-disable-next-line", Commas, Next),
    row("oxlint", JS, "oxlint-disable-line", Commas, Line),
    row("oxlint", JS, "oxlint-disable", Commas, Rest),
    row("standard", JS, "standard-disable-next-line", Commas, Next),
    row("standard", JS, "standard-disable-line", Commas, Line),
    row("standard", JS, "standard-disable", Commas, Rest).block(),
    // Biome names a category first; `format` is its formatter.
    row("biome", &[], "biome-ignore-all", One, File).check(Check::NotFormat).needs_codes(),
    row("biome", &[], "biome-ignore-start", One, Range).check(Check::NotFormat).needs_codes(),
    row("biome", &[], "biome-ignore", One, Next).check(Check::NotFormat).needs_codes(),
    row("biome", &[], "rome-ignore", One, Next).check(Check::NotFormat).needs_codes(),
    row("deno", JS, "deno-lint-ignore-file", Blanks, File),
    row("deno", JS, "deno-lint-ignore", Blanks, Next),
    // TypeScript. In a block comment the last line counts; what follows the word does not matter to it.
    row("typescript", JS, "@ts-ignore~", Nothing, Next).last_line(),
    row("ts-expect-error", JS, "@ts-expect-error~", Nothing, Next).last_line(),
    row("typescript", JS, "@ts-nocheck", Nothing, File).first(),
    row("flow", JS, "$FlowFixMe", Bracket, Next),
    row("flow", JS, "$FlowIgnore", Bracket, Next),
    row("flow", JS, "$FlowIssue", Bracket, Next),
    row("flow", JS, "$FlowExpectedError", Bracket, Next),
    row("flow", JS, "flowlint-next-line", Nothing, Next),
    row("flow", JS, "@noflow", Nothing, File).first().each_line(),
    row("tslint", JS, "tslint:disable-next-line", Colon, Next),
    row("tslint", JS, "tslint:disable-line", Colon, Line),
    row("tslint", JS, "tslint:disable", Colon, Rest),
    row("jshint", JS, "jshint ignore:~start", Nothing, Range),
    row("jshint", JS, "jshint ignore:~line", Nothing, Line),
    // Coverage.
    row("istanbul", JS, "istanbul ignore file", Nothing, File),
    row("istanbul", JS, "istanbul ignore next", Nothing, Next),
    row("istanbul", JS, "istanbul ignore if", Nothing, Next),
    row("istanbul", JS, "istanbul ignore else", Nothing, Next),
    row("c8", JS, "c8 ignore file", Nothing, File),
    row("c8", JS, "c8 ignore start", Nothing, Range),
    row("c8", JS, "c8 ignore next", Nothing, LineOrNext),
    row("c8", JS, "c8 ignore if", Nothing, Next),
    row("c8", JS, "c8 ignore else", Nothing, Next),
    row("v8", JS, "v8 ignore file", Nothing, File),
    row("v8", JS, "v8 ignore start", Nothing, Range),
    row("v8", JS, "v8 ignore next", Nothing, LineOrNext),
    row("v8", JS, "v8 ignore if", Nothing, Next),
    row("v8", JS, "v8 ignore else", Nothing, Next),
    row("node-coverage", JS, "node:coverage disable", Nothing, Range),
    row("node-coverage", JS, "node:coverage ignore next", Nothing, Next),
    row("stryker", &[], "Stryker disable next-line", Commas, Next),
    row("stryker", &[], "Stryker disable once", Commas, Next),
    row("stryker", &[], "Stryker disable", Commas, Rest),
    // Unused code.
    row("knip", JS, "@knipignore", Nothing, Next),
    row("ts-prune", JS, "ts-prune-ignore-next", Nothing, Next),
    row("ts-unused-exports", JS, "ts-unused-exports:disable-next-line", Nothing, Next),
    row("ts-unused-exports", JS, "ts-unused-exports:disable", Nothing, File),
    // Style sheets and pages.
    row("stylelint", CSS, "stylelint-disable-next-line", Commas, Next),
    row("stylelint", CSS, "stylelint-disable-line", Commas, Line),
    row("stylelint", CSS, "stylelint-disable", Commas, Rest),
    row("svelte", PAGES, "svelte-ignore", Blanks, Next),
    row("markuplint", PAGES, "markuplint-disable-next-line", Commas, Next),
    row("markuplint", PAGES, "markuplint-disable", Commas, Rest),
    row("htmlhint", PAGES, "htmlhint ", Nothing, Rest),
];
