// Bundles the extension into one file; `node esbuild.mjs test` bundles the tests instead.
import { build } from "esbuild";

const test = process.argv[2] === "test";

await build({
  entryPoints: test ? ["src/test/server.test.ts", "src/test/status.test.ts"] : ["src/extension.ts"],
  outdir: test ? "dist/test" : "dist",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: !test,
  logLevel: "info",
});
