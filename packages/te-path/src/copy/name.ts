import type { Bytes } from "@llmc/names";
import type { Descriptor } from "../kernel/syscalls.js";

/** A name in a folder that is held open. */
export interface Name {
  readonly folder: Descriptor;
  readonly name: Bytes;
}
