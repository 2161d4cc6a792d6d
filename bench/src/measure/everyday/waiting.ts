import type { McpServer } from "../mcp-server.js";

/** Calls by which a server runs a program and continues with it. */
export interface Hand {
  readonly build: (folder: string, seconds: number, waitMs: number) => readonly [tool: string, args: object];
  readonly repl: readonly [tool: string, args: object];
  /** Returns the argument that names the program in later calls. */
  readonly idOf: (text: string) => object;
  readonly read: (waitMs: number) => readonly [tool: string, args: object];
  readonly send: (input: string) => readonly [tool: string, args: object];
}

const LONG_MS = 20_000;

export const OUR_HAND: Hand = {
  build: (_folder, seconds) => ["te_run", { command: buildOf(seconds) }],
  repl: ["linux_proc_start", { command: "python3 -i", wait_ms: LONG_MS }],
  idOf: (text) => ({ proc_id: /\bp_\w{6}\b/.exec(text)?.[0] ?? "" }),
  read: (timeout_ms) => ["linux_proc_read", { timeout_ms }],
  send: (input) => ["linux_proc_send", { input, wait_ms: LONG_MS }],
};

export const THEIR_HAND: Hand = {
  build: (folder, seconds, timeout_ms) => [
    "start_process",
    { command: `cd ${folder}; ${buildOf(seconds)}`, timeout_ms },
  ],
  repl: ["start_process", { command: "python3 -i", timeout_ms: LONG_MS }],
  idOf: (text) => ({ pid: Number(/PID (\d+)/.exec(text)?.[1] ?? 0) }),
  read: (timeout_ms) => ["read_process_output", { timeout_ms }],
  send: (input) => ["interact_with_process", { input, timeout_ms: LONG_MS }],
};

function buildOf(seconds: number): string {
  return `node scripts/slow-build.js ${seconds}`;
}

export interface Followed {
  readonly calls: number;
  readonly longestMs: number;
}

/** Calls after which following ends; a model gives up sooner. */
const MANY_CALLS = 100;

export interface Build {
  readonly folder: string;
  readonly seconds: number;
}

/** Runs a build, and waits for its last line with calls that may take `waitMs` each. */
export async function followBuild(
  server: McpServer,
  hand: Hand,
  { folder, seconds }: Build,
  waitMs: number,
): Promise<Followed> {
  let calls = 0;
  let longestMs = 0;
  const ask = async ([tool, args]: readonly [string, object], id: object): Promise<string> => {
    const began = performance.now();
    const text = await server.call(tool, { ...id, ...args });
    longestMs = Math.max(longestMs, performance.now() - began);
    calls += 1;
    return text;
  };
  let text = await ask(hand.build(folder, seconds, waitMs), {});
  const id = hand.idOf(text);
  while (!text.includes("build finished")) {
    if (calls === MANY_CALLS) throw new Error(`not at its end after ${calls} calls`);
    text = await ask(hand.read(waitMs), id);
  }
  return { calls, longestMs };
}

/** Input of one or more lines for a REPL, and texts that its answer contains. */
export interface Question {
  readonly input: string;
  readonly answer: readonly string[];
}

/** Makes the nth question, which is slow and puts its number into each answer. */
export function question(nth: number): Question {
  const slow = `time.sleep(${(0.05 + ((nth * 37) % 90) / 100).toFixed(2)})`;
  const own = `r${nth}_`;
  const kinds: readonly Question[] = [
    { input: `${slow}; print("${own}", 3 * ${nth})`, answer: [`${own} ${3 * nth}`] },
    {
      input: `def double(n):\n    ${slow}\n    return "${own}" + str(2 * n)\n\ndouble(${nth})`,
      answer: [`'${own}${2 * nth}'`],
    },
    {
      input: `for turn in range(3):\n    print("${own}", turn)\n    time.sleep(0.45)\n`,
      answer: [`${own} 0`, `${own} 1`, `${own} 2`],
    },
    {
      input: `print("${own}a"); ${slow}\nprint("${own}b"); ${slow}\nprint("${own}c")`,
      answer: [`${own}a`, `${own}b`, `${own}c`],
    },
    { input: `${slow}; raise ValueError("${own}")`, answer: [`ValueError: ${own}`] },
  ];
  return kinds[nth % kinds.length] as Question;
}

/** Tells whether a text has the whole answer to a question, and no part of another answer. */
export function isRight({ answer }: Question, nth: number, text: string): boolean {
  const owners = [...text.matchAll(/\br(\d+)_/g)].map(([, owner]) => Number(owner));
  return answer.every((part) => text.includes(part)) && owners.every((owner) => owner === nth);
}

/** Asks one REPL the given questions until `untilMs`, and returns the number of right answers. */
export async function askRepl(
  server: McpServer,
  hand: Hand,
  nths: readonly number[],
  untilMs: number,
): Promise<number> {
  const id = hand.idOf(await server.call(...hand.repl));
  const ask = async (input: string): Promise<string> => {
    const [tool, args] = hand.send(input);
    return await server.call(tool, { ...id, ...args });
  };
  await ask("import time");
  let right = 0;
  for (const nth of nths) {
    if (performance.now() > untilMs) break;
    const asked = question(nth);
    if (isRight(asked, nth, await ask(asked.input))) right += 1;
  }
  return right;
}
