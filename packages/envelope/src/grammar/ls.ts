import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

const ROW =
  /^(?<mode>[bcdlps-][rwxsStT-]{9})[.+@]?\s+\d+\s+(?<owner>\S+)\s+(?<group>\S+)\s+(?<size>\d[\d.,]*[KMGTP]?|\d+,\s*\d+)\s+(?<date>\w{3}\s+\d+\s+[\d:]+|\d{4}-\d\d-\d\d\s+[\d:]+\S*)\s+(?<name>.+)$/;
/** Entries up to which all are told. */
const FEW = 60;
/** Entries of each folder that are told, its odd and largest ones apart. */
const FIRST = 3;
const LARGEST = 5;
/** Entries up to which every name is told. */
const SOME = 300;
const MOST_FOLDERS = 80;
const MOST_ENTRIES = 60;

type Entry = Readonly<Record<string, string | undefined>>;

/** `ls -l`: the usual owner once, then size and name; of a long list the folders, odd entries and the largest. */
export const ls: Grammar = (lines) => {
  const rows = lines.map((line) => ROW.exec(line)?.groups);
  const entries = rows.filter((row) => row !== undefined && !/^\.\.?$/.test(row["name"] ?? "")) as readonly Entry[];
  if (entries.length < 5) return undefined;
  const owner = commonest(entries.map(ownerOf));
  const isOdd = (row: Entry) =>
    ownerOf(row) !== owner || /[sStT]/.test(row["mode"] ?? "") || !/^[-dl]/.test(row["mode"] ?? "");
  const files = entries.filter(({ mode }) => mode?.startsWith("-"));
  const sized = files.map((row) => ({ row, size: sizeOf(row) })).toSorted((one, other) => other.size - one.size);
  const largest = new Set(sized.slice(0, LARGEST).map(({ row }) => row));
  const isFew = entries.length <= FEW;
  const pieces: Piece[] = [];
  let inFolder = 0;
  let hidden: string[] = [];
  let folders = 0;
  let shown = 0;
  const close = () => {
    const names = hidden.join(" ");
    if (hidden.length > 0)
      pieces.push(
        made(
          entries.length <= SOME ? ` also ${names}` : ` … ${hidden.length} more`,
          entries.length <= SOME ? hidden.length : 0,
        ),
      );
    hidden = [];
    inFolder = 0;
  };
  for (const [at, row] of rows.entries()) {
    const line = lines[at] ?? "";
    if (row?.["name"] === "." || row?.["name"] === "..") continue;
    if (row === undefined) {
      if (/^total \d/.test(line) || line.trim() === "") continue;
      close();
      folders += 1;
      if (folders <= MOST_FOLDERS) pieces.push(asIs(line));
      continue;
    }
    inFolder += 1;
    const isTold =
      isFew ||
      largest.has(row) ||
      (shown < MOST_ENTRIES && folders <= MOST_FOLDERS && (inFolder <= FIRST || isOdd(row)));
    if (!isTold && !(at === rows.length - 1)) {
      hidden.push(spelled(row["name"] ?? "", row["mode"] ?? ""));
      continue;
    }
    shown += 1;
    pieces.push(made(entryOf(row, owner), 1));
  }
  close();
  const lastFolder = lines.findLast((line) => line.endsWith(":"));
  const more =
    folders > MOST_FOLDERS ? [made(`… ${folders - MOST_FOLDERS} more folders, the last ${lastFolder ?? ""}`)] : [];
  return [made(`${entries.length} entries; owner ${owner} unless said`), ...pieces, ...more];
};

function ownerOf({ owner, group }: Entry): string {
  return `${owner} ${group}`;
}

function entryOf({ mode = "", size, date = "", name, ...whose }: Entry, common: string): string {
  const isPlain = /^(?:-rw-r--r--|drwxr-xr-x|lrwxrwxrwx|-rwxr-xr-x)/.test(mode);
  const who = ownerOf(whose) === common ? "" : ` ${ownerOf(whose)}`;
  const day = date.replace(/ +\d\d:\d\d.*$/, "").replaceAll(/\s+/g, " ");
  return `${mode.startsWith("-") ? ` ${size} ` : " "}${name}${markOf(mode)}${isPlain ? "" : ` ${mode}`}${who} ${day}`;
}

function spelled(name: string, mode: string): string {
  const plain = /[\s"]/.test(name) ? JSON.stringify(name) : name;
  return mode.startsWith("d") ? `${plain}/` : plain;
}

/** As `ls -F` marks folders and programs. */
function markOf(mode: string): string {
  if (mode.startsWith("d")) return "/";
  return mode.startsWith("-") && mode.includes("x") ? "*" : "";
}

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 };

function sizeOf({ size = "" }: Entry): number {
  const [, digits = "0", unit = ""] = /^([\d.]+)([KMGTP]?)$/.exec(size.replace(/,\s*\d+$/, "")) ?? [];
  return Number(digits) * (UNITS[unit] ?? 1);
}

function commonest(values: readonly string[]): string {
  const groups = [...groupBy(values, (value) => value).entries()];
  return groups.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? "";
}
