import { createLocks } from "../../../src/locks/locks.js";

// Takes one lock, says so, and keeps it until a line comes or it is killed.
const [dir = "", key = ""] = process.argv.slice(2);
const tell = (what: string): void => void process.stdout.write(`${what}\n`);
const locks = createLocks({ dir, waitMs: 10_000, onProblem: tell });
const lock = await locks.hold(key, { shown: key });
tell("ready");
process.stdin.once("data", () => {
  void lock[Symbol.asyncDispose]().then(() => {
    tell("dropped");
    process.stdin.destroy();
    locks.close();
  });
});
