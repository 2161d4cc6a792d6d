import type { ContentOptions } from "@llmc/te-search";
import type { LinuxOpsContext } from "../../../context/context.js";
import { counted } from "./words.js";

const EVERY_MS = 1000;

export interface HitProgress {
  readonly onHit: NonNullable<ContentOptions["onHit"]>;
  end(): void;
}

/** Tells once a second what a long search has found so far. */
export function hitProgress({ progress }: Pick<LinuxOpsContext, "progress">): HitProgress {
  let hits = 0;
  let last = "";
  const timer = setInterval(() => {
    progress(hits === 0 ? "No hits so far" : `${counted(hits, "hit")} so far, the last in ${last}`);
  }, EVERY_MS);
  timer.unref();
  return {
    onHit(_hit, { path }) {
      hits += 1;
      last = path;
    },
    end: () => clearInterval(timer),
  };
}
