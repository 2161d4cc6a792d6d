import { demandReachable } from "@llmc/commands";
import { OpsError } from "@llmc/errors";
import { isShortName, readWhole, shortName, storeIfAny, type Handle, type HandleInput } from "@llmc/handles";
import type { LinuxOpsContext } from "../context/context.js";

type HandleContext = Pick<LinuxOpsContext, "handles" | "session" | "signal">;
type HandleContent = Pick<HandleInput, "type" | "meta" | "payload" | "source">;

/** Prefix of a handle's resource URI. */
const URI = /^linuxops:\/\/handle\//;
/** Matches a full id or a short name. */
const NAME = /^(?:H_[a-z]\w*|h\d{6})$/;

/** Returns the short name that answers show. */
export function shownHandle(id: string): string {
  return isShortName(id) ? id : shortName(id);
}

/** Returns the id from an argument, which may be a resource URI. */
export function handleIdIn(argument: string): string {
  return argument.replace(URI, "");
}

/** Tells whether an argument looks like a handle. */
export function isHandleName(argument: string): boolean {
  return NAME.test(handleIdIn(argument));
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

export interface KeptText {
  readonly handle: Handle;
  /** Text in UTF-8. */
  readonly bytes: Buffer;
}

/** Reads the whole content of a handle as text. */
export async function keptText(id: string, context: HandleContext & Pick<LinuxOpsContext, "files">): Promise<KeptText> {
  const { session, signal, handles } = context;
  const check = (handle: Handle) => demandReachable(handle, context);
  const { handle, bytes } = await readWhole(await handles(), session.owner, id, { signal, check });
  return { handle, bytes: inUtf8(bytes) };
}

const UTF_16: Readonly<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

function inUtf8(bytes: Buffer): Buffer {
  const encoding = UTF_16[bytes.toString("hex", 0, 2)];
  return encoding === undefined ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));
}
