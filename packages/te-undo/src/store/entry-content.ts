import type { Bytes } from "@llmc/names";
import type { ContentMark } from "@llmc/te-path";
import type { Held } from "./held-content.js";
import type { Entry } from "./entry-log.js";
import { heldName, logName } from "./entry-name.js";
import type { UndoStep } from "./steps.js";

/** What a finished entry holds, found again. */
export function heldBy(entry: Entry, id: string, folder: Bytes): Held {
  const sizes = new Map(entry.steps.flatMap(marksOf).map(({ sha256, size }) => [sha256, size]));
  return {
    contentOf(sha256) {
      const inline = entry.inline.get(sha256);
      if (inline !== undefined) return { path: `${folder}/${logName(id, "done")}`, ...inline };
      const size = sha256 === "" ? undefined : sizes.get(sha256);
      return size === undefined ? undefined : { path: `${folder}/${contentName(id, { sha256, size })}`, at: 0, size };
    },
    keptAt: (kept) => `${folder}/${heldName(id, kept)}`,
  };
}

/** The files that an entry may have beside its log. */
export function filesOf({ all }: Entry, id: string): Bytes[] {
  const contents = all.flatMap(marksOf).map((mark) => contentName(id, mark));
  const kept = all.flatMap((step) => (step.did === "removed" ? [heldName(id, step.kept)] : []));
  return [...contents, ...kept];
}

/** The content that takes a step back. */
function marksOf(step: UndoStep): ContentMark[] {
  if (step.did === "rewrote" || step.did === "deleted") return [step.before];
  return step.did === "cut" ? [step.tail] : [];
}

function contentName(id: string, { sha256, size }: ContentMark): Bytes {
  return heldName(id, `${sha256}.${size}`);
}
