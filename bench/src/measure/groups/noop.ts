import type { Group } from "../context.js";
import { interleave } from "../interleave.js";
import { openCallers } from "../callers.js";
import { compare } from "../rows.js";
import { BARE_SDK, OURS } from "../servers.js";
import { NOOP } from "../../workloads/noop-name.js";

const ROUNDS = 80;
const BLOCK = 25;

/** A call that does nothing: what is left is what a server puts around its tools. */
export const noop: Group = async ({ servers, rounds, files }) => {
  const { tiny } = await files();
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
  const outcomes = await interleave(callers.contenders, { warmup: 12, rounds: rounds(ROUNDS), block: BLOCK });
  return compare({
    group: "Calls through MCP stdio",
    case: "a call that does nothing, else the cheapest there is",
    unit: "ms",
    outcomes,
    base: BARE_SDK,
    goals: { [OURS]: { of: "ratio", atMost: 1.5 } },
  });
};
