import { OpsError } from "@llmc/errors";
import type { HandleStore } from "./handle.js";

/** Opens the store, or returns null if its disk is full or away, so that the answer goes out without a handle. */
export async function storeIfAny(open: () => Promise<HandleStore>): Promise<HandleStore | null> {
  try {
    return await open();
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "ENGINE_UNAVAILABLE") return null;
    throw thrown;
  }
}
