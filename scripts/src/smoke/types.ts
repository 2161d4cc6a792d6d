import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { ROOT } from "../workspace.js";

const TSC = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const OPTIONS = {
  strict: true,
  target: "ES2023",
  lib: ["ES2023"],
  module: "NodeNext",
  noEmit: true,
  // Checks the declarations of libraries, because their errors are the consumer's errors too.
  skipLibCheck: false,
  // A consumer installs @types/node for itself; here the workspace's own copy stands in.
  typeRoots: [join(ROOT, "node_modules/@types")],
  types: ["node"],
};

/** Type-checks a program that imports all of the packages. Throws with the compiler's errors. */
export async function checkTypes(project: string, packages: readonly string[]): Promise<void> {
  const imports = packages.map((name, index) => `export * as p${index} from ${JSON.stringify(name)};\n`);
  writeFileSync(join(project, "consumer.mts"), imports.join(""));
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: OPTIONS, files: ["consumer.mts"] }, null, 2),
  );
  const options = { stdin: "ignore", timeout: 300_000, reject: false } as const;
  const { failed, message } = await execa(process.execPath, [TSC, "-p", project], options);
  if (failed) throw new Error(`The declarations do not check: ${message}`);
}
