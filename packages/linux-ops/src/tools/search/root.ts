import { InvalidArgumentError } from "@llmc/errors";
import { path } from "../../context/fields.js";

/** Where a search starts: the first root unless the caller names a place. Models call it path as well. */
export const rootFields = {
  root: path.default("."),
  path: path.optional().describe("The same as root."),
};

export interface RootArgs {
  readonly root: string;
  readonly path?: string | undefined;
}

export function rootOf({ root, path: other }: RootArgs, given: ReadonlySet<string>): string {
  if (other === undefined) return root;
  if (given.has("root") && root !== other)
    throw new InvalidArgumentError("root and path are one argument, and differ", "Leave out path.");
  return other;
}
