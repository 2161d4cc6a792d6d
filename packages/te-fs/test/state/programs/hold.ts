import { createLocks } from "../../../src/state/locks.js";

// Takes one lock, says so, and keeps it until a line comes or it is killed.
const [dir = "", key = ""] = process.argv.slice(2);
const locks = createLocks({ dir, waitMs: 10_000 });
const lock = await locks.hold(key, { shown: key });
process.stdout.write("ready\n");
process.stdin.once("data", () => {
  void lock[Symbol.asyncDispose]().then(() => {
    process.stdout.write("dropped\n");
    process.stdin.destroy();
    locks.close();
  });
});
