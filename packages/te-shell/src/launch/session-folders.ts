import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineUnavailableError } from "@llmc/errors";
import { errnoOf, readStat } from "@llmc/te-run";
import { GIT_SHIM } from "../sandbox/git-shim.js";
import type { Identity } from "../sandbox/mounts.js";

export interface SessionFolders {
  readonly home: string;
  readonly tmp: string;
}

/** Far more than are in use at once. */
const MAX_LISTS = 1000;

/** Folders of ours for commands: a home and a /tmp for each session, and what covers what stays shut. */
export class CommandFolders {
  /** Made by us for this server alone. */
  readonly #temporary: string | undefined;
  readonly #own: string;
  readonly #sessions = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #needed: string[];
  /** Files with words, by their text. */
  readonly #lists = new Map<string, string>();
  /** An empty folder. */
  readonly empty: string;
  /** A file that nobody may open. */
  readonly shut: string;
  /** Another empty folder, to be mounted over in a namespace of its own. */
  readonly ground: string;
  /** Folder of programs that replace others in a sandbox. */
  readonly tools: string;
  /** The data dir, links resolved; undefined for a server that keeps nothing. */
  readonly state: string | undefined;

  private constructor(own: string, temporary: string | undefined, state: string | undefined) {
    this.#temporary = temporary;
    this.state = state;
    this.#own = own;
    this.empty = join(own, "empty");
    this.shut = join(own, "shut");
    this.ground = join(own, "ground");
    this.tools = join(own, "tools");
    mkdirSync(this.tools, { mode: 0o755 });
    chmodSync(this.tools, 0o755);
    const git = join(this.tools, "git");
    writeFileSync(git, GIT_SHIM);
    chmodSync(git, 0o755);
    mkdirSync(this.empty, { mode: 0o555 });
    mkdirSync(this.ground, { mode: 0o700 });
    writeFileSync(this.shut, "", { mode: 0o000 });
    chmodSync(this.shut, 0o000);
    this.#needed = [this.empty, this.ground, this.shut, git];
  }

  /** Whether all that boxes are made with is there: cleaners of temporary files take what nobody has touched for days. */
  get isWhole(): boolean {
    return this.#needed.every((path) => existsSync(path));
  }

  /** Below the data dir; without one in a temporary folder. */
  static async open(stateDir: string | null): Promise<CommandFolders> {
    try {
      return await CommandFolders.#make(stateDir);
    } catch (thrown) {
      const where = stateDir === null ? "the temporary folder" : "the data dir";
      throw new EngineUnavailableError(
        "A sandbox for commands",
        `its own folders cannot be made in ${where} (${errnoOf(thrown) ?? "unknown reason"})`,
        "The operator makes room there, or makes it writable for the server.",
      );
    }
  }

  static async #make(stateDir: string | null): Promise<CommandFolders> {
    const temporary = stateDir === null ? await mkdtemp(join(tmpdir(), "llmc-commands-")) : undefined;
    const base = temporary ?? join(stateDir ?? "", "commands");
    const start = readStat(process.pid)?.start ?? 0;
    // The name tells the next start whose it is. Two of one process are told apart by chance.
    const own = join(base, `${process.pid}.${start}.${randomBytes(4).toString("hex")}`);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chmodSync(own, 0o700);
    return new CommandFolders(own, temporary, stateDir === null ? undefined : await realpath(stateDir));
  }

  /** Folder of the server alone, for temporary files. */
  get own(): string {
    return this.#own;
  }

  write(name: string, bytes: Uint8Array): string {
    const path = join(this.#own, name);
    writeFileSync(path, bytes, { mode: 0o600 });
    this.#needed.push(path);
    return path;
  }

  /** A file with these words, each ended by a NUL; undefined where there is no room for one. */
  list(words: readonly string[]): string | undefined {
    const text = words.map((word) => `${word}\0`).join("");
    const known = this.#lists.get(text);
    if (known !== undefined && existsSync(known)) return known;
    const path = join(this.#own, `words-${randomBytes(6).toString("hex")}`);
    try {
      writeFileSync(path, text, { mode: 0o600 });
    } catch {
      rmSync(path, { force: true });
      return undefined;
    }
    this.#lists.set(text, path);
    const [oldest] = this.#lists;
    if (this.#lists.size > MAX_LISTS && oldest !== undefined) {
      this.#lists.delete(oldest[0]);
      rmSync(oldest[1], { force: true });
    }
    return path;
  }

  of(session: string, identity: Identity | undefined): SessionFolders {
    const folder = this.#sessions.get(session) ?? join(this.#own, randomBytes(8).toString("hex"));
    this.#sessions.set(session, folder);
    const whose = identity === undefined ? "own" : `${identity.uid}`;
    const [home, tmp] = [join(folder, `home-${whose}`), join(folder, `tmp-${whose}`)];
    for (const path of [home, tmp]) {
      if (this.#made.has(path) && existsSync(path)) continue;
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (identity !== undefined) chownSync(path, identity.uid, identity.gid);
      this.#made.add(path);
    }
    return { home, tmp };
  }

  /** Makes folders of a session, outer ones first; a link that a command has put there is no folder. */
  lay(places: readonly string[], identity: Identity | undefined): void {
    for (const place of places) {
      const found = lstatSync(place, { throwIfNoEntry: false });
      if (found?.isDirectory() === true) continue;
      if (found !== undefined) rmSync(place);
      mkdirSync(place, { mode: 0o700 });
      if (identity !== undefined) chownSync(place, identity.uid, identity.gid);
    }
  }

  /** Links of ours in folders that were laid; what a command has put in the place of one is its own affair. */
  link(links: readonly { readonly at: string; readonly to: string }[]): void {
    for (const { at, to } of links) if (lstatSync(at, { throwIfNoEntry: false }) === undefined) symlinkSync(to, at);
  }

  async endSession(session: string): Promise<void> {
    const folder = this.#sessions.get(session);
    if (folder === undefined) return;
    this.#sessions.delete(session);
    for (const made of this.#made) if (made.startsWith(`${folder}/`)) this.#made.delete(made);
    await remove(folder);
  }

  async close(): Promise<void> {
    await remove(this.#own);
    if (this.#temporary !== undefined) await remove(this.#temporary);
  }

  /** Removes what servers that are gone have left. */
  static async sweep(stateDir: string): Promise<void> {
    const base = join(stateDir, "commands");
    for (const name of await readdir(base).catch(() => [] as string[])) {
      const [pid, start] = name.split(".").map(Number);
      if (pid === undefined || start === undefined || !Number.isInteger(pid) || !Number.isInteger(start)) continue;
      if (readStat(pid)?.start !== start) await remove(join(base, name));
    }
  }
}

/** What a command has made unwritable for itself goes too. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
}
