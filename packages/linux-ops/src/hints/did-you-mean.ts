import type { Files } from "@llmc/te-fs";
import type { Middleware } from "@llmc/toolkit";
import { withWayOut } from "./missing.js";

/** Innermost: what it looks at counts into the call's own time. */
export function didYouMean(files: Files): Middleware {
  return (call, next) =>
    next().catch(async (thrown: unknown) => {
      throw await withWayOut(thrown, { files, signal: call.signal });
    });
}
