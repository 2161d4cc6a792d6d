import { NotFoundError } from "@llmc/errors";
import type { Stat } from "../kernel/syscalls.js";
import type { Target } from "./target.js";

/** A spot at which something is. */
export type ExistingTarget = Target & { readonly found: Stat };

export function demandExisting(target: Target): asserts target is ExistingTarget {
  if (target.found === undefined) throw new NotFoundError(target.shown);
}
