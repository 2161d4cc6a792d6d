import type { Facts } from "../look/facts.js";
import { worstFirst, type Anomaly, type Thresholds } from "./anomaly.js";
import { ofDisks } from "./of-disks.js";
import { ofLimits } from "./of-limits.js";
import { ofLoad, ofPressure, ofSteal } from "./of-load.js";
import { ofMemory, ofOomKills } from "./of-memory.js";
import { ofProcesses } from "./of-processes.js";
import { ofUnits } from "./of-units.js";

/** What is wrong, the worst first. */
export function findWrong(facts: Facts, thresholds: Thresholds): Anomaly[] {
  return worstFirst([
    ...ofDisks(facts, thresholds),
    ...ofMemory(facts, thresholds),
    ...ofLimits(facts, thresholds),
    ...ofPressure(facts, thresholds),
    ...ofLoad(facts, thresholds),
    ...ofSteal(facts),
    ...ofProcesses(facts),
    ...ofUnits(facts),
    // Over, most often: what goes on now stands before it, unless it was just now.
    ...ofOomKills(facts),
  ]);
}
