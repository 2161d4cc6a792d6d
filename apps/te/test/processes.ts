import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A bundle of the tests' own, so that a rebuilt dist/ does not disturb them. */
const BUNDLE = fileURLToPath(new URL("../.reports/bundle", import.meta.url));
export const TE = join(BUNDLE, "main.js");
export const LLMC = join(BUNDLE, "llmc.js");

export interface Ended {
  /** Exit code, or the name of the signal that ended the program. */
  readonly code: number | string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface Given {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder of its own as the home and the working folder of programs, removed after the test. */
export function freshHome() {
  const home = mkdtempSync(join(tmpdir(), "te-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));

  const launch = (argv: readonly string[], env: Given["env"] = {}): ChildProcessWithoutNullStreams => {
    const [program = "", ...args] = argv;
    const child = spawn(program, args, { cwd: home, env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env } });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.on("error", () => undefined);
    return child;
  };
  const run = async (argv: readonly string[], { input = "", env }: Given = {}): Promise<Ended> => {
    const child = launch(argv, env);
    child.stdin.end(input);
    return await endOf(child);
  };
  return {
    home,
    launch,
    run,
    launchTe: (...args: string[]) => launch([process.execPath, TE, ...args]),
    te: (args: readonly string[], given?: Given) => run([process.execPath, TE, ...args], given),
    llmc: (...args: string[]) => run([process.execPath, LLMC, ...args]),
    /** Writes a file, executable where asked for. */
    file: (name: string, content: string | Buffer, mode = 0o644): string => {
      const path = join(home, name);
      writeFileSync(path, content);
      chmodSync(path, mode);
      return path;
    },
  };
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    bytesOf(child.stdout),
    bytesOf(child.stderr),
    once(child, "close") as Promise<[number | null, string | null]>,
  ]);
  return { code: code ?? signal, stdout, stderr };
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const texts = ({ code, stdout, stderr }: Ended) => ({
  code,
  stdout: stdout.toString(),
  stderr: stderr.toString(),
});

/** Output of 302 tests, of which one failed. */
export const TEST_RUN = [
  "running 302 tests",
  "test a ... ok",
  ...Array.from({ length: 300 }, (_, at) => `test number_${at} ... ok`),
  "test bad ... FAILED",
  "",
  "failures:",
  "",
  "---- bad stdout ----",
  "",
  "thread 'bad' panicked at src/lib.rs:7:5:",
  "assertion `left == right` failed",
  "  left: 1",
  " right: 2",
  "",
  "failures:",
  "    bad",
  "",
  "test result: FAILED. 301 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
  "",
].join("\n");

export const SHORT_RUN = /^\[exit 101 · \d+ lines? cut: te --handle (h\d{6}) --match RE\]\n/;

/** Returns the short name in the marker of an output. */
export function handleIn(text: string): string {
  return /te (?:--data-dir \S+ )?--handle (h\d{6})/.exec(text)?.[1] ?? "";
}
