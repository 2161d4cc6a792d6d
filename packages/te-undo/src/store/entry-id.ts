import { createHash } from "node:crypto";
import { someRandom } from "../locks/random.js";

// In the order of their codes, so that ids sort by time.
const BASE32 = "234567abcdefghijklmnopqrstuvwxyz";
const ID = /^U_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z_([a-z2-7]{2})[a-z2-7]{12}$/;
const SHORT = /^u\d{9}$/;
const SHORT_NAMES = 1_000_000_000;
// Fifty bits, and only the owner may use it: enough, and each answer carries it.
const RANDOM = 10;
/** What two characters can say. */
const PER_MS = 1024;

/**
 * `U_<yyyymmddThhmmssZ>_<2: milliseconds><2: which of that millisecond><10: random>`: of one process each is greater than
 * all before, and nobody meets another's by guessing.
 */
export function createIds(now: () => number): () => string {
  let [lastMs, nth] = [0, 0];
  return () => {
    const ms = Math.max(now(), lastMs);
    nth = ms === lastMs ? nth + 1 : 0;
    lastMs = nth === PER_MS ? ms + 1 : ms;
    if (nth === PER_MS) nth = 0;
    const stamp = new Date(lastMs).toISOString().replace(/[-:]|\.\d+/g, "");
    return `U_${stamp}_${twoDigits(lastMs % 1000)}${twoDigits(nth)}${random()}`;
  };
}

/** Shortens an id for texts to `u` and nine digits, which take 4 tokens instead of 20. */
export function shortName(id: string): string {
  const digest = createHash("sha256").update(id).digest();
  return `u${String(digest.readUIntBE(0, 6) % SHORT_NAMES).padStart(9, "0")}`;
}

export function isShortName(id: string): boolean {
  return SHORT.test(id);
}

export function isEntryId(id: string): boolean {
  return ID.test(id);
}

/** When the change began, in milliseconds. */
export function timeOf(id: string): number {
  const [, year, month, day, hour, minute, second, ms = "22"] = ID.exec(id) ?? [];
  const [high = "2", low = "2"] = ms;
  const fraction = BASE32.indexOf(high) * 32 + BASE32.indexOf(low);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + fraction;
}

function twoDigits(value: number): string {
  return `${BASE32[value >> 5]}${BASE32[value & 31]}`;
}

function random(): string {
  return Array.from(someRandom(RANDOM), (byte) => BASE32[byte & 31]).join("");
}
