import { NotFoundError, several } from "@llmc/errors";
import type { OpenScope } from "@llmc/te-path";
import { nearestTo, type Nearest } from "./nearest.js";

export interface ExplainOptions {
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Work that says what to do where something does not exist: a wrong name is as likely as one that is new, so what may
 * have been meant is named as well. What says nothing yet of what to do is left to those who know what was wanted.
 */
export async function explainMissing<T>(scope: OpenScope, options: ExplainOptions, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof NotFoundError) || thrown.advice === undefined) throw thrown;
    const near = await sayNearest(scope, thrown.path, options);
    throw near === undefined ? thrown : new NotFoundError(thrown.path, several(near, thrown.advice));
  }
}

async function sayNearest(scope: OpenScope, path: string, options: ExplainOptions): Promise<string | undefined> {
  const nearest = await nearestPath(scope, path, options);
  return nearest && sentence(nearest);
}

/** Returns undefined if no path is near or the search fails, because the original error matters more. */
export async function nearestPath(
  scope: OpenScope,
  path: string,
  { cwd, signal }: ExplainOptions,
): Promise<Nearest | undefined> {
  try {
    const asked = scope.requested(path, cwd);
    return await scope.run(nearestTo(scope, asked), asked.shown, signal);
  } catch {
    return undefined;
  }
}

function sentence({ folder, missing, isLast, names }: Nearest): string | undefined {
  const whole = (name: string): string => spell(`${folder === "/" ? "" : folder}/${name}`);
  // Its name is there, so it is a link, or was made a moment ago.
  if (names.includes(missing)) return `${whole(missing)} is a link to what does not exist.`;
  if (names.length > 0) return `Did you mean ${either(names.map(whole))}?`;
  return isLast ? undefined : `The nearest folder that exists is ${spell(folder)}.`;
}

function either(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

/** A name that would not be seen to end where it does, or to be another than the one asked for, stands as JSON has it. */
function spell(name: string): string {
  if (name.normalize("NFC") !== name) return JSON.stringify(name).replaceAll(/\p{M}/gu, escaped);
  return /^[\p{L}\p{N}\p{M}/\\._~@%+=:#-]+$/u.test(name) ? name : JSON.stringify(name);
}

function escaped(mark: string): string {
  return mark.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
