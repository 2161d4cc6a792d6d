import { OpsError } from "@llmc/errors";
import type { HandleStore } from "@llmc/handles";
import type { LinuxOpsContext } from "../context.js";

/** The store of handles, or null where its disk is full or away: what was read is answered all the same. */
export async function storeIfAny({ handles }: Pick<LinuxOpsContext, "handles">): Promise<HandleStore | null> {
  try {
    return await handles();
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "ENGINE_UNAVAILABLE") return null;
    throw thrown;
  }
}
