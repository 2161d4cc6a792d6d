import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError, ProcessLimitError } from "@llmc/errors";
import type { InputWait } from "@llmc/procfs";
import type { LaunchFacts } from "@llmc/te-shell";
import type { Body, BodyEnd } from "./body.js";
import { Brake } from "./brake.js";
import { CursorReports } from "./cursor-reports.js";
import type { Key } from "./keys.js";
import { OutputRing, type RingLimits } from "./output-ring.js";
import { Readiness } from "./readiness.js";
import { take, type Taken, type TakeOptions } from "./take.js";
import { Wait, type WaitOptions, type Why } from "./wait.js";

export interface ManagedOptions {
  readonly id: string;
  /** As it was asked for. */
  readonly command: string;
  /** The name of its program. */
  readonly program: string;
  readonly cwd: string;
  readonly ring: RingLimits;
  readonly waitsForInput: (pid: number) => InputWait | undefined;
  /** Told by an earlier answer already. */
  readonly printed?: readonly Buffer[];
}

export interface Sent {
  /** Where the output stood: what comes from there on may be the answer. */
  readonly at: number;
}

const NOBODY: InputWait = { waits: "no", names: [] };
const USUAL_SIZE = { cols: 80, rows: 24 };
/** What a program that never reads may be sent. */
const MAX_PENDING_BYTES = 1024 * 1024;

/** A program that lives on between calls. */
export class ManagedProcess {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly startedAt = Date.now();
  readonly facts: LaunchFacts;
  readonly isTerminal: boolean;
  readonly #body: Body;
  readonly #ring: OutputRing;
  readonly #readiness: Readiness;
  readonly #brake: Brake;
  readonly #cursor: CursorReports | undefined;
  readonly #waits = new Set<Wait>();
  #end: BodyEnd | undefined;
  #pid: number | undefined;
  #delivered = 0;
  /** Time of the last output or input. */
  #stirredAt = performance.now();
  #lastActivityAt = Date.now();
  #isTelling = false;
  #size: { readonly cols: number; readonly rows: number } | undefined;
  /** Settles once all processes of the program have ended and the last byte is read. */
  readonly ended: Promise<void>;

