export {
  commandPolicy,
  type Asked,
  type CommandLists,
  type CommandPolicy,
  type Decision,
  type Program,
  type Resolve,
} from "./policy/command-policy.js";
export { machineTool } from "./policy/built-in.js";
export { openCommands, type Commands, type CommandsOptions } from "./launch/open-commands.js";
export type {
  ClosedToCommands,
  Held,
  Launch,
  LaunchEnd,
  LaunchFacts,
  LaunchFailure,
  LaunchRequest,
  MissingProgram,
  SandboxKind,
} from "./launch/launch.js";
export type { LimitHit } from "./limits/meter.js";
export type { Hidden } from "./sandbox/view.js";
export { startLaunch, type StartedLaunch } from "./launch/start-launch.js";
export { RunningCommand, type CommandEnd } from "./running/running-command.js";
export type { KeptOutput } from "./running/kept-output.js";
