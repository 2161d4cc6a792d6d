import type { ReadMarks } from "./stale/read-marks.js";

export function provisionalMarks(): ReadMarks {
  return { saw: () => {}, forget: () => {}, isStale: () => false };
}
