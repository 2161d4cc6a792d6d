import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Remedy } from "@llmc/errors";
import { onTestFinished } from "vitest";

/** A fresh folder, gone after the test. */
export function freshDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "te-fs-")));
  // Node's own rm stops at paths longer than PATH_MAX, and neither may follow a mount that a test left behind.
  onTestFinished(() => void execFileSync("rm", ["-rf", "--one-file-system", dir]));
  return dir;
}

export interface Link {
  readonly to: string;
}

/** Files by their text, links by `{ to }`, folders by `null`. */
export function plant(dir: string, entries: Readonly<Record<string, string | Buffer | Link | null>>): string {
  for (const [name, what] of Object.entries(entries)) {
    const path = join(dir, name);
    mkdirSync(what === null ? path : dirname(path), { recursive: true });
    if (what === null) continue;
    if (typeof what === "string" || Buffer.isBuffer(what)) writeFileSync(path, what);
    else symlinkSync(what.to, path);
  }
  return dir;
}

/** The facts of an error that a caller sees. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly remedy: Remedy | undefined;
}

export async function failure(work: Promise<unknown>): Promise<Failure> {
  const { code, message, hint, remedy } = await work.then(
    () => ({ code: "none", message: "it did not fail", hint: undefined, remedy: undefined }),
    (error: unknown) => error as Failure,
  );
  return { code, message, hint, remedy };
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await failure(work)).code;
}
