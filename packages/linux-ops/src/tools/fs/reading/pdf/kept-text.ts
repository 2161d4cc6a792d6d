import { OpsError } from "@llmc/errors";
import { storeIfAny, type Handle, type HandleSource } from "@llmc/handles";
import type { FileIdentity, OpenFile } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../../context/context.js";
import { makeHandle } from "../../../../answer/handle.js";

export interface PdfText {
  readonly text: Buffer;
  /** Which pages it is of: "1-12". */
  readonly pages: string;
}

export interface KeptText extends PdfText {
  readonly handle: Handle;
}

const SLICE = 4 * 1024 * 1024;

/** The text that an earlier call got out of the same unchanged file: reading on by lines need not extract it again. */
export async function keptText({ identity }: OpenFile, context: LinuxOpsContext): Promise<KeptText | null> {
  const store = await storeIfAny(context.handles);
  const { session } = context;
  const handle = (await store?.findBySource(session.owner, sourceOf(identity))) ?? null;
  if (store === null || handle === null) return null;
  try {
    const parts: Buffer[] = [];
    for (let at = 0; at < handle.size; at += SLICE) {
      parts.push((await store.readSlice(session.owner, handle.id, at, SLICE)).data);
    }
    return { handle, text: Buffer.concat(parts), pages: String(handle.meta["pages"]) };
  } catch (thrown) {
    // It made room for newer ones meanwhile.
    if (OpsError.from(thrown).code.startsWith("HANDLE_")) return null;
    throw thrown;
  }
}

/** `readAtMs`: only the whole text of a file stands for the file. Null where the store does not take so much. */
export async function keepText(
  file: OpenFile,
  { text, pages }: PdfText,
  readAtMs: number | null,
  context: LinuxOpsContext,
): Promise<Handle | null> {
  return await makeHandle(context, {
    type: "file_content",
    meta: { kind: "file_content", path: file.path, pages },
    payload: text,
    source: readAtMs === null ? undefined : { ...sourceOf(file.identity), readAtMs },
  });
}

/** No device has such a number: the text of a file is not taken for its bytes, nor these for it. */
function sourceOf({ dev, ...rest }: FileIdentity): Omit<HandleSource, "readAtMs"> {
  return { ...rest, dev: -dev - 1n };
}
