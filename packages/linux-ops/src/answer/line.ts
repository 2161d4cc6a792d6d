import type { EntryType } from "@llmc/te-fs";

/** What a line of the text form tells of an entry. */
export interface LineFacts {
  readonly name: string;
  readonly type: EntryType;
  readonly size?: number | undefined;
  readonly target?: string | undefined;
  readonly problem?: string | undefined;
  readonly folded?: number | undefined;
}

/** `node_modules/ — 12,044 entries`, `a.ts 1.2K`, `link -> target`, `secret/ (permission denied)`. */
export function line({ name, type, size, target, problem, folded = 0 }: LineFacts): string {
  const parts = [spell(name) + (type === "dir" ? "/" : "")];
  if (type === "symlink") parts.push(target === undefined ? "(link)" : `-> ${spell(target)}`);
  if (type === "other") parts.push("(special file)");
  if (size !== undefined) parts.push(humanSize(size));
  if (problem !== undefined) parts.push(`(${problem})`);
  if (folded > 0) parts.push(`— ${counted(folded)}`);
  return parts.join(" ");
}

export function counted(count: number): string {
  return `${grouped(count)} ${count === 1 ? "entry" : "entries"}`;
}

/** 12044 as 12,044. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

const UNITS = ["K", "M", "G", "T", "P", "E"];

/** As ls -h: 512B, 1.2K, 34M. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let size = bytes;
  let unit = -1;
  // 1023.5 would be written as 1024.
  while (size >= 1023.5) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)}${UNITS[unit]}`;
}

// What would break the line, or read as something other than a part of the name.
// oxlint-disable-next-line no-control-regex
const ODD = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"]|^\s|\s$| (?:->|—) /;
const UNSEEN = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** An odd name stands in quotes, as JSON has it: an argument is written the same way. */
export function spell(name: string): string {
  if (!ODD.test(name)) return name;
  return JSON.stringify(name).replace(UNSEEN, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
