import { findProgram } from "@llmc/te-run";
import { nodeProgram, type ReaderProgram } from "../program/reader-program.js";

/**
 * Accepts the arguments of pdftotext and prints the same: the text of each page with a form feed behind it, and its
 * error messages. Plain JavaScript, because Node runs it with -e.
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

/** Returns the program that prints the text of a PDF on this machine, or null. */
export async function pdfProgram(): Promise<ReaderProgram | null> {
  const pdftotext = await findProgram("pdftotext");
  return pdftotext === null ? unpdfProgram() : { name: "pdftotext", argv: [pdftotext], limit: "as" };
}

/** Returns null if the npm package unpdf is not installed. */
export function unpdfProgram(): ReaderProgram | null {
  return nodeProgram("unpdf", SCRIPT);
}
