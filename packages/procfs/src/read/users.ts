import { readFileSync, statSync } from "node:fs";

/** The name of a user; undefined where the table has none. */
export type UserName = (uid: number) => string | undefined;

const FRESH_MS = 5000;

/** The table is read again when it changed, and looked at every few seconds only. */
export function userNames(passwd: string, now: () => number): UserName {
  let names = new Map<number, string>();
  let [version, lookedAt] = ["", Number.NEGATIVE_INFINITY];

  const refresh = (): void => {
    lookedAt = now();
    try {
      const { mtimeMs, size, ino } = statSync(passwd);
      const found = `${mtimeMs}:${size}:${ino}`;
      if (found === version) return;
      names = readTable(readFileSync(passwd, "utf8"));
      version = found;
    } catch {
      // Without a table users have numbers.
      names = new Map();
      version = "";
    }
  };

  return (uid) => {
    if (now() - lookedAt >= FRESH_MS) refresh();
    return names.get(uid);
  };
}

/** As the C library does, the first line of a number counts. */
function readTable(text: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const line of text.split("\n")) {
    const [name = "", , uid = ""] = line.split(":");
    if (name !== "" && /^\d+$/.test(uid) && !names.has(Number(uid))) names.set(Number(uid), name);
  }
  return names;
}
