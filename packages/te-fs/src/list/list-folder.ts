import { NotADirectoryError } from "@llmc/errors";
import { type OpenScope, kindOf, close, type Work, walk, type Found, type Scope } from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
import { Lister, type ListerOptions } from "./lister.js";
import type { Listing } from "./listing.js";

export interface ListOptions extends ListerOptions {
  /** What a relative path starts from; without it the first root. */
  readonly cwd?: string | undefined;
}

/** What lies in a folder and below it. */
export async function listFolder(scope: OpenScope, path: string, options: ListOptions): Promise<Listing> {
  const asked = scope.requested(path, options.cwd);
  const found = await scope.run(walkToFolder(scope, asked), asked.shown, options.signal);
  const lister = new Lister(scope, asked.shown, found, options);
  try {
    return await lister.list();
  } finally {
    await lister.end();
  }
}

/** Returns an open entry, which the caller closes. */
export function* walkToFolder(scope: Scope, asked: RequestedPath): Work<Found> {
  const found = yield* walk(scope, asked);
  if (kindOf(found.stat) === "folder") return found;
  const isFile = kindOf(found.stat) === "file";
  yield* close(found.entry);
  const above = asked.shown.replace(/\/[^/]*$/, "") || "/";
  throw new NotADirectoryError(asked.shown, isFile ? `Read it, or list ${above}.` : `List ${above}.`);
}
