import type { Launch, LimitHit } from "@llmc/te-shell";
import type { Source } from "./brake.js";

export interface BodyEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** A bound that it ran into. */
  readonly limit?: LimitHit;
}

/** A program that runs, with the ends of its pipes or its terminal in our hands. */
export interface Body extends Source {
  /** Signals and ends the program. */
  readonly launch: Launch;
  /** Of the process that was started: the program itself, or what stands around it. */
  readonly pid: number;
  readonly isTerminal: boolean;
  /** Whether anything can be sent: a command that was started with nothing to read cannot be talked to. */
  readonly takesInput: boolean;
  /** Bytes that were sent and that the program has not taken. */
  pendingInput(): number;
  send(bytes: Buffer): void;
  endInput(): void;
  /** False where the terminal is not ours to change. */
  resize(cols: number, rows: number): boolean;
  /** Called with all output from the start on; once. */
  onOutput(take: (chunk: Buffer) => void): void;
  /** After the end of the program, of what it left behind, and of all output. */
  readonly ended: Promise<BodyEnd>;
}
