import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkTypes } from "../src/smoke/types.js";

/** A project in which packages are installed, each with these declarations. */
function project(packages: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "smoke-types-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, declarations] of Object.entries(packages)) {
    const folder = join(dir, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", types: "index.d.ts" }));
    writeFileSync(join(folder, "index.d.ts"), declarations);
  }
  return dir;
}

// The compiler checks all of @types/node as well: seconds on an idle machine, many where others use it.
test(
  "an error in a library behind a package is told with its file, and sound packages are not told",
  {
    timeout: 120_000,
  },
  async () => {
    const dir = project({
      sound: "export declare function read(): Buffer;\n",
      ours: 'export { type Query } from "library";\n',
      library: "export interface Query extends Missing {}\n",
    });
    const refusal = await checkTypes(dir, ["sound", "ours"]).catch((thrown: Error) => thrown.message);
    const errors = refusal?.match(/^.*error TS.*$/gm);
    expect(errors).toEqual([expect.stringMatching(/node_modules\/library\/index\.d\.ts.*Missing/)]);
  },
);
