import { OpsError } from "@llmc/errors";
import type { Handle, HandleInput, HandleStore } from "@llmc/handles";
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

type Keeping = Pick<LinuxOpsContext, "handles" | "session" | "signal">;
type Content = Pick<HandleInput, "type" | "meta" | "payload" | "source">;

/** The id of a new handle on the payload; null where it cannot be kept: then the answer goes without. */
export async function keep(context: Keeping, content: Content): Promise<string | null> {
  return (await makeHandle(context, content))?.id ?? null;
}

export async function makeHandle(context: Keeping, content: Content): Promise<Handle | null> {
  const { session, signal } = context;
  const store = await storeIfAny(context);
  try {
    return (await store?.create({ ...content, owner: session.owner, signal })) ?? null;
  } catch (thrown) {
    if (OpsError.is(thrown) && ["WRITE_FAILED", "ENGINE_UNAVAILABLE"].includes(thrown.code)) return null;
    throw thrown;
  }
}
