import type { OpsError } from "@llmc/errors";
import { openFiles } from "../../src/index.js";
import type { ChangeOptions } from "@llmc/te-undo";

interface Job {
  readonly roots: readonly string[];
  readonly stateDir?: string;
  /** Whom the work is done as. */
  readonly uid?: number;
  /** Method, arguments, options of each call. */
  readonly calls: readonly (readonly [
    method: "move" | "copy" | "remove" | "write" | "applyDiff" | "undo",
    args: readonly string[],
    options: object,
  ])[];
}

// Does the calls it is given, one after the other, and writes what came of each as a line of JSON.
const job = JSON.parse(process.argv[2] ?? "") as Job;
if (job.uid !== undefined) process.setuid?.(job.uid);
const { roots, stateDir = null } = job;
const files = openFiles({ roots, stateDir, home: "/nonexistent-home", homes: [] });
for (const [method, args, options] of job.calls) {
  const call = files[method] as (...all: unknown[]) => Promise<unknown>;
  const me: ChangeOptions = { owner: "me", session: "s1" };
  const [path = "", content = ""] = args;
  const given = method === "write" ? [path, Buffer.from(content)] : method === "undo" ? [undefined] : args;
  const said = await call(...given, { ...me, ...options }).catch(({ code, message, hint, details }: OpsError) => ({
    code,
    message,
    hint,
    details,
  }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
files.close();
