// Output of commands at a fraction of its tokens: te_run, as a tool module.
//
// The decision: how a command ended is told by its exit code alone, and an output that no grammar knows stays as it is.
// So a grammar that is wrong costs tokens or a read of the handle, and never makes a failure look like a success.
export { envelopeModule, recognisers, type EnvelopeServices } from "./envelope-module.js";
export { checkFilters, openFilters, type CheckedFile, type Filters } from "./filters/open-filters.js";
export type { Recogniser } from "./recognise/recogniser.js";
export type { HandleWords } from "./context.js";
export { digest, type Digest, type Output } from "./digest/digest.js";
export { tell, type Printout, type TellContext, type Told, type ToldStream } from "./digest/tell.js";
