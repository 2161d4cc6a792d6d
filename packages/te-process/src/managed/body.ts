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
  /** Pid of the started process: the program itself, or its wrapper. */
  readonly pid: number;
  readonly isTerminal: boolean;
  /** Tells whether the program can be sent input; a command started without stdin cannot. */
  readonly takesInput: boolean;
  /** Bytes sent but not yet read by the program. */
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
