import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig, type LoadOptions, type Settings } from "../src/index.js";

export interface Fresh {
  readonly dir: string;
  readonly home: string;
  readonly cwd: string;
  /** Writes a file below `dir` and gives its path. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<string>;
  /** Loads with an empty environment and this folder's home, unless told otherwise. */
  readonly load: (options?: LoadOptions) => Promise<Settings>;
  /** Loads this text as llmc.toml of `dir`. */
  readonly loadText: (toml: string | Uint8Array, options?: LoadOptions) => Promise<Settings>;
}

/** A new folder with a home and a working folder in it, gone when the test ends. */
export async function freshFolder(): Promise<Fresh> {
  const dir = await mkdtemp(join(tmpdir(), "llmc-config-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const [home, cwd] = [join(dir, "home"), join(dir, "cwd")];
  await mkdir(home);
  await mkdir(cwd);
  const write: Fresh["write"] = async (name, content) => {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  const load: Fresh["load"] = (options = {}) => loadConfig({ env: {}, home, cwd, ...options });
  const loadText: Fresh["loadText"] = async (toml, options = {}) =>
    load({ file: await write("llmc.toml", toml), ...options });
  return { dir, home, cwd, write, load, loadText };
}
