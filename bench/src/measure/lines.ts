import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { endAll, treeOf } from "./process-tree.js";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** A child that is asked by one JSON line and answers by one that carries the same id. */
export interface LineChild {
  readonly pid: number;
  ask(line: { readonly id: number; readonly [key: string]: unknown }): Promise<Answer>;
  tell(line: object): void;
  end(): Promise<void>;
}

export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Milliseconds until a request fails, because clients drop a call after a minute. */
const ANSWER_MS = 60_000;
const END_MS = 1000;
const running = new Set<number>();

// Whatever ends us, nobody is left behind.
process.on("exit", () => {
  for (const pid of running) endAll(treeOf(pid));
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

export function startChild({ file, args, env, cwd }: Command): LineChild {
  const child = spawn(file, args, { env, cwd, stdio: ["pipe", "pipe", "ignore"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${args[0] ?? file} could not be started`);
  running.add(pid);
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  child.once("exit", (code, signal) => {
    running.delete(pid);
    for (const { reject } of waiting.values()) reject(new Error(`it ended (${code ?? signal})`));
  });
  child.stdin.on("error", () => {});
  readLines(child.stdout, (answer) => {
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });

  return {
    pid,
    tell: (line) => write(child.stdin, line),
    ask(line) {
      const answer = new Promise<Answer>((resolve, reject) => {
        if (child.exitCode !== null) reject(new Error(`it ended (${child.exitCode})`));
        const late = setTimeout(() => reject(new Error(`no answer in ${ANSWER_MS / 1000} s`)), ANSWER_MS);
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(late);
            settle(value);
          };
        waiting.set(line.id, { resolve: settled(resolve), reject: settled(reject) });
      });
      write(child.stdin, line);
      return answer;
    },
    end: () => end(child, pid),
  };
}

function write(stdin: Writable, line: object): void {
  stdin.write(`${JSON.stringify(line)}\n`);
}

function readLines(stdout: Readable, onAnswer: (answer: Answer & { readonly id: number }) => void): void {
  let pieces: Buffer[] = [];
  stdout.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString();
      pieces = [];
      from = at + 1;
      if (line.startsWith("{")) onAnswer(JSON.parse(line) as Answer & { id: number });
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  });
}

/** A server ends when its stdin does; what does not, and what it leaves behind, is ended. */
async function end(child: ChildProcess, pid: number): Promise<void> {
  const tree = treeOf(pid);
  child.stdin?.end();
  if (child.exitCode === null && child.signalCode === null) {
    await Promise.race([once(child, "exit"), delay(END_MS, undefined, { ref: false })]);
  }
  endAll([...tree, ...treeOf(pid)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  running.delete(pid);
}
