import type { Bytes } from "@llmc/names";
import type { FolderPath, Ignoring } from "@llmc/te-path";
import type { ListedEntry } from "./listing.js";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export type Entry = Mutable<ListedEntry>;

/** A folder that is to be read, or was. */
export interface Folder extends FolderPath {
  /** From the listed folder on; "" for itself. */
  readonly way: Bytes;
  /** Its own entry in the folder above, where it has one. */
  readonly entry: Entry | undefined;
  readonly above: Folder | undefined;
  entries: Entry[];
  count: number;
  total: number;
  ignore: Ignoring | undefined;
}

/** Room for entries that are kept. Once something did not fit, all that comes after is only counted. */
export class Room {
  #left: number;
  #isWhole = true;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  take(bytes: number): boolean {
    if (!this.#isWhole || bytes > this.#left) this.close();
    else this.#left -= bytes;
    return this.#isWhole;
  }

  close(): void {
    this.#isWhole = false;
    this.#left = 0;
  }
}
