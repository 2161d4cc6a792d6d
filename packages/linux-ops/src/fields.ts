import { z } from "zod";

/** Bytes of UTF-8 that come to about 6,000 tokens of code, prose or CJK text alike. */
export const ANSWER_BYTES = 20_000;

/** What one call may return when it asks for more than the default. */
export const LARGEST_ANSWER_BYTES = 4_000_000;

/** Linux takes paths of 4,095 bytes; `\xNN` spells a byte in four characters. */
export const path = z.string().min(1).max(16_384);

/** A handle id is checked for its form by the store, which answers alike for a wrong and an unknown one. */
export const handleId = z.string().min(1).max(200);
