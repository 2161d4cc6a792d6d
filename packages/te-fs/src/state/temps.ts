import type { Bytes } from "../kernel/syscalls.js";

/** Names of temporary files, written down before the file is made, so that none of a killed process stays for ever. */
export interface Temps {
  /** A fresh name for a file or folder in the folder that really lies at `folder`. */
  name(folder: Bytes): Bytes;
  /** It has been renamed or removed. */
  done(folder: Bytes, name: Bytes): void;
}
