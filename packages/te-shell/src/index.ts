// Every command of a model passes through one object: `prepare` judges a request by the operator's lists, builds the
// sandbox for it and returns a `Launch`; nothing starts without one. The policy is a courtesy to the model, the sandbox
// is the boundary. te-shell knows no files service, so a request carries the closed paths as a value.

export {
  commandPolicy,
  type CommandLists,
  type CommandPolicy,
  type CommandRequest,
  type Decision,
  type Program,
  type Resolve,
} from "./policy/command-policy.js";
export { splitCommand, type Split } from "./policy/split-command.js";
export { machineTopic } from "./policy/built-in.js";

export type { LimitHit } from "./limits/meter.js";
export type { ClosedPaths, Hidden } from "./sandbox/closed-paths.js";

export type { WantedConfig } from "./launch/git-changes.js";
export type { Launch, LaunchEnd, LaunchFailure, SpawnArguments, StartStreams } from "./launch/launch.js";
export { openCommands, type Commands, type CommandsOptions, type FoundSandbox } from "./launch/open-commands.js";
export type { LaunchFacts, LaunchRequest, MissingProgram, SandboxKind } from "./launch/request.js";

export { KeptOutput } from "./running/kept-output.js";
export { plainOutput, plainText, type PlainOutput } from "./running/plain-output.js";
export { RunningCommand, type CommandEnd } from "./running/running-command.js";
