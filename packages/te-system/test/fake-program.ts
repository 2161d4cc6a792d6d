import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Fake {
  /** The PATH that finds it. */
  readonly path: string;
  readonly folder: string;
  /** The arguments of every call, one line each. */
  calls(): string[];
}

/** What it prints, and with which exit code, for calls whose arguments match the pattern of a shell's case. */
export interface Answer {
  readonly when: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
  readonly hangs?: boolean;
}

/** A program that replays answers, in a folder of its own that stands first in the PATH. */
export function fakeProgram(name: string, answers: readonly Answer[]): Fake {
  const folder = mkdtempSync(join(tmpdir(), "te-system-fake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "answers"));
  const cases = answers.map(({ when, stdout = "", stderr = "", exit = 0, hangs = false }, index) => {
    const file = join(folder, "answers", String(index));
    writeFileSync(`${file}.out`, stdout);
    writeFileSync(`${file}.err`, stderr);
    return `  ${when}) cat "${file}.out"; cat "${file}.err" >&2; ${hangs ? "exec sleep 600" : `exit ${exit}`};;`;
  });
  const script = [
    "#!/bin/sh",
    `echo "$*" >> "${folder}/calls"`,
    'case "$*" in',
    ...cases,
    "  *) exit 64;;",
    "esac",
    "",
  ];
  writeFileSync(join(folder, name), script.join("\n"));
  chmodSync(join(folder, name), 0o755);
  return {
    folder,
    path: `${folder}:/usr/bin:/bin`,
    calls: () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n"),
  };
}
