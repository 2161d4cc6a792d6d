import type { Bytes } from "../files.js";

/** What an engine tells on stderr: what it left out (--debug), what it could not read, why it does not search at all. */
export interface EngineLog {
  feed(chunk: Buffer): void;
  end(): void;
  readonly ignored: number;
  readonly hidden: number;
  readonly unreadable: number;
  /** Files that were searched only in part: a limit of PCRE2, or text that it cannot read. */
  readonly broken: number;
  /** The beginning of what is neither a message of --debug nor one about a file. */
  readonly complaint: string;
}

const MAX_COMPLAINT = 8 * 1024;
/** Of one record; a path has at most 4 KiB. */
const MAX_RECORD = 16 * 1024;
const DEBUG = /^(?:rg: )?(?:DEBUG|TRACE)\|/;
const LEFT_OUT = /: ignoring (?:\.\/)?[^]*: Ignore\(IgnoreMatch\((Hidden|Gitignore)/;
const BINARY = /: ignoring (?:\.\/)?([^]*): found binary data at offset (\d+)$/;
/** ripgrep's words, and grep's. */
const BROKEN =
  /: PCRE2: error matching: |: exceeded PCRE's |: stack overflow$|: PCRE JIT internal error|: memory exhausted$/;
const GREP_UNREADABLE = /grep: [^]*: (?:Permission denied|Operation not permitted|Input\/output error)$/;
const GREP_GONE =
  /grep: [^]*: (?:No such file or directory|Is a directory|Not a directory|Too many levels of symbolic links|No such device or address)$/;

export function engineLog(onBinary: (way: Bytes, offset: number) => void): EngineLog {
  let rest = "";
  let record = "";
  const log = { ignored: 0, hidden: 0, unreadable: 0, broken: 0, complaint: "" };

  function close(): void {
    const done = record;
    record = "";
    if (done === "") return;
    const [, left] = LEFT_OUT.exec(done) ?? [];
    if (left === "Hidden") log.hidden += 1;
    else if (left === "Gitignore") log.ignored += 1;
    else {
      const [, way, offset] = BINARY.exec(done) ?? [];
      if (way !== undefined) onBinary(way, Number(offset));
    }
  }

  function line(text: string): void {
    if (DEBUG.test(text)) {
      close();
      record = text;
    } else if (record !== "" && !text.startsWith("rg: ")) {
      // A newline in a name.
      if (record.length < MAX_RECORD) record += `\n${text}`;
    } else other(text);
  }

  function other(text: string): void {
    close();
    const [, code] = /\(os error (\d+)\)$/.exec(text) ?? [];
    if (BROKEN.test(text)) log.broken += 1;
    // 2, 20, 40: gone, or something else by now.
    else if (GREP_UNREADABLE.test(text)) log.unreadable += 1;
    else if (GREP_GONE.test(text)) return;
    else if (code !== undefined) log.unreadable += ["2", "20", "40"].includes(code) ? 0 : 1;
    else if (log.complaint.length < MAX_COMPLAINT) log.complaint += `${text}\n`;
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
