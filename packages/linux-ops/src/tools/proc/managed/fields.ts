import { z } from "zod";

/** Ids are made by us; a wrong one is answered, not refused. */
export const procId = z.string().max(200);
/** Milliseconds to wait; `waitOf` sets the upper bound. */
export const waitMs = z.int().min(0);
/** Text to wait for, or /regex/. */
export const waitFor = z.string().min(1).max(1000);
export const cols = z.int().min(10).max(500);
export const rows = z.int().min(2).max(300);
export const SIZE = { cols: 120, rows: 40 };
