import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";

/** A program of `programs/` as one file that node runs, readable for everybody. */
export async function bundle(name: string): Promise<string> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "te-fs-program-")));
  chmodSync(dir, 0o755);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
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

export interface Child {
  readonly process: ChildProcess;
  /** All that it has written, once it has ended. */
  readonly output: Promise<string>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

export function start(file: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { process: child, output: ended.then(() => output), kill };
}
