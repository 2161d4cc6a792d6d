import { z } from "zod";
import type { Advice } from "@llmc/errors";
import { commandText } from "@llmc/te-process";
import type { Outcome } from "../run/run-once.js";
import type { TimeLimits } from "../run/times.js";
import type { Streams } from "./streams.js";

/** Fields of every result of a command, beside its output. */
export const commandFacts = {
  sandbox: z.enum(["bubblewrap", "namespaces", "off"]).optional().describe("What held it; missing: nothing ran."),
  network: z.boolean().optional(),
  held: z.string().optional().describe("What ends it with all that it started, should the server die."),
  duration_ms: z.int(),
  truncated: z.literal(true).optional(),
  stdout_bytes: z.int().optional(),
  stderr_bytes: z.int().optional(),
  handle: z.string().optional().describe("All of stdout, when cut."),
  stderr_handle: z.string().optional(),
  limit: z.enum(["memory", "processes", "file size"]).optional().describe("The bound that was hit."),
  made_executable_config: z.array(z.string()).optional().describe("Files that other programs run, made or replaced."),
  survivors: z.array(z.int()).optional().describe("Pids that even SIGKILL did not end."),
  note: z.string().optional(),
} as const;

/** Most files named in one result, because a clone with all its submodules makes hundreds. */
const SHOWN_MADE = 20;

const factsSchema = z.strictObject(commandFacts);
export type CommandFacts = z.output<typeof factsSchema>;

export interface FactWords {
  readonly hintOf: (advice: Advice) => string;
  readonly limits: Pick<TimeLimits, "handOver"> & { readonly max: number };
}

/** Longest wait to advise, because clients drop a call after 60 seconds. */
const LONGEST_WAIT_MS = 45_000;

export function factsOf(outcome: Outcome, { stdout: _out, stderr: _err, ...streams }: Streams, words: FactWords) {
  const { facts, durationMs, limit, executedByOthers, survivors } = outcome;
  const made = executedByOthers?.slice(0, SHOWN_MADE);
  const unshown = (executedByOthers?.length ?? 0) - (made?.length ?? 0);
  const notes = [...(unshown > 0 ? [`made ${unshown} more that other programs run`] : []), ...notesOf(outcome, words)];
  return {
    ...(facts === undefined ? {} : { sandbox: facts.sandbox, network: facts.network, held: facts.held }),
    duration_ms: durationMs,
    ...streams,
    ...(limit === undefined ? {} : { limit }),
    ...(made === undefined ? {} : { made_executable_config: made }),
    ...(survivors === undefined ? {} : { survivors: [...survivors] }),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}

function notesOf(outcome: Outcome, { hintOf, limits }: FactWords): string[] {
  const { procId, timedOut, leftBehind = [], stdout, stderr, cause, facts } = outcome;
  const isFullScreen = [stdout, stderr].some((stream) => typeof stream !== "string" && stream.isFullScreen);
  const advice = cause === undefined ? (facts?.notes ?? []) : [cause];
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.floor(limits.max * 1000));
  return [
    // A full-screen program without a terminal waits for keys that never come, so waiting for its end is useless.
    ...(procId === undefined || isFullScreen ? [] : [hintOf({ id: "come-back", procId, waitMs })]),
    ...(timedOut ? [hintOf({ id: "more-time" })] : []),
    ...(leftBehind.length === 0 ? [] : [`ended with the command: ${namesOf(leftBehind)}`]),
    ...(leftBehind.length === 0 || limits.handOver === undefined ? [] : [hintOf({ id: "keep-program" })]),
    ...(isFullScreen ? [hintOf({ id: "needs-terminal" })] : []),
    ...advice.map(hintOf),
  ];
}

const SHOWN_PROGRAMS = 3;
const SHOWN_CHARS = 80;

function namesOf(programs: readonly (readonly string[])[]): string {
  const shown = programs.slice(0, SHOWN_PROGRAMS).map((argv) => {
    const text = commandText(argv);
    return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  });
  const more = programs.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Line above the output. */
export function headline(verdict: string, facts: CommandFacts): string {
  const { sandbox, network, duration_ms: ms, limit, made_executable_config: made, survivors, note } = facts;
  const parts = [verdict];
  if (ms >= 1000) parts.push(`${(ms / 1000).toFixed(1)} s`);
  if (sandbox === "off") parts.push("no sandbox");
  if (network === false) parts.push("no network");
  if (limit !== undefined) parts.push(`limit hit: ${limit}`);
  if (survivors !== undefined) parts.push(`still alive: ${survivors.join(", ")}`);
  if (made !== undefined) parts.push(`made files that other programs run: ${made.join(", ")}`);
  if (note !== undefined) parts.push(note);
  return `[${parts.join(" · ")}]`;
}

export function body(stdout: string, stderr: string): string {
  if (stderr === "") return stdout;
  const gap = stdout === "" || stdout.endsWith("\n") ? "" : "\n";
  return `${stdout}${gap}[stderr]\n${stderr}`;
}
