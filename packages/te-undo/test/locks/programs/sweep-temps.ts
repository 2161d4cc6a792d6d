import { readdirSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { driveNow } from "../../../../te-path/src/kernel/drive.js";
import { Mounts } from "../../../../te-path/src/kernel/mounts.js";
import { sweepTemps } from "../../../src/temps/sweep-temps.js";

// Sweeps once, and says what came of it and what it left open of the folders.
const [dir = ""] = process.argv.slice(2);
const options = { mounts: new Mounts(), run: async <T>(work: Parameters<typeof driveNow<T>>[0]) => driveNow(work) };
const swept = await sweepTemps(dir, options, new AbortController().signal);
const open = readdirSync("/proc/self/fd").filter((fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(dirname(dir));
  } catch {
    return false;
  }
});
process.stdout.write(`${JSON.stringify({ ...swept, open })}\nready\n`);
process.stdin.resume();
