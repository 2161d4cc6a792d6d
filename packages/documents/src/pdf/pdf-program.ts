import { findProgram } from "@llmc/te-run";
import { nodeProgram, type ReaderProgram } from "../program/reader-program.js";

/**
 * Takes the arguments of pdftotext, and answers as it does: text of pages with a form feed behind each, and the same
 * words for what is wrong. Plain JavaScript, because it runs in a process of its own.
 */
const SCRIPT = `
import { getDocumentProxy } from "unpdf";
const option = (name) => Number(process.argv[process.argv.indexOf(name) + 1]);
const [first, last] = [option("-f"), option("-l")];
const fail = (said) => {
  console.error(said);
  process.exitCode = 1;
};
try {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)), { verbosity: 0 });
  if (first > pdf.numPages) fail(\`first page (\${first}) can not be after the last page (\${pdf.numPages})\`);
  for (let number = first; number <= Math.min(last, pdf.numPages); number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map(({ str = "", hasEOL }) => str + (hasEOL ? "\\n" : "")).join("");
    if (!process.stdout.write(text + "\\f")) await new Promise((resolve) => process.stdout.once("drain", resolve));
    page.cleanup();
  }
} catch (thrown) {
  fail(thrown?.name === "PasswordException" ? "Incorrect password" : String(thrown?.message));
}
`;

/** What prints the text of a PDF here, if anything does. */
export async function pdfProgram(): Promise<ReaderProgram | null> {
  const pdftotext = await findProgram("pdftotext");
  return pdftotext === null ? unpdfProgram() : { name: "pdftotext", argv: [pdftotext], limit: "as" };
}

/** The npm package unpdf, if it is installed: text of PDFs where no pdftotext is. */
export function unpdfProgram(): ReaderProgram | null {
  return nodeProgram("unpdf", SCRIPT);
}
