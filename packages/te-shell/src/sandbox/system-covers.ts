import { findProgram, run } from "@llmc/te-run";
import type { Hidden } from "./closed-paths.js";

const BOUNDS = { maxBytes: 4 * 1024 * 1024, timeoutMs: 30_000, baseEnv: {} };
/** Whole, and what a package never fills with secrets only near its top. */
const PLACES = [["/etc"], ["/opt"], ["/var"], ["/usr/local"], ["/usr", "-maxdepth", "4"]];
/** More than that is no machine whose secrets can be covered one by one. */
const MAX_COVERS = 2000;

/**
 * What of the system folders only its owner or a group may read, and a command with these rights could: other people's
 * rights end at the kernel. Sockets too: they answer through a read-only mount.
 */
export async function systemCovers(uid: number, gids: readonly number[]): Promise<readonly Hidden[]> {
  const find = await findProgram("find");
  if (find === null) return [];
  const ours = ["(", "-uid", `${uid}`, ...gids.flatMap((gid) => ["-o", "-gid", `${gid}`]), ")"];
  const shut = ["(", "-type", "d", "!", "-perm", "-o+rx", "-o", "-type", "f", "!", "-perm", "-o+r", ")"];
  const tell = ["-printf", "%y%p\\0", "-prune"];
  const found = await Promise.all(
    PLACES.map(([place = "", ...depth]) =>
      run(
        [find, place, ...depth, "-xdev", "(", "-type", "s", ...tell, ")", "-o", "(", ...ours, ...shut, ...tell, ")"],
        BOUNDS,
      ),
    ),
  );
  const rows = found.flatMap(({ stdout }) => stdout.toString().split("\0")).filter((row) => row !== "");
  return rows
    .slice(0, MAX_COVERS)
    .map((row) => ({ path: row.slice(1), kind: row.startsWith("d") ? ("folder" as const) : ("file" as const) }));
}
