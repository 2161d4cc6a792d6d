import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "./memory.js";

export interface CorpusCase {
  readonly source: string;
  readonly title: string;
  readonly origin: string;
  readonly files: Files;
  readonly diff: string;
  readonly expected: Accepted | Refused;
}

export interface Accepted {
  readonly files: Files;
  /** Of files whose mode the diff sets. */
  readonly modes: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

export interface Refused {
  readonly code: string;
  /** What message and hint say, in part. */
  readonly names: readonly string[];
}

interface Block {
  readonly verb: string;
  readonly subject: string;
  readonly flags: readonly string[];
  readonly body: string;
}

const FOLDER = join(import.meta.dirname, "../corpus");

/** The cases of all files in test/patch/corpus; its README says how they are written. */
export function readCorpus(): readonly CorpusCase[] {
  const sources = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));
  return sources.toSorted().flatMap((source) => readCases(source, readFileSync(join(FOLDER, source), "utf8")));
}

function readCases(source: string, text: string): readonly CorpusCase[] {
  const [, ...cases] = text.split(/^%%% case /m);
  return cases.map((one) => readCase(source, one));
}

function readCase(source: string, text: string): CorpusCase {
  const title = text.slice(0, text.indexOf("\n"));
  const blocks = text.split(/^%%% /m).slice(1).map(readBlock);
  const of = (verb: string): readonly Block[] => blocks.filter((block) => block.verb === verb);
  const unknown = blocks.find(({ verb }) => !/^(?:origin|file|diff|gives|gone|note|refused)$/.test(verb));
  if (unknown !== undefined) throw new Error(`${source}, ${title}: what is ${unknown.verb}?`);
  const files = new Map(of("file").map((block) => [block.subject, contentOf(block)]));
  const [refused] = of("refused");
  const names = refused?.body.split("\n").filter((line) => line !== "") ?? [];
  const expected = refused === undefined ? accepted(files, of) : { code: refused.subject, names };
  const diff = of("diff").map((block) => contentOf(block).toString("utf8"))[0] ?? "";
  return { source, title, origin: of("origin")[0]?.subject ?? "", files, diff, expected };
}

function accepted(before: Files, of: (verb: string) => readonly Block[]): Accepted {
  const files = new Map(before);
  for (const { subject } of of("gone")) files.delete(subject);
  for (const block of of("gives")) files.set(block.subject, contentOf(block));
  const modes = of("gives").flatMap(({ subject, flags }) =>
    flags.flatMap((flag) => (flag.startsWith("mode=") ? [[subject, flag.slice(5)] as const] : [])),
  );
  return { files, modes: Object.fromEntries(modes), notes: of("note").map(({ subject }) => subject) };
}

function readBlock(text: string): Block {
  const head = text.slice(0, text.indexOf("\n"));
  const [, verb = "", subject = "", flags = ""] = /^(\w+)(?: (?!\|)(.*?))?(?: \| (.*))?$/.exec(head) ?? [];
  return {
    verb,
    subject: subject.startsWith('"') ? String(JSON.parse(subject)) : subject,
    flags: flags.split(" "),
    body: text.slice(head.length + 1),
  };
}

function contentOf({ body, flags }: Block): Buffer {
  const open = flags.includes("open") ? body.replace(/\n$/, "") : body;
  const ended = flags.includes("crlf") ? open.replaceAll("\n", "\r\n") : open;
  if (!flags.includes("escaped")) return Buffer.from(ended);
  return Buffer.from(unescape(Buffer.from(ended).toString("latin1")), "latin1");
}

/** `\xNN` is a byte, `\s` a space that an editor would take away. */
function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { r: "\r", n: "\n", t: "\t", s: " ", "\\": "\\" };
  return text.replaceAll(/\\(?:x([0-9a-f]{2})|([rnts\\]))/g, (_, hex: string | undefined, letter: string | undefined) =>
    hex === undefined ? (named[letter ?? ""] ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
