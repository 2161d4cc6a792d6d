import type { Files } from "@llmc/te-fs";
import type { Search } from "@llmc/te-search";
import { lazily, type Lazy } from "../context/lazily.js";
import { packagedRipgrep } from "./packaged-ripgrep.js";

/** What is otherwise found by itself. */
export interface EngineChoice {
  /** A ripgrep; null for none but that of the system. */
  readonly packagedRg?: string | null;
  /** Folders in which engines are looked for, as in PATH. */
  readonly path?: string;
  readonly held?: "auto" | "never";
}

export interface EngineSources extends EngineChoice {
  readonly files: Files;
  readonly onProblem: (message: string) => void;
}

/** Most sessions begin without a search: neither the engines nor the code around them are loaded before the first one. */
export function openEngines({ packagedRg, ...setup }: EngineSources): Lazy<Search> {
  return lazily(async () => {
    const { openSearch } = await import("@llmc/te-search");
    return openSearch({ ...setup, packagedRg: packagedRg === undefined ? await packagedRipgrep() : packagedRg });
  });
}
