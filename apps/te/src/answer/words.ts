import type { HandleWords } from "@llmc/envelope";
import type { Places } from "../command-line/asked.js";

/** Words by which te names the way to the lines that it left out. */
export function handleWords({ config, dataDir }: Places): HandleWords {
  const flags = [...flag("--config", config), ...flag("--data-dir", dataDir)];
  const reading = (handle: string): string => ["te", ...flags, "--handle", handle].join(" ");
  return {
    lines: (handle, lines) => `${reading(handle)} --lines ${lines}`,
    match: (handles) => handles.map((handle) => `${reading(handle)} --match RE`).join(", "),
  };
}

function flag(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return [name, /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`];
}
