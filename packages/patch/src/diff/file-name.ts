import { PatchFailedError } from "@llmc/errors";
import { type Bytes, displayPath, textOf } from "@llmc/names";
import type { PathPair, Spelling } from "./plan.js";

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};
const TIME = / +\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?[+-]\d\d:?\d\d| ?Z)?$/;
const LONGEST_TIME = 48;
const LONGEST_NAME = 4096;
// Git writes others than a/ and b/ if it is told to: what was compared with what.
const PREFIX = /^[abciow]\/./;

/** The name behind `--- ` or `+++ `, which may be quoted and followed by a time; null for /dev/null. */
export function readName(rest: string): string | null {
  const name = rest.trimStart().startsWith('"') ? quotedName(rest.trimStart()) : checkName(bareName(rest));
  return /^(?:[ab]\/)?\/?dev\/null$/.test(name) ? null : name;
}

function bareName(rest: string): string {
  const tab = rest.indexOf("\t");
  if (tab !== -1) return rest.slice(0, tab);
  const name = rest.trim();
  const time = TIME.exec(name.slice(-LONGEST_TIME));
  return time === null ? name : name.slice(0, -time[0].length).trimEnd();
}

/** A name as git writes it in quotes; what stands behind the closing quote is not looked at. */
function unquote(quoted: string): string {
  const name = quoted.slice(0, LONGEST_NAME * 4).match(/^"((?:[^"\\]|\\[^])*)"/)?.[1];
  if (name === undefined) return quoted.trim();
  return name.replace(/\\([0-7]{1,3}|[^])/g, (whole, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (ESCAPES[code] ?? whole),
  );
}

/** The bytes that git means, as names are shown. */
export function quotedName(quoted: string): string {
  return displayPath(checked(unquote(quoted)));
}

/** A name that is not quoted stands as a caller typed it. */
export function checkName(name: string): string {
  return textOf(checked(name));
}

function checked(name: Bytes): Bytes {
  if (name === "") throw new PatchFailedError("A file in the diff has no name", { hint: "Write it as `--- a/path`." });
  if (name.length > LONGEST_NAME)
    throw new PatchFailedError(`A file name in the diff has ${name.length} bytes`, { hint: "No file can have it." });
  if (name.includes("\0")) {
    throw new PatchFailedError(`The name ${JSON.stringify(textOf(name))} holds a NUL`, {
      hint: "No file can have it.",
    });
  }
  return name;
}

/** What a pair of names may mean, likeliest first. One of them is not null. */
export function pathPairs(oldName: string | null, newName: string | null): readonly PathPair[] {
  if (oldName === null) return alone(newName ?? "").map(({ path, spelling }) => pair(null, path, spelling));
  if (newName === null) return alone(oldName).map(({ path, spelling }) => pair(path, null, spelling));
  if (oldName === newName) return [written(oldName), ...stripped(oldName)].map(both);
  const [oldRest, newRest] = [withoutFirst(oldName), withoutFirst(newName)];
  if (oldRest === newRest && oldRest !== null) {
    const [first = written(oldRest), raw, ...absolute] = hasPrefixes(oldName, newName)
      ? readings(newName)
      : [stripFirst(oldRest)];
    return [first, raw ?? written(newName), written(oldName), ...absolute].map(both);
  }
  if (oldRest === newName) return [written(newName), written(oldName)].map(both);
  if (newRest === oldName) return [written(oldName), written(newName)].map(both);
  const plain = pair(oldName, newName, "written");
  if (!hasPrefixes(oldName, newName) || oldRest === null || newRest === null) return [plain];
  const twice = withoutFirst(newRest);
  const folders = twice !== null && twice === withoutFirst(oldRest) ? [both(stripFirst(twice))] : [];
  return [pair(oldRest, newRest, "stripped"), ...folders, plain];
}

/** Of names that stand without a prefix by right, as git's renames do; others may put one there. */
export function plainPairs(oldName: string, newName: string): readonly PathPair[] {
  const plain = pair(oldName, newName, "written");
  const prefixed = PREFIX.test(oldName) && PREFIX.test(newName);
  return prefixed ? [plain, pair(oldName.slice(2), newName.slice(2), "stripped")] : [plain];
}

interface Reading {
  readonly path: string;
  readonly spelling: Spelling;
}

function pair(oldPath: string | null, newPath: string | null, spelling: Spelling): PathPair {
  return { oldPath, newPath, spelling };
}

function both({ path, spelling }: Reading): PathPair {
  return pair(path, path, spelling);
}

function written(path: string): Reading {
  return { path, spelling: "written" };
}

function stripFirst(path: string): Reading {
  return { path, spelling: "stripped" };
}

/** A name without another beside it: only a/ and b/ are taken for a prefix then. */
function alone(name: string): readonly Reading[] {
  return /^[ab]\//.test(name) ? readings(name) : [written(name)];
}

/** Behind a prefix, or not: `a/home/me/x` may even be `/home/me/x`. */
function readings(name: string): readonly Reading[] {
  return [...stripped(name), written(name), ...absolutes(name)];
}

function stripped(name: string): readonly Reading[] {
  return PREFIX.test(name) ? [stripFirst(name.slice(2))] : [];
}

function absolutes(name: string): readonly Reading[] {
  const rest = name.slice(1);
  return PREFIX.test(name) && !rest.startsWith("//") ? [{ path: rest, spelling: "absolute" }] : [];
}

function withoutFirst(name: string): string | null {
  const slash = name.indexOf("/");
  return slash === -1 || slash === name.length - 1 ? null : name.slice(slash + 1);
}

function hasPrefixes(oldName: string, newName: string): boolean {
  return PREFIX.test(oldName) && PREFIX.test(newName) && oldName[0] !== newName[0];
}
