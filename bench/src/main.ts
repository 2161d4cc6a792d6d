// `pnpm bench`: prepares, measures in a process of its own, and writes what came out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "@llmc/linux-ops";
import { GROUP_NAMES } from "./group-names.js";
import { optionsOf, USAGE, type Options } from "./options.js";
import type { Order } from "./measure/main.js";
import { bundleAll } from "./prepare/bundle.js";
import { installPeers, PEERS, versionIn } from "./prepare/peers.js";
import { load, machineFacts } from "./report/machine.js";
import { withResults } from "./report/readme.js";
import { addRows } from "./report/add-rows.js";
import { BENCH, README_FILE, readResult, RESULT_FILE, type Result } from "./report/result.js";
import type { Row } from "./report/row.js";
import { renderResult } from "./report/table.js";

const BUILD = join(BENCH, ".build");
const PEER_FOLDER = join(BENCH, ".peers");
const STDIO_APP = join(BENCH, "../apps/mcp-stdio/dist/main.js");

await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<void> {
  let options: Options;
  try {
    options = optionsOf(args);
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (!existsSync(STDIO_APP)) throw new Error("apps/mcp-stdio/dist/main.js is missing: run `pnpm bench` from the root");
  const peers = await installPeers(PEER_FOLDER, options.peers);
  await bundleAll(BENCH, BUILD);

  const [date, loadBefore, started] = [new Date().toISOString(), load(), performance.now()];
  const rows = await measured(options, peers);
  const result: Result = {
    date,
    seconds: Math.round((performance.now() - started) / 1000),
    machine: machineFacts(loadBefore),
    versions: { LinuxOps: VERSION, ...libraries(), ...(peers ? PEERS : {}) },
    rows,
  };
  const isWhole = options.only.length === GROUP_NAMES.length;
  publish(result, !options.quick && (isWhole ? "whole" : options.add ? "added" : false));
}

async function measured({ quick, only }: Options, peers: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "llmc-bench-rows-"));
  try {
    const out = join(folder, "rows.json");
    const order: Order = {
      quick,
      only,
      out,
      places: {
        fixtures: join(BENCH, "fixtures"),
        build: BUILD,
        stdioApp: STDIO_APP,
        peers: peers ? PEER_FOLDER : null,
      },
    };
    const child = spawn(process.execPath, [join(BUILD, "measure/main.js"), JSON.stringify(order)], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error("the measuring process failed");
    return JSON.parse(readFileSync(out, "utf8")) as Row[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function libraries(): Record<string, string> {
  const names = ["@modelcontextprotocol/sdk", "hono", "@hono/node-server"];
  return Object.fromEntries(names.map((name) => [name, versionIn(join(BENCH, "node_modules", name)) ?? "unknown"]));
}

function publish(result: Result, kept: "whole" | "added" | false): void {
  console.log(renderResult(result));
  if (kept === false) return;
  const all = kept === "whole" ? result : addRows(readResult(), result);
  writeFileSync(RESULT_FILE, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(README_FILE, withResults(readFileSync(README_FILE, "utf8"), renderResult(all)));
  console.error("\nWritten to bench/results/latest.json and bench/README.md.");
}
