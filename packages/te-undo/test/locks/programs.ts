import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";
import { scratch } from "./scratch.js";

/** A program of `programs/` as one file that node runs. */
export async function bundled(name: string): Promise<string> {
  const dir = scratch();
  const build = await rolldown({
    input: join(import.meta.dirname, "programs", `${name}.ts`),
    platform: "node",
    transform: { target: "node20" },
    resolve: { conditionNames: ["llmc-source", "node", "import"], extensionAlias: { ".js": [".ts", ".js"] } },
  });
  await build.write({ dir, format: "esm", entryFileNames: "main.mjs" });
  await build.close();
  return join(dir, "main.mjs");
}

export interface Running {
  readonly child: ChildProcess;
  /** Everything it has written. */
  readonly output: () => string;
  /** Resolves with its output once it has written this; rejects when it ends before. */
  says(text: string): Promise<string>;
  kill(): Promise<void>;
}

/** Killed after the test. */
export function run(argv: readonly [string, ...string[]]): Running {
  const child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  let output = "";
  let problem = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return {
    child,
    output: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => (output.includes(text) ? resolve(output) : undefined);
        child.stdout.on("data", look);
        void ended.then(() => reject(new Error(`it ended without "${text}": ${output}${problem}`)));
        look();
      }),
    kill,
  };
}
