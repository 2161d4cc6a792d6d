/** One line of the mount table. */
export interface Mount {
  readonly point: string;
  /** Which part of the file system is mounted: "/" is all of it. */
  readonly root: string;
  readonly type: string;
  readonly source: string;
  /** As major:minor. */
  readonly device: string;
  readonly isReadOnly: boolean;
  /** The file system as a whole, not only as it is seen here. */
  readonly isDeviceReadOnly: boolean;
}

export function parseMounts(text: string): Mount[] {
  return text.split("\n").flatMap(parseLine);
}

function parseLine(line: string): Mount[] {
  const [left = "", right] = line.split(" - ", 2);
  if (right === undefined) return [];
  const [, , device = "", root = "", point = "", options = ""] = left.split(" ");
  const [type = "", source = "", superOptions = ""] = right.split(" ");
  // A mount may be read-only by itself, or because its file system is.
  const isDeviceReadOnly = superOptions.split(",").includes("ro");
  const isReadOnly = isDeviceReadOnly || options.split(",").includes("ro");
  const [where, of] = [unescape(point), unescape(source)];
  return [{ point: where, root: unescape(root), type, source: of, device, isReadOnly, isDeviceReadOnly }];
}

/** Spaces, tabs, newlines and backslashes stand as three octal digits. */
function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const plain = bytes.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(plain, "latin1").toString("utf8");
}
