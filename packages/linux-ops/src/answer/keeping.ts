import { OpsError } from "@llmc/errors";
import { storeIfAny, type Handle, type HandleInput } from "@llmc/handles";
import type { LinuxOpsContext } from "../context/context.js";

type Keeping = Pick<LinuxOpsContext, "handles" | "session" | "signal">;
type Content = Pick<HandleInput, "type" | "meta" | "payload" | "source">;

/** The id of a new handle on the payload; null where it cannot be kept: then the answer goes without. */
export async function keep(context: Keeping, content: Content): Promise<string | null> {
  return (await makeHandle(context, content))?.id ?? null;
}

export async function makeHandle(context: Keeping, content: Content): Promise<Handle | null> {
  const { session, signal, handles } = context;
  const store = await storeIfAny(handles);
  try {
    return (await store?.create({ ...content, owner: session.owner, signal })) ?? null;
  } catch (thrown) {
    if (OpsError.is(thrown) && ["WRITE_FAILED", "ENGINE_UNAVAILABLE"].includes(thrown.code)) return null;
    throw thrown;
  }
}
