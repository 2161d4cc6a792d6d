import { NotFoundError } from "@llmc/errors";
import type { Stat } from "../kernel/syscalls.js";
import type { Spot } from "./target.js";

/** A spot at which something is. */
export type TakenSpot = Spot & { readonly found: Stat };

export function demandTaken(spot: Spot): asserts spot is TakenSpot {
  if (spot.found === undefined) throw new NotFoundError(spot.shown);
}
