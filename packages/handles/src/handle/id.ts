import { createHash, randomBytes } from "node:crypto";
import { HandleNotFoundError, InvalidArgumentError } from "@llmc/errors";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const TYPE = /^[a-z][a-z0-9_]{0,31}$/;
const ID = /^H_[a-z][a-z0-9_]{0,31}_\d{8}T\d{6}Z_[a-z2-7]{20}$/;
const SHORT = /^h\d{6}$/;
const SHORT_NAMES = 1_000_000;
const SHOWN = 80;

/** `H_<type>_<yyyymmddThhmmssZ>_<20 base32>`: 100 random bits, so that nobody meets another's handle by guessing. */
export function createId(type: string, now: Date): string {
  if (!TYPE.test(type)) throw new InvalidArgumentError(`${JSON.stringify(type)} is not a type of a handle`);
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const random = Array.from(randomBytes(20), (byte) => BASE32[byte & 31]).join("");
  return `H_${type}_${stamp}_${random}`;
}

/**
 * Shortens an id for texts to `h` and six digits, which take 3 tokens instead of 33. Two handles with the same owner never
 * share a short name.
 */
export function shortName(id: string): string {
  const digest = createHash("sha256").update(id).digest();
  return `h${String(digest.readUInt32BE() % SHORT_NAMES).padStart(6, "0")}`;
}

export function isShortName(id: string): boolean {
  return SHORT.test(id);
}

/** Tells whether a text looks exactly like an id or a short name, because only such a text may reach a query. */
export function isId(id: string): boolean {
  return ID.test(id) || isShortName(id);
}

export function checkId(id: string): void {
  if (!isId(id)) throw new HandleNotFoundError(JSON.stringify(id.slice(0, SHOWN)));
}
