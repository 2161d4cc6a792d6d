export interface Welcome {
  readonly version: string;
  readonly roots: readonly string[];
  readonly driver: string;
  /** `http://127.0.0.1:8080` */
  readonly base: string;
  /** The default port, where it was taken and another one serves. */
  readonly takenPort: number | null;
  readonly token: ShownToken | null;
  readonly tlsCert: string | null;
  /** A file of the first root that the example reads; null where there is none. */
  readonly exampleFile: string | null;
  readonly paint: Paint;
}

/** A token that we made is shown; one that the operator keeps elsewhere is named by its variable. */
export interface ShownToken {
  /** As it stands inside double quotes of a shell line. */
  readonly inShell: string;
  readonly note: string;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
}

/** What somebody who has just started the server needs next. The shell lines work as they stand. */
export function welcome(facts: Welcome): string {
  const { version, roots, driver, base, takenPort, token, paint } = facts;
  const rows: [name: string, value: string][] = [
    ["MCP", `${base}/mcp`],
    ...(token === null ? [] : [["Token", `${token.inShell}  ${paint.dim(token.note)}`] as [string, string]]),
    ["Roots", roots.length === 0 ? "none" : roots.join("  ")],
    ["State", driver],
  ];
  return [
    "",
    paint.bold(`LLMC LinuxOps ${version} is ready`),
    ...(takenPort === null ? [] : [`Port ${takenPort} is taken, so this is the next free one.`]),
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(6)} ${value}`),
    "",
    `Add it to Claude Code:`,
    `  ${claudeLine(facts)}`,
    "",
    `Try it:`,
    `  ${curlLine(facts)}`,
    "",
    paint.dim("ctrl-c ends it."),
    "",
  ].join("\n");
}

function claudeLine({ base, token }: Welcome): string {
  const header = token === null ? "" : ` --header "Authorization: Bearer ${token.inShell}"`;
  return `claude mcp add --transport http linuxops ${base}/mcp${header}`;
}

function curlLine({ base, token, tlsCert, exampleFile }: Welcome): string {
  const call =
    exampleFile === null
      ? { name: "health", args: {} }
      : { name: "linux.fs_read", args: { path: exampleFile, max_lines: 20 } };
  return [
    "curl -s",
    ...(tlsCert === null ? [] : [`--cacert ${quoted(tlsCert)}`]),
    `${base}/tool`,
    ...(token === null ? [] : [`-H "Authorization: Bearer ${token.inShell}"`]),
    '-H "Content-Type: application/json"',
    `-d ${quoted(JSON.stringify({ session_id: "hello", ...call }))}`,
  ].join(" ");
}

/** One word of a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function createPaint(colours: boolean): Paint {
  const style = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: style(1), dim: style(2) };
}
