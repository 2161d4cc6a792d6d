import { constants } from "node:fs";
import { OpsError, WriteFailedError } from "@llmc/errors";
import {
  PROC_FD,
  close,
  fill,
  open,
  steadily,
  type Descriptor,
  type Stat,
  type Work,
  type ContentMark,
} from "@llmc/te-path";
import type { UndoNote } from "../store/undo-note.js";
import { shortName } from "../store/entry-id.js";
import { ownMark } from "../locks/process-mark.js";
import type { Head } from "../store/entry-log.js";
import { EntryWriter, markOf, type Source } from "../store/entry-writer.js";
import type { Content, Held } from "../store/held-content.js";
import type { ChangeFacts, KeepOptions } from "../store/change.js";
import type { UndoStore } from "../store/undo-store.js";
import type { Recorder, RollingBack } from "./undo-context.js";
import { factsOf, type Anew, type Before, type UndoStep } from "../store/steps.js";

export interface RecordingContext {
  readonly store: UndoStore;
  readonly newId: () => string;
  readonly now: () => number;
  /** The operator's name for the bound of all kept content. */
  readonly mostKept: string;
  /** Ids of the entries that this process is writing. */
  readonly open: Set<string>;
  /** Takes steps back that were just made, last first. */
  readonly rollBack: (work: readonly UndoStep[], held: Held, tell: RollingBack) => Work<void>;
  /** A session has taken back what it did there. */
  readonly afterUndo: (session: string, work: readonly UndoStep[]) => Work<void>;
  /** A change is done, with what it takes to take it back or without. */
  readonly ended: (facts: ChangeFacts, reason: string | undefined) => void;
  /** The bounds may have to be looked after. */
  readonly settled: () => void;
}

/** Of a change that takes another back. */
export interface TakesBack {
  readonly takesBack?: string;
  /** Told which of its steps is about to be rolled back. */
  readonly onRollBack?: (index: number) => void;
}

/** Up to this much, content lies in the log. */
const INLINE_BYTES = 48 * 1024;
const MEMORY_BYTES = 64 * 1024 * 1024;
const MAX_PATHS = 20;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

export class RecordedChange implements Recorder {
  readonly #context: RecordingContext;
  readonly #facts: ChangeFacts & TakesBack;
  readonly #steps: UndoStep[] = [];
  readonly #contents = new Map<string, Content>();
  readonly #durable = new Set<string>();
  #writer: EntryWriter | undefined;
  #reason: string | undefined;
  #inMemory = 0;
  #isOver = false;

  constructor(context: RecordingContext, facts: ChangeFacts & TakesBack, reason: string | undefined) {
    this.#context = context;
    this.#facts = facts;
    this.#reason = facts.secure === true ? "no copy was to be kept" : reason;
  }

  get isHeld(): boolean {
    return this.#reason === undefined && this.#durable.size === this.#contents.size;
  }

  wants(bytes: number): boolean {
    return this.#reason === undefined && bytes <= this.#context.store.maxOne;
  }

