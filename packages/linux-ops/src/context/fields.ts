import { z } from "zod";

/** Linux takes paths of 4,095 bytes; `\xNN` spells a byte in four characters. */
export const path = z.string().min(1).max(16_384);

/** A handle id is checked for its form by the store, which answers alike for a wrong and an unknown one. */
export const handleId = z.string().min(1).max(200);

export const sha256 = z
  .string()
  .length(64)
  .regex(/^[0-9a-fA-F]*$/);
