import { type OpenScope, kindOf, close, type Work, walk, type Found, type Scope } from "@llmc/te-path";
import { type RequestedPath, displayPath } from "@llmc/names";
import type { EntryType } from "./listing.js";

export interface PathFacts {
  /** Absolute, as the caller spelled it. */
  readonly path: string;
  /** Without links, at the time of the call. */
  readonly real: string;
  readonly type: Exclude<EntryType, "symlink">;
  readonly size: number;
  readonly mtimeMs: number;
  /** Permissions and the bits above them, without the kind. */
  readonly mode: number;
}

export interface StatOptions {
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of what a path leads to, through links that stay inside; nothing is opened, so anything may be asked about. */
export async function statPath(scope: OpenScope, path: string, { cwd, signal }: StatOptions = {}): Promise<PathFacts> {
  const asked = scope.requested(path, cwd);
  const { stat, real } = await scope.run(statSteps(scope, asked), asked.shown, signal);
  const kind = kindOf(stat);
  return {
    path: asked.shown,
    real: displayPath(real),
    type: kind === "file" ? "file" : kind === "folder" ? "dir" : "other",
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeNs / 1_000n) / 1000,
    mode: Number(stat.mode & 0o7777n),
  };
}

function* statSteps(scope: Scope, asked: RequestedPath): Work<Found> {
  const found = yield* walk(scope, asked);
  yield* close(found.entry);
  return found;
}
