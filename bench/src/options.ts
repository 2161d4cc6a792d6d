import { GROUP_NAMES, type GroupName } from "./group-names.js";

export interface Options {
  readonly quick: boolean;
  readonly only: readonly GroupName[];
  readonly peers: boolean;
  /** Puts what `only` gives among what is kept. */
  readonly add: boolean;
}

export const USAGE = `Usage: pnpm bench [--quick] [--only NAME,… [--add]] [--no-peers]

  --quick        A tenth of the rounds.
  --only NAME,…  Only these groups.
  --add          Keeps what they give: their rows take the place of those that are kept, with their own date.
  --no-peers     Do not install what is not installed.

A run of everything is kept in results/latest.json and README.md; any other is only shown, unless it is added.`;

/** Throws with the message for the person who typed it. */
export function optionsOf(args: readonly string[]): Options {
  const known: readonly string[] = GROUP_NAMES;
  let [quick, peers, add, only] = [false, true, false, known];
  for (const [index, arg] of args.entries()) {
    if (arg === "--quick") quick = true;
    else if (arg === "--no-peers") peers = false;
    else if (arg === "--add") add = true;
    else if (arg === "--only") only = (args[index + 1] ?? "").split(",");
    // What pnpm puts between its own arguments and ours.
    else if (arg !== "--" && args[index - 1] !== "--only") throw new RangeError(`${arg} is no option`);
  }
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`--only ${unknown}: the groups are ${known.join(", ")}`);
  // In their own order, whatever order they were asked for in.
  return { quick, peers, add, only: GROUP_NAMES.filter((name) => only.includes(name)) };
}
