import type { Descriptor } from "../kernel/syscalls.js";
import type { Bytes } from "../path/bytes.js";

/** A name in a folder that is held open. */
export interface Name {
  readonly folder: Descriptor;
  readonly name: Bytes;
}