  *keep(entry: Descriptor, stat: Stat, { at, durable, bytes, mark }: KeepOptions = {}): Work<Before> {
    const part = { stat, at, from: 0, mark };
    return { ...factsOf(stat), ...(yield* this.#keepFrom(bytes ?? entry, part, durable === true)) };
  }

  *keepTail(entry: Descriptor, stat: Stat, from: number): Work<ContentMark> {
    return yield* this.#keepFrom(entry, { stat, at: undefined, from, mark: undefined }, false);
  }

  *placeFor(bytes: number): Work<{ readonly kept: string; readonly path: string } | null> {
    if (!this.#canHold(bytes)) return null;
    try {
      const store = this.#context.store;
      store.ready();
      if (store.isFull) this.giveUp("the disk was full a moment ago, and what is deleted is to make room");
      else if (!(yield* store.hasFree(bytes))) this.giveUp("too little of the disk would stay free");
      else if (!(yield* store.makeRoom(bytes))) this.giveUp("the undo store is full of newer changes");
      else return this.#entry().place(bytes);
    } catch (thrown) {
      this.#failed(thrown);
    }
    return null;
  }

  giveUp(reason: string): void {
    this.#reason ??= reason;
    try {
      // Killed from now on, it must not look like a change that can be taken back.
      this.#writer?.withdraw();
    } catch {
      // The sweep finds it.
    }
  }

  note(made: UndoStep): void {
    // What was kept durably is about to be overwritten in place.
    const inPlace = made.did === "rewrote" && this.#durable.has(made.before.sha256);
    const step: UndoStep = inPlace ? { ...made, inPlace: true } : made;
    this.#steps.push(step);
    this.#write(() => this.#entry().write([{ step }]));
  }

  amend(step: UndoStep): void {
    this.#steps.splice(-1, 1, step);
    this.#write(() => this.#entry().write([{ amended: step }]));
  }

  strike(): void {
    this.#steps.pop();
    this.#write(() => this.#entry().write([{ struck: true }]));
  }

  *rollBack(): Work<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    yield* steadily(this.#undoSteps());
  }

  *finish(): Work<UndoNote> {
    this.#isOver = true;
    return yield* steadily(this.#settle());
  }

  *#settle(): Work<UndoNote> {
    const writer = this.#writer;
    if (writer === undefined || this.#steps.length === 0 || this.#reason !== undefined) {
      yield* this.#leave((last) => last.drop());
      if (this.#steps.length === 0 || this.#reason === undefined) return { undo: null };
      this.#context.ended(this.#facts, this.#reason);
      return { undo: null, undo_reason: this.#reason };
    }
    try {
      yield* writer.seal(this.#context.now());
    } catch (thrown) {
      this.#failed(thrown);
      return yield* this.#settle();
    }
    this.#context.open.delete(writer.id);
    this.#context.ended(this.#facts, undefined);
    this.#context.settled();
    return { undo: { id: writer.id, held_bytes: writer.held } };
  }

  *#undoSteps(): Work<void> {
    const held: Held = {
      contentOf: (sha256) => this.#contents.get(sha256),
      keptAt: (kept) => `${this.#context.store.path}/${this.#writer?.id}.${kept}`,
    };
    const anew: Anew[] = [];
    const became = (pair: Anew): void => {
      anew.push(pair);
      this.#write(() => this.#writer?.write([{ became: [pair] }]));
    };
    const back: UndoStep[] = [];
    const isBack = (step: UndoStep): void => void back.push(step);
    const { owner, session = owner } = this.#facts;
    try {
      yield* this.#context.rollBack(this.#steps, held, { isNext: (index) => this.#isNext(index), became, isBack });
      yield* this.#context.afterUndo(session, back);
    } catch (thrown) {
      yield* this.#context.afterUndo(session, back);
      // What could not be put back is still there, for whoever removes what stands in the way: each step shows by itself
      // whether it is.
      this.#write(() => this.#writer?.write([{ backTo: this.#steps.length }]));
      const { undo } = yield* this.#settle();
      throw undo === null ? thrown : leftBehind(thrown, undo.id);
    }
    yield* this.#leave((writer) => writer.bury(anew));
  }

  #isNext(index: number): void {
    if (this.#steps.length > 1) this.#write(() => this.#writer?.write([{ backTo: index + 1 }]));
    this.#facts.onRollBack?.(index);
  }

  /** Nothing of this change is left to take back; a journal that cannot even do that is swept later. */
  *#leave(end: (writer: EntryWriter) => Work<void>): Work<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer === undefined) return;
    this.#context.open.delete(writer.id);
    try {
      yield* end(writer);
    } catch (thrown) {
      if (OpsError.is(thrown)) throw thrown;
    }
    this.#context.settled();
  }

  *#keepFrom(old: Descriptor | Uint8Array, part: Omit<Source, "content">, durable: boolean): Work<ContentMark> {
    const notKept = { sha256: "", size: Number(part.stat.size) };
    const canHold = this.#canHold(notKept.size - part.from);
    if (!canHold && this.#facts.allOrNothing !== true) return notKept;
    const content = old instanceof Uint8Array ? old : yield* this.#openSource(old);
    if (content === undefined) return notKept;
    try {
      const held = yield* this.#hold({ ...part, content });
      if (held === undefined) return notKept;
      yield* this.#remember(held.mark, held.content, durable);
      return held.mark;
    } finally {
      if (!(content instanceof Uint8Array)) yield* close(content);
    }
  }

  #canHold(bytes: number): boolean {
    const { maxOne } = this.#context.store;
    if (bytes > maxOne) this.giveUp(`its ${bytes} bytes are more than half of ${this.#context.mostKept}`);
    return this.#reason === undefined;
  }

  *#openSource(entry: Descriptor): Work<Descriptor | undefined> {
    try {
      return yield* open(entry.mount, `${PROC_FD}/${entry.fd}`, READ);
    } catch (thrown) {
      if (OpsError.is(thrown) || this.#facts.allOrNothing === true) throw thrown;
      this.giveUp(`its old content cannot be read (${codeOf(thrown)})`);
      return undefined;
    }
  }

  /** In the journal if that can hold it, else in memory if it must be had. */
  *#hold(source: Source): Work<{ readonly mark: ContentMark; readonly content: Content } | undefined> {
    const small = yield* readSmall(source);
    try {
      if (this.#reason === undefined && !(yield* this.#context.store.makeRoom(Number(source.stat.size) - source.from)))
        this.giveUp("the undo store is full of newer changes");
      if (this.#reason === undefined && small === undefined)
        return yield* this.#entry().holdFile(source, this.#context.store.maxOne);
      if (this.#reason === undefined && small !== undefined) return this.#holdSmall(small, source.mark);
    } catch (thrown) {
      this.#failed(thrown);
    }
    if (this.#facts.allOrNothing !== true) return undefined;
    const bytes = small ?? (yield* this.#readWhole(source));
    return { mark: markOf(bytes), content: { bytes } };
  }

  #holdSmall(bytes: Uint8Array, mark = markOf(bytes)): { readonly mark: ContentMark; readonly content: Content } {
    const content = this.#contents.get(mark.sha256) ?? this.#entry().holdInline(mark, bytes);
    return { mark, content };
  }

  *#readWhole({ content, stat, from }: Source): Work<Uint8Array> {
    if (content instanceof Uint8Array) return content;
    const size = Number(stat.size) - from;
    this.#inMemory += size;
    if (this.#inMemory > MEMORY_BYTES)
      throw new WriteFailedError("This change", "the old content is too large to be kept until it is done", {
        hint: "Change fewer or smaller files at once.",
      });
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, yield* fill(content, bytes, from));
  }

  *#remember({ sha256 }: ContentMark, content: Content, durable: boolean): Work<void> {
    this.#contents.set(sha256, content);
    if (!durable || this.#writer === undefined || "bytes" in content) return;
    try {
      yield* this.#writer.sync(content);
      this.#durable.add(sha256);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #write(line: () => void): void {
    if (this.#reason !== undefined) return;
    try {
      line();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** The journal is never in the way. */
  #failed(thrown: unknown): void {
    if (OpsError.is(thrown)) throw thrown;
    this.giveUp(`the undo journal cannot be written (${codeOf(thrown)})`);
  }

  #entry(): EntryWriter {
    if (this.#writer !== undefined) return this.#writer;
    const { owner, session, kind, paths, takesBack } = this.#facts;
    const head: Head = {
      version: 1,
      owner,
      session: session ?? owner,
      kind,
      paths: paths.slice(0, MAX_PATHS),
      writer: ownMark(),
      ...(takesBack === undefined ? {} : { takesBack }),
    };
    this.#writer = new EntryWriter(this.#context.store, this.#context.newId(), head);
    this.#context.open.add(this.#writer.id);
    return this.#writer;
  }
}

/** Undefined where it is too large, or grows beyond that. */
function* readSmall({ content, stat, from }: Source): Work<Uint8Array | undefined> {
  const size = Number(stat.size) - from;
  if (size > INLINE_BYTES) return undefined;
  if (content instanceof Uint8Array) return content;
  const bytes = Buffer.allocUnsafe(size + 1);
  const count = yield* fill(content, bytes, from);
  return count > size ? undefined : bytes.subarray(0, count);
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException | null)?.code ?? "unknown";
}

function leftBehind(thrown: unknown, id: string): OpsError {
  const { message } = OpsError.from(thrown);
  return new WriteFailedError("The state before this change", message, {
    hint: `The old content is kept: put that right, then undo ${shortName(id)}.`,
    cause: thrown,
  });
}
