import type { GroupName } from "../group-names.js";
import type { Group } from "./context.js";
import { commands } from "./groups/commands.js";
import { envelope } from "./groups/envelope.js";
import { files } from "./groups/files.js";
import { http } from "./groups/http.js";
import { idle } from "./groups/idle.js";
import { noop } from "./groups/noop.js";
import { overhead } from "./groups/overhead.js";
import { search } from "./groups/search.js";
import { processes } from "./groups/processes.js";
import { read } from "./groups/read.js";
import { start } from "./groups/start.js";
import { system } from "./groups/system.js";
import { tasks } from "./groups/tasks.js";
import { tokens } from "./groups/tokens.js";

export const GROUPS: Readonly<Record<GroupName, Group>> = {
  start,
  idle,
  noop,
  overhead,
  read,
  files,
  search,
  processes,
  commands,
  envelope,
  system,
  http,
  tokens,
  tasks,
};
