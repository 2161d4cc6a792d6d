import { PatchFailedError } from "@llmc/errors";
import { checkName, quotedName, readName } from "./file-name.js";
import type { DiffLine, FileMode } from "./plan.js";

/** What the lines between `diff --git` and the first hunk say. */
export interface GitHeader {
  readonly oldName: string;
  readonly newName: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly moved: { readonly kind: "rename" | "copy"; readonly from: string; readonly to: string } | null;
  readonly mode: FileMode | null;
  readonly next: number;
}

const EXTENDED =
  /^(?:old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) (.*)$/s;
const KINDS: Readonly<Record<string, string>> = {
  "120000": "a symbolic link, and links are not made from a diff",
  "160000": "a submodule, whose content is not in the diff",
  "040000": "a folder",
};

/** `lines[at]` begins with `diff --git `. */
export function readGitHeader(lines: readonly DiffLine[], at: number): GitHeader {
  const fields = new Map<string, string>();
  let next = at + 1;
  for (; EXTENDED.test(lines[next]?.text ?? ""); next++) {
    const text = lines[next]?.text ?? "";
    const value = EXTENDED.exec(text)?.[1] ?? "";
    fields.set(text.slice(0, text.length - value.length - 1), value);
  }
  const [oldName, newName] = splitNames((lines[at]?.text ?? "").slice("diff --git ".length));
  const mode = modeOf(fields, newName);
  return { oldName, newName, ...endsOf(fields), moved: movedBy(fields), mode, next };
}

function endsOf(fields: ReadonlyMap<string, string>): { readonly created: boolean; readonly deleted: boolean } {
  return { created: fields.has("new file mode"), deleted: fields.has("deleted file mode") };
}

function movedBy(fields: ReadonlyMap<string, string>): GitHeader["moved"] {
  for (const kind of ["rename", "copy"] as const) {
    const [from, to] = [fields.get(`${kind} from`), fields.get(`${kind} to`)];
    if (from !== undefined && to !== undefined) return { kind, from: nameIn(from), to: nameIn(to) };
  }
  return null;
}

function nameIn(value: string): string {
  return value.startsWith('"') ? quotedName(value) : checkName(value.trimEnd());
}

function modeOf(fields: ReadonlyMap<string, string>, name: string): FileMode | null {
  const index = fields.get("index")?.match(/ (\d{6})$/)?.[1];
  const [changed, created] = [fields.get("new mode"), fields.get("new file mode")];
  for (const mode of [changed, created, fields.get("old mode"), fields.get("deleted file mode"), index]) {
    const kind = KINDS[mode?.trim() ?? ""];
    if (kind !== undefined)
      throw new PatchFailedError(`${name} is ${kind}`, { hint: "Leave that part of the diff out." });
  }
  const mode = (changed ?? created)?.trim();
  return mode === undefined ? null : fileMode(mode, name);
}

/** Of the mode git keeps only whether its owner may execute the file; so do we. */
function fileMode(mode: string, name: string): FileMode {
  if (!/^(?:100|0)?[0-7]{3}$/.test(mode)) {
    throw new PatchFailedError(`${name} has the mode ${mode.slice(0, 20)} in the diff`, {
      hint: "Use 100644 or 100755.",
    });
  }
  return (Number.parseInt(mode.slice(-3), 8) & 0o100) === 0 ? 0o644 : 0o755;
}

/** `a/x b/x`: without quotes, spaces part the names as well as their words. */
function splitNames(rest: string): readonly [string, string] {
  const quoted = /^("(?:[^"\\]|\\[^])*") (.*)$/s.exec(rest);
  if (quoted !== null) return [nameIn(quoted[1] ?? ""), nameIn(quoted[2] ?? "")];
  const space = equalHalves(rest) ?? lastPrefixed(rest);
  if (space === -1) return [nameIn(rest), nameIn(rest)];
  return [nameIn(rest.slice(0, space)), nameIn(rest.slice(space + 1))];
}

function equalHalves(rest: string): number | undefined {
  const middle = (rest.length - 1) / 2;
  if (rest[middle] !== " ") return undefined;
  const [old, fresh] = [rest.slice(0, middle), rest.slice(middle + 1)];
  const slash = (name: string): string => name.slice(name.indexOf("/"));
  return old === fresh || slash(old) === slash(fresh) ? middle : undefined;
}

function lastPrefixed(rest: string): number {
  const at = Math.max(rest.lastIndexOf(" b/"), rest.lastIndexOf(' "b/'));
  return at === -1 ? rest.indexOf(" ") : at;
}

/** The name in a line that begins with `--- ` or `+++ `. */
export function nameAfterSign(line: DiffLine | undefined): string | null {
  return readName((line?.text ?? "").slice(4));
}
