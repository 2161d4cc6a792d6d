import { Mounts } from "../../../src/kernel/mounts.js";
import { driveNow } from "../../../src/kernel/drive.js";
import { sweepTemps } from "../../../src/state/sweep-temps.js";

const [dir = ""] = process.argv.slice(2);
const options = { mounts: new Mounts(), run: async <T>(steps: Parameters<typeof driveNow<T>>[0]) => driveNow(steps) };
process.stdout.write(`${JSON.stringify(await sweepTemps(dir, options, new AbortController().signal))}\nready\n`);
process.stdin.resume();