  constructor(body: Body, options: ManagedOptions) {
    const { id, command, cwd, program, ring, waitsForInput, printed = [] } = options;
    this.id = id;
    this.command = command;
    this.cwd = cwd;
    this.#body = body;
    this.facts = body.launch.facts;
    this.isTerminal = body.isTerminal;
    this.#ring = new OutputRing(ring);
    for (const chunk of printed) this.#ring.push(chunk);
    this.#delivered = this.#ring.total;
    this.#brake = new Brake(body);
    this.#cursor = body.isTerminal
      ? new CursorReports({
          ring: this.#ring,
          size: () => this.#size ?? USUAL_SIZE,
          send: (bytes) => this.#type(bytes),
        })
      : undefined;
    this.#readiness = new Readiness({
      ring: this.#ring,
      program,
      isTerminal: body.isTerminal,
      input: () => {
        // Bytes in transit, to the program or to the server, mean that the program is not waiting yet.
        const isOnItsWay = body.pendingInput() > 0 || this.#brake.isHolding || this.#cursor?.isPending === true;
        if (!body.takesInput || isOnItsWay) return NOBODY;
        const known = this.#pid === undefined ? undefined : waitsForInput(this.#pid);
        // Searches below the launched process while the program's own pid is unknown.
        return known ?? waitsForInput(body.pid);
      },
    });
    body.onOutput((chunk) => this.#took(chunk));
    this.ended = body.ended.then((end) => this.#over(end));
    void body.launch.programPid().then((pid) => {
      this.#pid = pid;
    });
  }

  get state(): "running" | "exited" {
    return this.#end === undefined ? "running" : "exited";
  }

  get end(): BodyEnd | undefined {
    return this.#end;
  }

  /** Of the program on this machine, as long as it is known. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** Bytes printed so far. */
  get printed(): number {
    return this.#ring.total;
  }

  get unread(): number {
    return this.#ring.total - this.#delivered;
  }

  /** The latest of its start, its output and the calls for it. */
  get lastActivityAt(): number {
    return this.#lastActivityAt;
  }

  /** The pid, once the program is there. */
  async seePid(): Promise<number | undefined> {
    return this.#pid ?? (await Promise.race([this.#body.launch.programPid(), this.ended.then(() => undefined)]));
  }

  send(text: string): Sent {
    return this.#send(text, false);
  }

  #send(text: string, isInterrupt: boolean): Sent {
    const bytes = Buffer.from(text);
    this.#demandInput(bytes.length);
    this.#readiness.sending(text.split(/[\n\r]/).length - 1, isInterrupt);
    const at = this.#ring.total;
    this.#type(bytes);
    this.touch();
    return { at };
  }

  #type(bytes: Buffer): void {
    this.#body.send(bytes);
    this.#stirredAt = performance.now();
  }

  /** A key as a terminal has it; without one, what it stands for: ctrl-c is the signal, ctrl-d the end of input. */
  async press(key: Key): Promise<Sent> {
    if (this.isTerminal || (key.isText === true && key.endsInput !== true))
      return this.#send(this.isTerminal ? key.bytes : key.bytes.replace("\r", "\n"), key.signal !== undefined);
    this.touch();
    this.#readiness.sending(0, key.signal !== undefined);
    this.#stirredAt = performance.now();
    const at = this.#ring.total;
    if (key.signal !== undefined) await this.#body.launch.signal(key.signal);
    else if (key.endsInput === true) this.#body.endInput();
    else throw new InvalidArgumentError("That key needs a terminal", "Start the program with pty: true.");
    return { at };
  }

  /** False where nobody can: `script` does not hand sizes on. */
  resize(cols: number, rows: number): boolean {
    if (!this.#body.resize(cols, rows)) return false;
    this.#size = { cols, rows };
    return true;
  }

  /** The size that it was given at its start. */
  drawnAt(size: { readonly cols: number; readonly rows: number }): void {
    this.#size = size;
  }

  get size(): { readonly cols: number; readonly rows: number } | undefined {
    return this.#size;
  }

  /** Waits until the program waits for input, has ended or has printed the awaited text, or until the time-out. */
  async wait(options: WaitOptions): Promise<Why> {
    const wait = new Wait({ ...options, from: options.from ?? this.#delivered }, this.#ring, this.#readiness, {
      isTerminal: this.isTerminal,
      isOver: () => this.#end !== undefined,
      stillForMs: () => performance.now() - this.#stirredAt,
    });
    this.#waits.add(wait);
    this.#brake.release();
    try {
      return await wait.done;
    } finally {
      this.#waits.delete(wait);
    }
  }

  /** Tells whether a read returns at once: the end was told, output exists at the place, or an answer is full. */
  hasAnswer({ since, maxBytes, endsAtQuiet }: TakeOptions & Pick<WaitOptions, "endsAtQuiet">): boolean {
    if (this.#end !== undefined && this.unread === 0) return true;
    // A read of the output's end waits if the caller named a time.
    if (since !== undefined) return since < 0 ? endsAtQuiet === true : since < this.#ring.total;
    return this.#end === undefined && this.unread >= maxBytes;
  }

  /** The next bytes that nobody was given yet, or those from `since` on. They count as given from here on. */
  take(options: TakeOptions): Taken {
    const taken = take(this.#ring, {
      from: this.#delivered,
      isOver: this.#end !== undefined,
      isTerminal: this.isTerminal,
      ...options,
    });
    this.given(taken.next);
    return taken;
  }

  /** Returns all stored output, for redrawing a terminal. Only `given` counts output as delivered. */
  kept(): Buffer {
    const pieces: Buffer[] = [];
    for (let from = 0; from < this.#ring.total;) {
      const slice = this.#ring.slice(from, this.#ring.total);
      pieces.push(slice.bytes);
      from = slice.from + slice.bytes.length;
    }
    return Buffer.concat(pieces);
  }

  /** Counts output up to that place as delivered. */
  given(to: number): void {
    this.#delivered = Math.max(this.#delivered, to);
    this.touch();
  }

  /** Asks the program to end, and ends it with all that it started. Answers what even SIGKILL did not end. */
  async stop(graceMs: number, signal: NodeJS.Signals = "SIGTERM"): Promise<readonly number[]> {
    this.#brake.release();
    const { launch } = this.#body;
    const time = new AbortController();
    const grace = sleep(graceMs, undefined, { signal: time.signal }).catch(() => undefined);
    if (graceMs > 0 && this.state === "running" && (await launch.signal(signal)))
      await Promise.race([this.ended, grace]);
    time.abort();
    if (this.state === "exited") return [];
    const survivors = await launch.end(0);
    if (survivors.length === 0) await this.ended;
    return survivors;
  }

  touch(): void {
    this.#lastActivityAt = Date.now();
  }

  #demandInput(bytes: number): void {
    if (!this.#body.takesInput)
      throw new InvalidArgumentError(`${this.id} was started without an input`, { id: "start-with-input" });
    const pending = this.#body.pendingInput();
    if (pending > 0 && pending + bytes > MAX_PENDING_BYTES)
      throw new ProcessLimitError(`${this.id} has ${pending} bytes of input that it does not read`, {
        id: "read-or-end",
      });
  }

  get pendingInput(): number {
    return this.#body.pendingInput();
  }

  #took(chunk: Buffer): void {
    this.#ring.push(chunk);
    this.#cursor?.took(chunk.length);
    this.#stirredAt = performance.now();
    this.#lastActivityAt = Date.now();
    this.#brake.took(chunk.length, this.#waits.size > 0);
    if (this.#isTelling || this.#waits.size === 0) return;
    this.#isTelling = true;
    // After this turn: the other stream may have what belongs before this.
    setImmediate(() => {
      this.#isTelling = false;
      for (const wait of this.#waits) wait.look();
    });
  }

  #over(end: BodyEnd): void {
    this.#end = end;
    this.#brake.release();
    this.touch();
    for (const wait of this.#waits) wait.look();
  }
}
