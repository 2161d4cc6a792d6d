import type { Change, Journal } from "./journal/journal.js";
import type { ReadMarks } from "./stale/read-marks.js";
import type { Locks } from "./state/locks.js";
import type { Temps } from "./state/temps.js";
import { randomBytes } from "node:crypto";

export function provisionalJournal(): Journal {
  return {
    begin: () => {
      let reason = "undo is off";
      const change: Change = {
        *keep(_entry, stat) {
          return {
            sha256: "",
            size: Number(stat.size),
            mode: Number(stat.mode & 0o7777n),
            uid: Number(stat.uid),
            gid: Number(stat.gid),
            mtimeNs: String(stat.mtimeNs),
          };
        },
        isHeld: false,
        *placeFor() {
          return null;
        },
        giveUp(why) {
          reason = why;
        },
        note() {},
        amend() {},
        strike() {},
        *rollBack() {},
        *finish() {
          return { undo: null, undo_reason: reason };
        },
      };
      return change;
    },
  };
}

export function provisionalLocks(): Locks {
  return { hold: async () => ({ [Symbol.asyncDispose]: async () => {} }) };
}

export function provisionalTemps(): Temps {
  return { name: () => `.llmc-${randomBytes(9).toString("hex")}.tmp`, done: () => {} };
}

export function provisionalMarks(): ReadMarks {
  return { saw: () => {}, forget: () => {}, isStale: () => false };
}
