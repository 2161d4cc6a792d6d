// Runs the groups in a process of its own, bundled and small: a spawn costs more the larger the process that does it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GroupName } from "../group-names.js";
import type { Row } from "../report/row.js";
import type { Context } from "./context.js";
import { onDisk } from "./disk.js";
import { makeFiles, type Files } from "./files.js";
import { GROUPS } from "./groups.js";
import { serversOf, type Places } from "./servers.js";

export interface Order {
  readonly quick: boolean;
  readonly only: readonly GroupName[];
  readonly places: Omit<Places, "work" | "files">;
  /** Where the rows are written. */
  readonly out: string;
}

const { quick, only, places: given, out } = JSON.parse(process.argv[2] ?? "{}") as Order;
const work = mkdtempSync(join(onDisk([tmpdir(), "/var/tmp", given.build]), "llmc-bench-"));
// Roots and homes apart: what a server keeps for itself is closed to its tools.
const places: Places = { ...given, work, files: join(work, "files") };
const FRESH = { full: 40, quick: 8 };
let made: Files | undefined;
const context: Context = {
  quick,
  places,
  servers: serversOf(places),
  files: () => Promise.resolve((made ??= makeFiles(places.files, quick ? FRESH.quick : FRESH.full))),
  rounds: (full) => (quick ? Math.max(3, Math.ceil(full / 10)) : full),
};

process.on("exit", () => rmSync(work, { recursive: true, force: true }));
mkdirSync(places.files);
const rows: Row[] = [];
for (const name of only) {
  const started = performance.now();
  rows.push(...(await GROUPS[name](context)));
  process.stderr.write(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}
writeFileSync(out, JSON.stringify(rows));
process.exit(0);
