import type { Descriptor, Stat, Work, Place, ContentMark } from "@llmc/te-path";
import type { UndoNote } from "./undo-note.js";
import type { Before, ChangeKind, UndoStep } from "./steps.js";

/** What one call did, written down step by step so that it can be taken back. */
export interface Change {
  /**
   * Keeps the content that a regular file has now, before it is replaced. `entry` is an O_PATH descriptor of it.
   * Where the journal cannot hold it the change will end with `undo: null`, and the mark that is returned has an
   * empty sum: content that nobody will get back is not read.
   */
  keep(entry: Descriptor, stat: Stat, options?: KeepOptions): Work<Before>;
  /** Whether content of that size would be kept, as far as can be told now. */
  wants(bytes: number): boolean;
  /** Whether all that was kept so far was kept durably: what is overwritten in place needs that. */
  readonly isHeld: boolean;
  /**
   * A place of its own in the journal for something of so many bytes that is to be removed: a name for the step, and
   * the absolute path to rename or copy it to. Null where the journal cannot hold that (bytes, free space, off), and
   * the change will end with `undo: null` and the reason.
   */
  placeFor(bytes: number): Work<{ readonly kept: string; readonly path: string } | null>;
  /** The change goes ahead but cannot be taken back, and why. */
  giveUp(reason: string): void;
  /** Writes a step down. Before it is made, whatever of it can be known by then. */
  note(step: UndoStep): void;
  /** Puts the last step right, once it was made. */
  amend(step: UndoStep): void;
  /** The last step was not made after all. */
  strike(): void;
  /** Takes back what was done so far, last first; the journal forgets the change. Throws what stands in the way. */
  rollBack(): Work<void>;
  /** The change is done as it was written down. With no step noted there is nothing to take back: null without a reason. */
  finish(): Work<UndoNote>;
}

export interface KeepOptions {
  /** The name that is about to be given to another file: lets a big one be kept without copying it. Never in place. */
  readonly at?: Place;
  /** On the disk when this returns, for what is overwritten in place; costs some milliseconds. */
  readonly durable?: boolean;
  /** The content, if the caller has just read it. */
  readonly bytes?: Uint8Array | undefined;
  /** The mark of `bytes`, if the caller has it. */
  readonly mark?: ContentMark | undefined;
}

export interface ChangeFacts {
  /** Whoever asks by an id must be this owner. */
  readonly owner: string;
  /** What "the last change" means; without it the owner. */
  readonly session?: string | undefined;
  readonly kind: ChangeKind;
  /** As the caller spelled them: for people. */
  readonly paths: readonly string[];
  /** Do not keep anything: the caller wants it gone for good. */
  readonly secure?: boolean;
  /** Old content must be there for `rollBack` even when the journal cannot hold it: it is then kept in memory. */
  readonly allOrNothing?: boolean;
}

export interface Changes {
  begin(facts: ChangeFacts): Change;
  /** That disk took no more: where the journal lies on it as well, nothing that is removed is kept for a while. */
  wasFull(dev: bigint): void;
}
