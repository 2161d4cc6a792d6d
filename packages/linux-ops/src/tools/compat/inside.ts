import { InvalidPathError } from "@llmc/errors";

/** A repository's tools stay in it, however much more the roots allow. */
export function demandInside(root: string, paths: readonly string[]): void {
  const base = root.endsWith("/") ? root : `${root}/`;
  const outside = paths.find((path) => path !== root && !path.startsWith(base));
  if (outside !== undefined)
    throw new InvalidPathError(outside, `is outside the repository ${root}`, "Name a path below root.");
}
