import { type OpenScope, close } from "@llmc/te-path";
import { type SearchRoot } from "./search-root.js";
import { enterSearchRoot } from "./find-search-root.js";

/** A folder held for a program that is to see it and nothing above it: what has its name by then plays no part. */
export interface HeldRoot {
  readonly fd: number;
  close(): Promise<void>;
}

/** Opens the root that contains the search root, because ignore rules may stand between the two. */
export async function holdRoot(scope: OpenScope, { path, root }: SearchRoot): Promise<HeldRoot> {
  const { entry } = await scope.run(enterSearchRoot(scope, { path, real: root.real, kind: "folder" }), path);
  let closed: Promise<void> | undefined;
  return {
    fd: entry.fd,
    close: () => (closed ??= scope.run(close(entry), path).catch(() => {})),
  };
}
