import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Below a home: what people install for themselves, and where its programs lie. Nothing here keeps a credential. */
const TOOLCHAINS: readonly { readonly shows: readonly string[]; readonly bins: readonly string[] }[] = [
  { shows: [".pyenv"], bins: [".pyenv/shims", ".pyenv/bin"] },
  { shows: [".cargo/bin", ".rustup"], bins: [".cargo/bin"] },
  {
    shows: [".local/bin", ".local/lib", ".local/pipx", ".local/share/pipx", ".local/share/uv", ".local/share/pnpm"],
    bins: [".local/bin", ".local/share/pnpm"],
  },
  { shows: [".volta"], bins: [".volta/bin"] },
  { shows: [".deno"], bins: [".deno/bin"] },
  { shows: [".bun"], bins: [".bun/bin"] },
  { shows: [".local/share/mise", ".asdf"], bins: [".local/share/mise/shims", ".asdf/shims"] },
  { shows: [".rbenv"], bins: [".rbenv/shims", ".rbenv/bin"] },
];

export interface Toolchains {
  /** What of the home is shown. */
  readonly folders: readonly string[];
  /** For the PATH. */
  readonly bins: readonly string[];
}

/** What of these exists in the home. */
export function findToolchains(home: string): Toolchains {
  const there = (path: string): string[] => (existsSync(join(home, path)) ? [join(home, path)] : []);
  return {
    folders: [".nvm", ...TOOLCHAINS.flatMap(({ shows }) => shows)].flatMap(there),
    bins: [...nvmBin(home), ...TOOLCHAINS.flatMap(({ bins }) => bins).flatMap(there)],
  };
}

/** The version that nvm would take in a new shell; where its alias does not tell, the newest. */
function nvmBin(home: string): string[] {
  const versions = join(home, ".nvm/versions/node");
  const installed = names(versions).toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const wanted = aliasOf(home, "default");
  const chosen =
    installed.find((version) => wanted !== "" && `${version}.`.startsWith(`v${wanted.replace(/^v/, "")}.`)) ??
    installed[0];
  return chosen === undefined ? [] : [join(versions, chosen, "bin")];
}

/** An alias may name another one (lts/*, then lts/iron). */
function aliasOf(home: string, name: string, depth = 0): string {
  const text = read(join(home, ".nvm/alias", name));
  if (text === "" || depth > 4) return text;
  return read(join(home, ".nvm/alias", text)) === "" ? text : aliasOf(home, text, depth + 1);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
