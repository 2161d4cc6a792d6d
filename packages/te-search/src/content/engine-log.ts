import type { Bytes } from "@llmc/names";

/** What an engine tells on stderr: what it left out (--debug), what it could not read, why it does not search at all. */
export interface EngineLog {
  feed(chunk: Buffer): void;
  end(): void;
  readonly ignored: number;
  readonly hidden: number;
  /** Folders called .git, where they are left out by that name. */
  readonly repositories: number;
  readonly unreadable: number;
  /** Files that were searched only in part: a limit of PCRE2, text that it cannot read, a failing disk. */
  readonly broken: number;
  /** The beginning and the end of what is neither a message of --debug nor one about a file. */
  readonly complaint: string;
}

export interface LogOptions {
  /** What stands before the way of a file, if no file can know it. What else a line looks like may be a name with newlines. */
  readonly secret?: Bytes;
  readonly onBinary?: (way: Bytes, offset: number) => void;
}

const MAX_COMPLAINT = 8 * 1024;
/** Of one record; a path has at most 4 KiB. */
const MAX_RECORD = 16 * 1024;
const DEBUG = /^(?:rg: )?(?:DEBUG|TRACE)\|/;
const ABOUT = [": ignoring ", ": whitelisting ", ": opened gitignore file: "];
/** The last line that ends so. */
const LEFT_OUT = /^([^]*): (?:Ignore\(IgnoreMatch\((\w+)(.*)\)\)|found binary data at offset (\d+))$/m;
const NO_REPOSITORY = '(Glob(Matched(Glob { from: None, original: "!.git"';
/** ripgrep's words, and grep's. */
const BROKEN =
  /: PCRE2: error matching: |: exceeded PCRE's |: stack overflow$|: PCRE JIT internal error|: memory exhausted$/;
/** ripgrep's complaint about a line of an ignore file above the search root, which no flag silences. */
const BROKEN_RULE = /: line \d+: error parsing glob '/;
const OS_ERROR = /^[^]*\(os error (\d+)\)$/m;
/** grep tells of the kernel's errors in words. */
const GREP_ERROR = /grep: [^]*: ([A-Z][^:\n]*)$/m;
const SHUT: ReadonlySet<string> = new Set(["1", "13", "Operation not permitted", "Permission denied"]);
/** Gone, or something else by now. */
const GONE: ReadonlySet<string> = new Set([
  ...["2", "6", "20", "40"],
  "No such file or directory",
  "Is a directory",
  "Not a directory",
  "Too many levels of symbolic links",
  "No such device or address",
]);

/** What repeats a long pattern tells at its end what is wrong with it. */
function shortened(complaint: string): string {
  if (complaint.length <= 2 * MAX_COMPLAINT) return complaint;
  return `${complaint.slice(0, MAX_COMPLAINT / 2)}\n\n${complaint.slice(-MAX_COMPLAINT / 2)}`;
}

export function engineLog({ secret, onBinary = () => undefined }: LogOptions = {}): EngineLog {
  const prefix = secret ?? "./";
  const ignoring = `: ignoring ${prefix}`;
  let rest = "";
  /** With several lines where the name of a file holds newlines, or where --debug tells of a pattern. */
  let record = "";
  let isFile = false;
  const log = { ignored: 0, hidden: 0, repositories: 0, unreadable: 0, broken: 0, complaint: "" };

  function close(): void {
    const done = record;
    record = "";
    if (done === "") return;
    if (DEBUG.test(done)) leftOut(done);
    else problem(done);
  }

  function leftOut(text: string): void {
    const at = text.indexOf(ignoring);
    if (at === -1) return;
    const [, way = "", why, by = "", offset] = LEFT_OUT.exec(text.slice(at + ignoring.length)) ?? [];
    if (why === "Hidden") log.hidden += 1;
    else if (why === "Gitignore") log.ignored += 1;
    else if (why === "Override" && by.startsWith(NO_REPOSITORY)) log.repositories += 1;
    else if (offset !== undefined) onBinary(way, Number(offset));
  }

  function problem(text: string): void {
    if (BROKEN_RULE.test(text)) return;
    const error = errorIn(text);
    if (BROKEN.test(text)) log.broken += 1;
    else if (error === undefined) complain(text);
    else if (SHUT.has(error)) log.unreadable += 1;
    else if (!GONE.has(error)) log.broken += 1;
  }

  function complain(text: string): void {
    log.complaint = shortened(`${log.complaint}${text}\n`);
  }

  function goesOn(text: string): boolean {
    if (record === "") return false;
    if (!isFile) return !text.startsWith("rg: ");
    return secret !== undefined || (errorIn(record) === undefined && !BROKEN.test(record));
  }

  function line(text: string): void {
    const isNext = isAboutFile(text, prefix);
    if (!isNext && goesOn(text)) {
      if (record.length < MAX_RECORD) record += `\n${text}`;
      return;
    }
    close();
    isFile = isNext;
    if (isFile || DEBUG.test(text)) record = text;
    else problem(text);
  }

  return Object.assign(log, {
    feed(chunk: Buffer) {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_RECORD);
      for (const one of lines) line(one);
    },
    end() {
      if (rest !== "") line(rest);
      rest = "";
      close();
    },
  });
}

function isAboutFile(text: string, prefix: Bytes): boolean {
  // ripgrep 13 does not say who speaks.
  if (text.startsWith(prefix) || text.startsWith(`rg: ${prefix}`) || text.includes(`grep: ${prefix}`)) return true;
  return DEBUG.test(text) && ABOUT.some((words) => text.includes(words + prefix));
}

function errorIn(text: string): string | undefined {
  return OS_ERROR.exec(text)?.[1] ?? GREP_ERROR.exec(text)?.[1];
}
