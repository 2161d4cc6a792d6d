import { imageFormat, MAGIC_BYTES } from "@llmc/documents";
import { InvalidArgumentError } from "@llmc/errors";
import { readBytes } from "@llmc/te-fs";
import { sessionKey } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../../../context/context.js";
import { readImage } from "./image/read-image.js";
import { isPdf, readPdf } from "./pdf/read-pdf.js";
import type { Reading, Wanted } from "./reading.js";
import { readText } from "./text.js";

/** Text, a picture, or the text of a PDF: by what the file begins with, whatever it is called. */
export async function readFile(path: string, wanted: Wanted, context: LinuxOpsContext): Promise<Reading> {
  const { files, lineIndex, signal } = context;
  await using file = await files.read(path, { session: sessionKey(context), lineIndex, signal });
  const head = await readBytes(file, { offset: 0, length: MAGIC_BYTES, signal: context.signal });
  if (isPdf(head)) return await readPdf(file, wanted, context);
  refuse({ pages: wanted.pages !== undefined }, file.path, "is not a PDF");
  const format = imageFormat(head);
  const image = format === undefined ? null : await readImage(file, format, wanted.budget, context);
  if (image === null) return await readText(file, wanted, context);
  refuse(
    { offset_lines: wanted.offsetLines > 0, tail_lines: wanted.tailLines !== undefined },
    file.path,
    "is an image",
  );
  return image;
}

/** An argument that has no meaning for this file is refused: what is left out in silence passes for done. */
function refuse(given: Readonly<Record<string, boolean>>, path: string, what: string): void {
  const name = Object.keys(given).find((each) => given[each]);
  if (name === undefined) return;
  throw new InvalidArgumentError(
    `linux.fs_read: ${name} does not go with ${path}, which ${what}`,
    `Leave out ${name}.`,
  );
}
