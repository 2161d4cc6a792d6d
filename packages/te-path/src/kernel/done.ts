import type { Work } from "./syscalls.js";

/** Work that is done already. */
// oxlint-disable-next-line require-yield -- it is what the others yield to
export function* done<T>(value: T): Work<T> {
  return value;
}
