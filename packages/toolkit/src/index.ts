// A tool is a value, and every call passes the same chain of middleware, whatever its entry: stdio, HTTP or library.
// Each step is a function of its own options and knows no other step, so their order is chosen once, where they are composed.

export { createAccess, type Access, type AccessOptions } from "./tool/access.js";
export {
  correlationIdFrom,
  type AskPerson,
  type Call,
  type CallContext,
  type CallOptions,
  type ConfirmAnswer,
  type ConfirmQuestion,
  type Entry,
  type Session,
} from "./call/call.js";
export {
  createDispatcher,
  type CallResult,
  type Dispatcher,
  type DispatcherOptions,
  type Middleware,
  type Payload,
} from "./call/dispatch.js";
export type { ArgumentAlias, Aliases } from "./input/aliases.js";
export {
  describeTool,
  inputSchemaOf,
  outputSchemaOf,
  type JsonSchema,
  type ListedTool,
  type ListingOptions,
} from "./tool/listing.js";
export { confirm, type ConfirmOptions } from "./middleware/confirm.js";
export { deadline, type DeadlineOptions } from "./middleware/deadline.js";
export { gate } from "./middleware/gate.js";
export { limit, type LimitOptions } from "./middleware/limit.js";
export { observe, type ObserveOptions } from "./middleware/observe.js";
export { parseArguments } from "./middleware/parse.js";
export { toolModule, type ContextOf, type ModuleHealth, type OpenModule, type ToolModule } from "./call/module.js";
export { nearestName } from "./text/nearest.js";
export type { EnvelopeFacts } from "./call/envelope-facts.js";
export type { CallRecord, Sink } from "./call/record.js";
export { sessionKey } from "./call/session-key.js";
export { estimateTokens } from "./text/tokens.js";
export {
  toolFactory,
  wireName,
  type AnyTool,
  type LoggedFacts,
  type Media,
  type Parted,
  type Tool,
  type ToolAnnotations,
} from "./tool/tool.js";
