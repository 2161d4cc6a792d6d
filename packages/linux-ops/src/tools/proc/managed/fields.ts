import { z } from "zod";
import { MAX_WAIT_MS } from "../../../context/waiting.js";

/** Ids are made by us; a wrong one is answered, not refused. */
export const procId = z.string().max(200);
export const waitMs = z.int().min(0).max(MAX_WAIT_MS);
export const waitFor = z.string().min(1).max(1000).describe("A text, or /regex/.");
export const cols = z.int().min(10).max(500);
export const rows = z.int().min(2).max(300);
export const SIZE = { cols: 120, rows: 40 };
