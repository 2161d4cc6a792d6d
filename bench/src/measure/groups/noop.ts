import type { Row } from "../../report/row.js";
import type { Context, Group } from "../context.js";
import { interleave } from "../interleave.js";
import { openCallers } from "../callers.js";
import { onOneProcessor } from "../one-processor.js";
import { compare } from "../rows.js";
import { BARE_SDK, OURS } from "../servers.js";
import { NOOP } from "../../workloads/noop-name.js";

const ROUNDS = 160;
const BLOCK = 25;

/** A call that does nothing: what is left is what a server puts around its tools. */
export const noop: Group = async (context) => {
  const { tiny } = await context.files();
  return onOneProcessor(() => measured(context, tiny));
};

async function measured({ servers, rounds }: Context, tiny: string): Promise<readonly Row[]> {
  await using callers = await openCallers([
    [servers.bareSdk, (server) => server.call("noop", {})],
    [servers.noop, (server) => server.call(NOOP, {})],
    [{ ...servers.ours, subject: `${OURS}, \`health\`` }, (server) => server.call("health", {})],
    [
      { ...servers.ours, subject: `${OURS}, \`fs_read\` of two lines` },
      (server) => server.call("linux_fs_read", { path: tiny }),
    ],
    [
      { ...servers.filesystem, subject: `${servers.filesystem.subject}, \`list_allowed_directories\`` },
      (server) => server.call("list_allowed_directories", {}),
    ],
    [
      { ...servers.commander, subject: `${servers.commander.subject}, \`list_sessions\`` },
      (server) => server.call("list_sessions", {}),
    ],
  ]);
  const outcomes = await interleave(callers.contenders, { warmup: 40, rounds: rounds(ROUNDS), block: BLOCK });
  return compare({
    group: "Calls through MCP stdio",
    case: "a call that does nothing, else the cheapest there is",
    unit: "ms",
    outcomes,
    base: BARE_SDK,
    goals: { [OURS]: { of: "ratio", atMost: 1.5 } },
  });
}
