import type { Bytes } from "@llmc/names";
import type { Descriptor, Stat } from "../kernel/syscalls.js";

export type FolderId = Pick<Stat, "dev" | "ino">;

/** A name in a folder that is held open, whether or not anything has it. Whoever gets one closes `parent`. */
export interface Place {
  readonly parent: Descriptor;
  /** Which folder that is. */
  readonly parentId: FolderId;
  /** "." for a root itself. */
  readonly name: Bytes;
  /** Without links, at the time of the walk: for messages and guards, never to be opened. */
  readonly real: Bytes;
}

/** A place for a change: what has the name now, if anything. */
export interface Target extends Place {
  readonly found: Stat | undefined;
  /** An O_PATH descriptor of it, where one was asked for: whoever gets it closes it. */
  readonly entry?: Descriptor | undefined;
  /** As the caller spelled it. */
  readonly shown: string;
  /** It was written with a slash at its end. */
  readonly folder: boolean;
}

export interface TargetWanted {
  readonly follow: boolean;
  /** Hold what is found by a descriptor as well. */
  readonly hold?: boolean;
  /** The folder will be synced. */
  readonly toSync?: boolean;
}

/** Something that exists, held by an O_PATH descriptor. Whoever gets one closes `entry`. */
export interface Found {
  readonly entry: Descriptor;
  readonly stat: Stat;
  readonly real: Bytes;
}
