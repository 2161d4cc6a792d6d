import type { Row } from "../../report/row.js";
import type { Context, Group } from "../context.js";
import type { Files } from "../files.js";
import { startWorker, type Worker } from "../worker.js";
import { readInProcess } from "./read-in-process.js";
import { readThroughMcp } from "./read-mcp.js";

export interface ReadContext extends Context {
  readonly worker: Worker;
  readonly made: Files;
}

/** `fs_read` in process and through MCP stdio. Every file is in the page cache: disks are not what is measured. */
export const read: Group = async (context): Promise<readonly Row[]> => {
  const made = await context.files();
  await using worker = startWorker(context.places);
  const reading = { ...context, worker, made };
  await made.settled();
  return [...(await readInProcess(reading)), ...(await readThroughMcp(reading))];
};
