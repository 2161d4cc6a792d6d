import type { Bytes } from "./bytes.js";
import { toBytes, unescapeName } from "./names.js";

/** The bytes of a path that is written as names are shown. */
export function pathBytes(shown: string): Bytes {
  const bytes = toBytes(shown);
  return unescapeName(bytes) ?? bytes;
}
