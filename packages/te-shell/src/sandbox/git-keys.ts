/** Key of a git config with one of its values, as listed by `git config --null --list`. */
export type GitSetting = readonly [key: string, value: string];

export interface GitChanges {
  /** Keys with all their values, in the order in which git has to set them. */
  readonly harmless: readonly { readonly key: string; readonly values: readonly string[] }[];
  readonly refused: readonly string[];
}

const MOST_CHANGES = 40;
const MOST_VALUES = 20;
const NAME = /^[A-Za-z0-9_][\w.-]*(?:\/[\w.-]+)*$/;
const BOOLEAN = /^(?:true|false)$/;
const TEXT = /^(?!-)[^\p{Cc}\u2028\u2029\ufffd]{1,200}$/u;

/** Keys that make git run nothing, with the values they may have. */
const PLAIN: Readonly<Record<string, RegExp>> = {
  "user.name": TEXT,
  "user.email": TEXT,
  "init.defaultbranch": NAME,
  "core.autocrlf": /^(?:true|false|input)$/,
  "fetch.prune": BOOLEAN,
  "pull.rebase": /^(?:true|false|merges)$/,
  "pull.ff": /^(?:true|false|only)$/,
  "push.default": /^(?:nothing|current|upstream|simple|matching)$/,
  "push.autosetupremote": BOOLEAN,
};

/** Accept URLs and scp-like addresses whose host ssh cannot mistake for an option. */
const ADDRESS = /^(?:https?|ssh|git):\/\/(?:[\w.~%+:-]+@)?[A-Za-z0-9[][^\s\p{Cc}\\]*$/u;
const SCP_ADDRESS = /^(?:[A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?![:-]|\/\/)[^\s\p{Cc}\\:]+$/u;
const MOST_CHARS = 500;

/** Sorts the changes in a copy of a config into harmless and refused ones. Refuses removals. */
export function changesOf(current: readonly GitSetting[], wanted: readonly GitSetting[]): GitChanges {
  const [before, after] = [byKey(current), byKey(wanted)];
  const changed = [...after].filter(([key, values]) => !isSame(before.get(key), values));
  const removed = [...before.keys()].filter((key) => !after.has(key)).map((key) => `${key} (removed)`);
  const harmless: { key: string; values: readonly string[] }[] = [];
  const refused: string[] = [];
  // Remotes come first, because a branch may only name a configured remote.
  for (const [key, values] of changed.toSorted(([one], [other]) => rank(one) - rank(other))) {
    const remotes = remotesOf([...before.keys(), ...harmless.map((each) => each.key)]);
    const isHarmless = harmless.length < MOST_CHANGES && isAllowed(key, values, { before, remotes });
    if (isHarmless) harmless.push({ key, values });
    else refused.push(key);
  }
  return { harmless, refused: [...refused, ...removed] };
}

interface Known {
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly remotes: ReadonlySet<string>;
}

function isAllowed(key: string, values: readonly string[], known: Known): boolean {
  if (values.length > MOST_VALUES || values.some((value) => value.length > MOST_CHARS)) return false;
  const [only = ""] = values;
  const plain = Object.hasOwn(PLAIN, key) ? PLAIN[key] : undefined;
  if (plain !== undefined) return values.length === 1 && plain.test(only);
  const [, section, name = "", variable] = /^(remote|branch)\.(.+)\.([a-z]+)$/s.exec(key) ?? [];
  if (!isName(name)) return false;
  return section === "remote" ? isRemote(name, variable, values, known) : isBranch(variable, values, known);
}

/** Accepts only a new remote, because pulls from a known remote with another address would go unnoticed. */
function isRemote(name: string, variable: string | undefined, values: readonly string[], { before, remotes }: Known) {
  if ([...before.keys()].some((key) => key.startsWith(`remote.${name}.`))) return false;
  if (variable === "url") return values.length === 1 && values.every(isAddress);
  if (variable === "fetch") return remotes.has(name) && values.every((value) => isRefspec(name, value));
  return false;
}

/** Accepts only a configured remote, because any other name is a path, and a repository at a path may run programs. */
function isBranch(variable: string | undefined, values: readonly string[], { remotes }: Known): boolean {
  const [only = ""] = values;
  if (values.length !== 1) return false;
  if (variable === "remote") return only === "." || remotes.has(only);
  if (variable === "merge") return /^refs\/(?:heads|tags)\//.test(only) && isName(only);
  return variable === "rebase" && /^(?:true|false|merges)$/.test(only);
}

function isAddress(value: string): boolean {
  return ADDRESS.test(value) || SCP_ADDRESS.test(value);
}

/** Accepts only refspecs from branches of the remote to its tracking branches. */
function isRefspec(name: string, value: string): boolean {
  const [from = "", to = "", ...more] = value.replace(/^\+/, "").split(":");
  const isIn = (ref: string, folder: string): boolean =>
    ref.startsWith(folder) && (ref.slice(folder.length) === "*" || isName(ref.slice(folder.length)));
  return more.length === 0 && isIn(from, "refs/heads/") && isIn(to, `refs/remotes/${name}/`);
}

function isName(name: string): boolean {
  return name.length <= 200 && NAME.test(name) && !name.includes("..");
}

function remotesOf(keys: readonly string[]): ReadonlySet<string> {
  return new Set(keys.map((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1]).filter((name) => name !== undefined));
}

function rank(key: string): number {
  if (/^remote\..*\.url$/s.test(key)) return 0;
  return key.startsWith("remote.") ? 1 : 2;
}

function byKey(settings: readonly GitSetting[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [key, value] of settings) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.length === other.length && one.every((value, at) => value === other[at]);
}
