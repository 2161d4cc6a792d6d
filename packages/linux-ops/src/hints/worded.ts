import { OpsError } from "@llmc/errors";
import type { Middleware } from "@llmc/toolkit";
import { wordsOf } from "./remedies.js";

/** Words every error that leaves the dispatcher, because lower packages know no names of tools or settings. */
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

/** Words the remedy of the error in place, and returns the error. */
export function worded(thrown: unknown): unknown {
  if (OpsError.is(thrown) && thrown.remedy !== undefined) thrown.word(wordsOf(thrown.remedy));
  return thrown;
}
