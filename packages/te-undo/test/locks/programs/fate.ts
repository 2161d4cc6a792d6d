import { fateOf, ownMark } from "../../../src/locks/process-mark.js";

// What this process thinks of another one, and how it is called itself.
process.stdout.write(`${JSON.stringify({ fate: fateOf(process.argv[2] ?? ""), mark: ownMark() })}\nready\n`);
process.stdin.resume();
