import { constants } from "node:os";
import { CancelledError, EngineUnavailableError, InternalError } from "@llmc/errors";
import type { Files } from "@llmc/te-fs";
import type { Pipes, RunResult } from "@llmc/te-run";
import type { ContentFound } from "../query/content-found.js";
import type { ContentQuery } from "../query/content-query.js";
import type { SearchRoot } from "../search-root/search-root.js";
import type { Place } from "./place.js";
import { refusal } from "./refuse-pattern.js";
import type { EngineLog } from "./engine-log.js";
import type { Sink } from "./sink.js";

/** One search of contents, as the engines' drivers get it. */
export interface Job {
  readonly files: Files;
  readonly searchRoot: SearchRoot;
  readonly query: ContentQuery;
  readonly place: Place;
  readonly sink: Sink;
  readonly pipes: Pipes;
  readonly signal: AbortSignal | undefined;
  /** As performance.now() tells time. */
  readonly deadline: number;
}

/** Runs the programs of a search. */
export type Runner = Pick<Job, "place" | "signal" | "deadline">;

export type EndedBy = ContentFound["endedBy"];

/** What a driver has learned beside the hits. */
export interface Driven {
  readonly endedBy: EndedBy;
  readonly ignored: number;
  readonly hidden: number;
  readonly unreadable: number;
  /** Files that were left out as binary, as far as the engine tells. */
  readonly binary: number;
  /** Not all of that was counted. */
  readonly atLeast: boolean;
  /** Some file was searched only in part. */
  readonly inPart: boolean;
}

/** Exit codes that are no failure where nothing was complained of, and whatever was said. */
interface Codes {
  readonly quiet: number;
  readonly fine: ReadonlySet<number | null>;
}

/** 1: no hits; 2: some file could not be read. */
const OWN_CODES: Codes = { quiet: 2, fine: new Set([0, 1]) };
/** What xargs makes of both. Its 1 is a failure of its own: it could not start the engine, or not go on. */
export const XARGS_CODES: Codes = { quiet: 123, fine: new Set([0]) };
/** What xargs, and who starts it, say of a program that was there before. */
const [NOT_RUN, NOT_FOUND] = [126, 127];
const SMALLER = "Search a smaller folder, or for something simpler.";
const LONGEST_MS = 2 ** 31 - 1;

export function runOptions(job: Omit<Runner, "place">): {
  maxBytes: number;
  timeoutMs: number;
  throttlesReads: true;
  signal?: AbortSignal;
} {
  const left = Math.ceil(job.deadline - performance.now());
  return {
    maxBytes: 0,
    throttlesReads: true,
    timeoutMs: Math.min(LONGEST_MS, Math.max(1, left)),
    ...(job.signal === undefined ? {} : { signal: job.signal }),
  };
}

/** How a run of an engine ended, or the error that it amounts to. */
export function endOf(result: RunResult, log: EngineLog, engine: string, codes = OWN_CODES): EndedBy {
  if (result.ended === "cancelled") throw new CancelledError("The search");
  if (result.ended === "timeout") return "deadline";
  if (result.ended === "stopped") return "scan bound";
  const complaint = log.complaint.trim();
  const { exitCode } = result;
  if (codes.fine.has(exitCode) || (complaint === "" && exitCode === codes.quiet)) return null;
  const refused = refusal(complaint, engine);
  if (refused !== undefined) throw refused;
  const signal = signalOf(result, complaint);
  if (signal !== undefined) throw new EngineUnavailableError(engine, `it was ended by ${signal}`, SMALLER);
  if (codes === XARGS_CODES && exitCode === 1)
    throw new EngineUnavailableError("xargs", complaint.replace(/^\S*xargs: /, "") || "it has failed", SMALLER);
  if (exitCode === NOT_RUN || exitCode === NOT_FOUND)
    throw new EngineUnavailableError(engine, complaint, "Install it again.");
  throw new InternalError(new Error(`${engine} ended with ${exitCode}: ${complaint}`));
}

/** bubblewrap tells of it as shells do, xargs in words (and the one of busybox in others). */
function signalOf({ signal, exitCode }: RunResult, complaint: string): string | undefined {
  if (signal !== null) return signal;
  const told = /xargs: .* (?:terminated by|killed with) signal ([0-9]+)$/m.exec(complaint)?.[1];
  const number = told === undefined ? (exitCode ?? 0) - 128 : Number(told);
  return number > 0
    ? (Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? `signal ${number}`)
    : undefined;
}

/** Two parts of one search. */
export function together(one: Driven, other: Driven): Driven {
  return {
    endedBy: one.endedBy ?? other.endedBy,
    ignored: one.ignored + other.ignored,
    hidden: one.hidden + other.hidden,
    unreadable: one.unreadable + other.unreadable,
    binary: one.binary + other.binary,
    atLeast: one.atLeast || other.atLeast,
    inPart: one.inPart || other.inPart,
  };
}
