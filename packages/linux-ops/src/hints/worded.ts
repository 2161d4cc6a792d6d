import { OpsError } from "@llmc/errors";
import type { Middleware } from "@llmc/toolkit";
import { wordsOf } from "./remedies.js";

/** Words every error that leaves the dispatcher: layers below know remedies, and no tool, argument or setting. */
export function inWords(): Middleware {
  // A layer may throw before it has made a promise.
  return async (_call, next) => {
    try {
      return await next();
    } catch (thrown) {
      throw worded(thrown);
    }
  };
}

/** The same error with its remedy put into the words of these tools. */
export function worded(thrown: unknown): unknown {
  if (OpsError.is(thrown) && thrown.remedy !== undefined) thrown.word(wordsOf(thrown.remedy));
  return thrown;
}
