import { InvalidArgumentError } from "@llmc/errors";
import { path } from "../../context/fields.js";

/** Accepts `path` for `root`, because models use both; the default is the first root. */
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
