import { z } from "zod";

/** What the loader, the docs and the redaction need to know beyond zod's own checks; kept in `.meta()`. */
interface Extra {
  /** Never printed. */
  readonly secret?: true;
  /** `~` and relative paths are settled before the layers are merged. */
  readonly path?: true;
  /** Shown in llmc.example.toml instead of the default. */
  readonly example?: unknown;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

export const flag = (initial: boolean, description: string) => z.boolean().default(initial).meta({ description });

export const whole = (initial: number, { min, max }: Bounds, description: string) =>
  z.int().min(min).max(max).default(initial).meta({ description });

export const amount = (initial: number, { min, max }: Bounds, description: string) =>
  z.number().min(min).max(max).default(initial).meta({ description });

/** A time limit; a fraction of a second is a legitimate answer. */
export const seconds = (initial: number, description: string) =>
  amount(initial, { min: 0.1, max: 86_400 }, description);

export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  initial: NoInfer<Values[number]>,
  description: string,
) {
  return z
    .enum(values)
    .default(() => initial)
    .meta({ description });
}

export const text = (initial: string, description: string, extra: Extra = {}) =>
  plainText.default(initial).meta({ description, ...extra });

/** One path. Empty means "none": that keeps every key expressible in TOML and in the environment. */
export const path = (description: string, extra: Extra = {}) =>
  plainText.default("").meta({ description, path: true, ...extra });

export const matching = (initial: string, pattern: RegExp, expected: string, description: string) =>
  z.string().regex(pattern, { error: expected }).default(initial).meta({ description });

export const list = (initial: readonly string[], description: string, extra: Extra = {}) =>
  z
    .array(filledText)
    .default(() => [...initial])
    .meta({ description, ...extra });

export const paths = (description: string, extra: Extra = {}) => list([], description, { path: true, ...extra });

export const listMatching = (initial: readonly string[], pattern: RegExp, expected: string, description: string) =>
  z
    .array(z.string().regex(pattern, { error: expected }))
    .default(() => [...initial])
    .meta({ description });

export function choices<const Values extends readonly [string, ...string[]]>(
  values: Values,
  initial: readonly NoInfer<Values[number]>[],
  description: string,
) {
  return z
    .array(z.enum(values))
    .default(() => [...initial])
    .meta({ description });
}

/** Tables that have the same keys, by names of the operator's choice. */
export const named = <Form extends z.ZodObject>(form: Form, description: string, extra: Extra = {}) =>
  z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "a name of letters, digits, _ and -" }), form)
    .default(() => ({}))
    .meta({ description, ...extra });

/** A list whose absence means something else than an empty list. */
export const listOrUnset = (description: string, extra: Extra = {}) =>
  z
    .array(filledText)
    .optional()
    .meta({ description, ...extra });

/** Names of programs. A wildcard or an empty name would read as "everything", which no list may say. */
export const commandsOrUnset = (description: string, example: readonly string[]) =>
  z
    .array(z.string().regex(/^(?!\*$)[^\0]+$/, { error: 'a program\'s name or path; "*" and "" are not allowed' }))
    .optional()
    .meta({ description, example });

/** An address we call. Credentials do not belong in it: it is printed at start. */
export const address = (description: string) =>
  z
    .string()
    .refine(isPlainAddress, { error: "an http:// or https:// address without user and password, or empty" })
    .default("")
    .meta({ description });

function isPlainAddress(value: string): boolean {
  if (value === "") return true;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

const plainText = z.string().regex(/^[^\0]*$/, { error: "text without NUL" });
const filledText = z.string().regex(/^[^\0]+$/, { error: "text that is not empty and has no NUL" });
