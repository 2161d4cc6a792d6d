import { readdirSync } from "node:fs";
import { Mounts } from "../../../src/kernel/mounts.js";
import { driveNow } from "../../../src/kernel/drive.js";
import { sweepTemps } from "../../../src/state/sweep-temps.js";

const [dir = ""] = process.argv.slice(2);
const options = { mounts: new Mounts(), run: async <T>(steps: Parameters<typeof driveNow<T>>[0]) => driveNow(steps) };
const open = (): number => readdirSync("/proc/self/fd").length;
const before = open();
const swept = await sweepTemps(dir, options, new AbortController().signal);
process.stdout.write(`${JSON.stringify({ ...swept, leftOpen: open() - before })}\nready\n`);
process.stdin.resume();
