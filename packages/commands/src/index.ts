// One command of a model, from its text to its result, for every tool module that runs commands.
//
// The decision: this package knows neither settings nor tools. A caller passes times, sizes and the operator's list as
// values, and the open services of the call as a CommandContext. So two tool modules run a command in the same way, the
// second can read a managed process that the first has started, and neither module imports the other.
export type { CommandContext } from "./launch/context.js";
export { notStarted } from "./launch/not-started.js";
export { commandTimes, type CommandTimes, type TimeLimits } from "./run/times.js";
export {
  resultOf,
  runWithinLimits,
  type CommandLimits,
  type LimitedContext,
  type LimitedRequest,
} from "./run-within-limits.js";
export { runOnce, type OnceRequest, type Outcome, type Printed } from "./run/run-once.js";
export { startManaged, type Begun, type StartRequest } from "./run/start-managed.js";
export { shorten, type Shortened, type StreamBudget } from "./result/shorten.js";
export {
  keepStream,
  shares,
  streamsOf,
  type HandleMaker,
  type StreamName,
  type Streams,
  type StreamsOptions,
} from "./result/streams.js";
export { chunksOf } from "./result/chunks.js";
export { demandReachable } from "./held-output.js";
export { findFile, findTest, type Section } from "./result/find-section.js";
export { body, commandFacts, factsOf, headline, type CommandFacts, type FactWords } from "./result/facts.js";
