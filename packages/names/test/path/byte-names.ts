import * as fc from "fast-check";

const LOOK_ALIKES = ["\\", "\\x", "\\xe9", "\\xE9", "\\xff", "\\x5c", "\\x5cxe9", "\\x2f", "x5c", "xe9", "e9", "5c"];
const BYTES = ["\xe9", "\xff", "\x80", "\xc3\xbc", "\xc3", "a", "C:", ".", " ", "\n"];

/** Names as bytes (one latin1 character each), most of them made of what escapes are made of. */
export const byteNames: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...LOOK_ALIKES, ...BYTES), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(""))
  .filter((name) => name !== "." && name !== "..");
