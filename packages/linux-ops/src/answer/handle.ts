import { OpsError } from "@llmc/errors";
import { storeIfAny, type Handle, type HandleInput } from "@llmc/handles";
import type { LinuxOpsContext } from "../context/context.js";

type HandleContext = Pick<LinuxOpsContext, "handles" | "session" | "signal">;
type HandleContent = Pick<HandleInput, "type" | "meta" | "payload" | "source">;

/** Returns the name of a handle as answers write it. */
export function shownHandle(id: string): string {
  return id;
}

/** Returns the id of a new handle on the payload, or null if the store cannot keep the payload. */
export async function makeHandleId(context: HandleContext, content: HandleContent): Promise<string | null> {
  return (await makeHandle(context, content))?.id ?? null;
}

export async function makeHandle(context: HandleContext, content: HandleContent): Promise<Handle | null> {
  const { session, signal, handles } = context;
  const store = await storeIfAny(handles);
  try {
    return (await store?.create({ ...content, owner: session.owner, signal })) ?? null;
  } catch (thrown) {
    if (OpsError.is(thrown) && ["WRITE_FAILED", "ENGINE_UNAVAILABLE"].includes(thrown.code)) return null;
    throw thrown;
  }
}
