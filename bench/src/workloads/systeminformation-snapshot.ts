// The same figures by systeminformation, in a process that stays.
import { currentLoad, fsSize, mem, networkStats } from "systeminformation";
import { answerLines } from "./answer-lines.js";

await answerLines({
  snapshot: async () => {
    const begun = performance.now();
    const [, memory] = await Promise.all([currentLoad(), mem(), fsSize(), networkStats("*")]);
    return { ms: performance.now() - begun, first: String(memory.total) };
  },
});
