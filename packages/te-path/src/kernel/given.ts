import type { Steps } from "./syscalls.js";

/** Work that is done already. */
// oxlint-disable-next-line require-yield -- it is what the others yield to
export function* given<T>(value: T): Steps<T> {
  return value;
}
