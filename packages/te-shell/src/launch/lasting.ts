import { relative, resolve } from "node:path";
import type { Remedy } from "@llmc/errors";
import { contains } from "@llmc/te-run";
import type { Builtin } from "../policy/command-policy.js";
import { isSteering } from "./command-env.js";

interface Around {
  readonly cwd: string;
  readonly roots: readonly { readonly real: string }[];
  /** Names of variables that the operator passes on. */
  readonly pass: readonly string[];
}

/** Tells how the next command gets the effect of a lone builtin. */
export function lastingRemedy(builtin: string, { args, line }: Builtin, around: Around): Remedy {
  const facts = { id: "does-not-last", builtin, line: line.trim() } as const;
  if (builtin === "cd" || builtin === "pushd") {
    const folder = folderOf(args, around);
    return folder === undefined ? facts : { ...facts, folder };
  }
  const variables = builtin === "export" ? variablesOf(args, around.pass) : undefined;
  return variables === undefined ? facts : { ...facts, variables };
}

/** Returns a folder relative to the first root, or an absolute path in another root; undefined outside the roots. */
function folderOf(args: readonly string[] | undefined, { cwd, roots }: Around): string | undefined {
  const [folder, ...more] = args ?? [];
  if (folder === undefined || more.length > 0 || folder === "-") return undefined;
  const path = resolve(cwd, folder);
  const [first] = roots;
  if (first !== undefined && contains(first.real, path)) return relative(first.real, path) || ".";
  return roots.some(({ real }) => contains(real, path)) ? path : undefined;
}

function variablesOf(args: readonly string[] | undefined, pass: readonly string[]): Record<string, string> | undefined {
  const pairs = (args ?? []).map((word) => /^(\w+)=([^]*)$/.exec(word)?.slice(1) as [string, string] | undefined);
  const isGiven = (pair: [string, string] | undefined): pair is [string, string] =>
    pair !== undefined && !isSteering(pair[0], pass);
  return pairs.length > 0 && pairs.every(isGiven) ? Object.fromEntries(pairs) : undefined;
}
