//! Directives that hold in many languages: inspections of editors, scanners of secrets and infrastructure, SQL, documents.

use super::row::{Check, Codes::*, Reach::*, Row, row};

const YAML: &[&str] = &["yaml", "yml", "github-actions", "ansible", "helm"];
const DOCKER: &[&str] = &["dockerfile", "containerfile"];
const INFRA: &[&str] =
    &["terraform", "hcl", "yaml", "dockerfile", "containerfile", "json", "bicep", "typescript", "python", "go", "javascript"];
const SQL: &[&str] = &["sql", "plsql", "jinja-sql"];
const PROTO: &[&str] = &["proto", "protobuf"];
const PROSE: &[&str] = &["markdown", "mdx", "html", "asciidoc", "restructuredtext", "latex"];

pub(super) const ROWS: &[Row] = &[
    row("sonar", &[], "NOSONAR", Paren, Line).again().check(Check::NoProse),
    row("noinspection", &[], "noinspection", Commas, LineOrNext).needs_codes(),
    row("semgrep", &[], "nosemgrep", Colon, LineOrNext).again().check(Check::NoProse),
    row("semgrep", &[], "nosem", Colon, LineOrNext).check(Check::NoProse),
    row("gitleaks", &[], "gitleaks:allow", Nothing, Line).again(),
    row("detect-secrets", &[], "pragma:~allowlist nextline secret", Nothing, Next).again(),
    row("detect-secrets", &[], "pragma:~allowlist secret", Nothing, Line).again(),
    row("detect-secrets", &[], "pragma:~whitelist secret", Nothing, Line).again(),
    row("trufflehog", &[], "trufflehog:ignore", Nothing, Line).again(),
    row("ggshield", &[], "ggignore", Nothing, Line).again(),
    row("ggshield", &[], "pragma:~ggignore", Nothing, Line).again(),
    row("codeql", &[], "codeql", Bracket, LineOrNext).again().needs_codes(),
    row("lgtm", &[], "lgtm", Bracket, Line).again().needs_codes(),
    row("snyk", &[], "deepcode ignore", One, Next),
    row("snyk", &[], "file deepcode ignore", One, File),
    row("snyk", &[], "snyk:ignore", One, Next),
    row("devskim", &[], "DevSkim:~ignore", Blanks, Line).again(),
    row("jscpd", &[], "jscpd:ignore-start", Nothing, Range),
    row("trunk", &[], "trunk-ignore-all", Paren, File),
    row("trunk", &[], "trunk-ignore-begin", Paren, Range),
    row("trunk", &[], "trunk-ignore", Paren, LineOrNext),
    row("lizard", &[], "#lizard forgives", Nothing, Next),
    row("lizard", &[], "lizard forgives", Nothing, Next),
    // Infrastructure and pipelines.
    row("hadolint", DOCKER, "hadolint global ignore", Equals, File),
    row("hadolint", DOCKER, "hadolint ignore", Equals, Next),
    row("checkov", INFRA, "checkov:skip", Equals, Range),
    row("trivy", INFRA, "trivy:ignore:", One, Next),
    row("tfsec", INFRA, "tfsec:ignore:", One, LineOrNext),
    row("kics", INFRA, "kics-scan ignore-block", Nothing, Next),
    row("kics", INFRA, "kics-scan ignore-line", Nothing, Next),
    row("kics", INFRA, "kics-scan ignore", Nothing, File),
    row("kics", INFRA, "kics-scan disable", Equals, File),
    row("tflint", INFRA, "tflint-ignore-file", Colon, File),
    row("tflint", INFRA, "tflint-ignore", Colon, LineOrNext),
    row("terrascan", INFRA, "ts:skip", Equals, Range),
    row("zizmor", YAML, "zizmor:~ignore", Bracket, Line),
    row("yamllint", YAML, "yamllint disable-file", Nothing, File),
    row("yamllint", YAML, "yamllint disable-line", Blanks, LineOrNext),
    row("yamllint", YAML, "yamllint disable", Blanks, Rest),
    row("ansible-lint", YAML, "noqa", Colon, Line).again().check(Check::NoProse),
    row("regal", &["rego"], "regal ignore:", Commas, Next),
    // SQL and interface definitions.
    row("sqlfluff", SQL, "noqa", Colon, Line).fold().check(Check::NoProse),
    row("squawk", SQL, "squawk-ignore-file", Commas, File),
    row("squawk", SQL, "squawk-ignore", Commas, Next),
    row("buf", PROTO, "buf:lint:ignore", Blanks, Next),
    row("protolint", PROTO, "protolint:disable:next", Blanks, Next),
    row("protolint", PROTO, "protolint:disable:this", Blanks, Line),
    row("protolint", PROTO, "protolint:disable", Blanks, Rest),
    row("api-linter", PROTO, "api-linter:", One, Next),
    // Documents and spelling.
    row("markdownlint", PROSE, "markdownlint-disable-next-line", Blanks, Next),
    row("markdownlint", PROSE, "markdownlint-disable-line", Blanks, Line),
    row("markdownlint", PROSE, "markdownlint-disable-file", Blanks, File),
    row("markdownlint", PROSE, "markdownlint-disable", Blanks, Rest),
    row("vale", PROSE, "vale off", Nothing, Range),
    row("textlint", PROSE, "textlint-disable", Commas, Range),
    row("cspell", &[], "cspell:disable-next-line", Nothing, Next).fold().each_line(),
    row("cspell", &[], "cspell:disable-line", Nothing, Line).fold(),
    row("cspell", &[], "cspell:~disable", Nothing, Range).fold(),
    row("cspell", &[], "cspell:~ignore", Blanks, File).fold().needs_codes(),
    row("codespell", &[], "codespell:ignore-begin", Nothing, Range),
    row("codespell", &[], "codespell:ignore", Commas, Line).again(),
];
