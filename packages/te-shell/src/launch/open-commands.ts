import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename } from "node:path";
import {
  EngineUnavailableError,
  InvalidPathError,
  NotFoundError,
  OpsError,
  type Advice,
  type Remedy,
} from "@llmc/errors";
import { contains, findProgram } from "@llmc/te-run";
import { Cgroups } from "../limits/cgroups.js";
import { memoryBound } from "../limits/memory-bound.js";
import type { Limits, Meter } from "../limits/meter.js";
import { sampler } from "../limits/sampler.js";
import { machineTopic } from "../policy/built-in.js";
import { commandPolicy, type CommandLists, type Decision } from "../policy/command-policy.js";
import { PrestartedShells, type LaunchResources } from "../prestart/prestarted-shells.js";
import type { Shape } from "../prestart/shape.js";
import type { Hidden } from "../sandbox/closed-paths.js";
import { findBox, type Box, type NoBox } from "../sandbox/find-box.js";
import { gitIdentity, gitVariables } from "../sandbox/git-identity.js";
import type { GitSetting } from "../sandbox/git-keys.js";
import { SHIM_FOLDER } from "../sandbox/git-shim.js";
import type { Identity } from "../sandbox/mounts.js";
import { seccompFilter } from "../sandbox/seccomp.js";
import { systemCovers } from "../sandbox/system-covers.js";
import { findToolchains } from "../sandbox/toolchains.js";
import { viewOf, type View } from "../sandbox/view.js";
import { BareLaunch, bareShape } from "./bare-launch.js";
import { BoxLaunch, boxShape } from "./box-launch.js";
import { commandEnv } from "./command-env.js";
import { commandPath } from "./command-path.js";
import { demandScript } from "./inner-terminal.js";
import { lastingRemedy } from "./lasting.js";
import type { Launch } from "./launch.js";
import { mergeGitConfig, type MergedConfig } from "./merge-git-config.js";
import { nearProgram } from "./near-program.js";
import { findSeen, problemWith, whereElse, type Sight } from "./program.js";
import type { LaunchRequest, MissingProgram, SandboxKind } from "./request.js";
import { CommandFolders } from "./session-folders.js";
import { sweepWatched, Watcher } from "./watcher.js";

export interface CommandsOptions {
  readonly lists: CommandLists;
  readonly sandbox: "auto" | "require" | "off";
  readonly network: boolean;
  readonly hostView: boolean;
  readonly pathExtra: readonly string[];
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
  readonly envPass: readonly string[];
  readonly maxPids: number;
  /** 0: most of what is free. */
  readonly maxMemoryMb: number;
  /** Of the server's user. */
  readonly home: string;
  readonly roots: () => readonly { readonly path: string; readonly real: string }[];
  /** The data dir; null for a library that keeps nothing. */
  readonly stateDir: string | null;
  /** Folders in which bwrap is looked for; default: the system's. */
  readonly boxPath?: string;
  /** The box of util-linux, also where bubblewrap could be had. */
  readonly boxKind?: "namespaces";
  /** Default: process.env. */
  readonly baseEnv?: Readonly<Record<string, string | undefined>>;
  readonly maxFileBytes?: number;
  /** false: processes and memory are looked at now and then, as where no cgroup can be made. */
  readonly usesCgroups?: boolean;
}

/** Sandbox of this machine. */
export interface FoundSandbox {
  readonly kind: SandboxKind | "none";
  /** Gaps of the sandbox, or the reason why the sandbox is missing. */
  readonly why?: string;
  /** Tells the operator how to get a sandbox. */
  readonly hint?: Advice;
}

/** Runs the commands of models: in a sandbox, judged by the policy. */
export interface Commands {
  /** Judges and gets ready. A refusal, and a sandbox that cannot be had, are thrown. */
  prepare(request: LaunchRequest): Promise<Launch | MissingProgram>;
  /** False if the operator runs commands without a sandbox. */
  readonly hasSandbox: boolean;
  /** What holds commands here; looked for at the first command, or now. */
  sandbox(): Promise<FoundSandbox>;
  /** Merges the harmless changes of a command into the content of a git config. */
  mergeGitConfig(current: Buffer, wanted: readonly GitSetting[]): Promise<MergedConfig>;
  /** Removes the session's folders. Its commands have ended. */
  endSession(session: string): Promise<void>;
  /** Ends and removes what servers that were killed have left. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

type Missing = Extract<Decision, { readonly missing: string }>;

const MAX_FILE_BYTES = 16 * 1024 ** 3;
const MAX_OPEN_FILES = 8192;
const MEMORY_FRESH_MS = 250;

export function openCommands(options: CommandsOptions): Commands {
  return new OpenCommands(options);
}

class OpenCommands implements Commands {
  readonly #options: CommandsOptions;
  readonly #policy;
  readonly #base: Readonly<Record<string, string | undefined>>;
  readonly #watcher: Watcher;
  readonly #covers = new Map<string, Promise<readonly Hidden[]>>();
  #folders: Promise<CommandFolders> | undefined;
  readonly #broken: CommandFolders[] = [];
  #box: Promise<Box | NoBox> | undefined;
  #memory = { bytes: 0, at: Number.NEGATIVE_INFINITY };
  readonly #shells = new PrestartedShells((limits) => this.#meter(limits));
  #cgroups: Cgroups | null | undefined;
  #setpriv: Promise<string | null> | undefined;
  #resolver: Promise<string | undefined> | undefined;
  #git: Promise<readonly (readonly [string, string])[]> | undefined;
  #toolchains: ReturnType<typeof findToolchains> | undefined;

  constructor(options: CommandsOptions) {
    this.#options = options;
    this.#policy = commandPolicy(options.lists);
    // A copy: each look into the real one is a call of the C library.
    this.#base = options.baseEnv ?? { ...process.env };
    this.#watcher = new Watcher(options.stateDir);
  }

  get hasSandbox(): boolean {
    return this.#options.sandbox !== "off";
  }

  async prepare(request: LaunchRequest): Promise<Launch | MissingProgram> {
    await this.#dropBroken();
    const box = this.hasSandbox ? await this.#demandBox() : undefined;
    // Without a box a terminal of node-pty's is the program's own.
    if (request.terminal !== undefined && (box !== undefined || !request.terminal.outer)) demandScript();
    return box === undefined ? await this.#prepareBare(request) : await this.#prepareBoxed(request, box);
  }

  async sandbox(): Promise<FoundSandbox> {
    if (!this.hasSandbox) return { kind: "off" };
    const box = await this.#findBox().catch((thrown: unknown) => {
      const { message, advice } = OpsError.from(thrown);
      return { missing: message, hint: advice };
    });
    if ("missing" in box) {
      // Looks again next time, because the operator may have installed the missing program.
      this.#box = undefined;
      return { kind: "none", why: box.missing, ...(box.hint === undefined ? {} : { hint: box.hint }) };
    }
    return box.lacks === undefined ? { kind: box.kind } : { kind: box.kind, why: box.lacks };
  }

  async mergeGitConfig(current: Buffer, wanted: readonly GitSetting[]): Promise<MergedConfig> {
    return await mergeGitConfig(current, wanted, (await this.#openFolders()).own);
  }

  async endSession(session: string): Promise<void> {
    await this.#shells.drop();
    await (await this.#folders)?.endSession(session);
  }

  async sweep(): Promise<void> {
    const { stateDir } = this.#options;
    Cgroups.find()?.sweep();
    if (stateDir === null) return;
    await sweepWatched(stateDir);
    await CommandFolders.sweep(stateDir);
  }

  async close(): Promise<void> {
    this.#watcher.close();
    await this.#shells.close();
    await this.#cgroups?.close();
    const folders = await this.#folders?.catch(() => undefined);
    for (const each of [...this.#broken, folders]) await each?.close();
  }

  async #prepareBare(request: LaunchRequest): Promise<Launch | MissingProgram> {
    const { pathExtra, home, lists, maxFileBytes = MAX_FILE_BYTES } = this.#options;
    const path = commandPath({ extra: pathExtra, bins: this.#tools().bins, isHeld: false });
    const sight: Sight = { path, cwd: request.cwd, sees: () => true };
    const decision = await this.#decide(request, sight, false);
    if ("missing" in decision) return this.#inVain(decision, request) ?? notFound(decision.missing, sight);
    const { program, argv } = decision;
    this.#watcher.start();
    const shape = bareShape({
      ...{ maxFileBytes, maxOpenFiles: MAX_OPEN_FILES },
      env: this.#env(request, path, home, gitVariables([], !lists.allowUnsafe)),
      marks: this.#marks(),
      setpriv: await (this.#setpriv ??= findProgram("setpriv")),
    });
    return new BareLaunch({
      // Executes the judged file of a path. A name is looked up in folders that only the system writes to, and tells a
      // multi-call program what to be.
      argv: [argv[0].includes("/") ? program.real : program.path, ...argv.slice(1)],
      words: argv,
      cwd: request.cwd,
      terminal: request.terminal,
      shape,
      resources: this.#reserve(request, shape),
    });
  }

  async #prepareBoxed(request: LaunchRequest, box: Box): Promise<Launch | MissingProgram> {
    const { pathExtra, sandboxRead, network, hostView, maxFileBytes = MAX_FILE_BYTES } = this.#options;
    const identity = identityOf(this.#rootOf(request.cwd).real);
    if (hostView && identity !== undefined) throw cannotBecome(identity);
    const view = await this.#view(request, identity);
    const path = commandPath({
      extra: pathExtra,
      bins: this.#tools().bins,
      isHeld: true,
      own: this.#base["PATH"],
      shown: [...this.#tools().folders, ...sandboxRead],
    });
    const sight: Sight = { path, cwd: request.cwd, sees: (real) => view.sees(real) };
    const decision = await this.#decide(request, sight, true);
    if ("missing" in decision) {
      const elsewhere = () => whereElse(decision.missing, sight, this.#base["PATH"] ?? "");
      return this.#inVain(decision, request) ?? notFound(decision.missing, sight, elsewhere());
    }
    const { program, argv } = decision;
    this.#git ??= gitIdentity(this.#options.home);
    const ownPath = view.toolsTmp === undefined ? path : [SHIM_FOLDER, ...path];
    const env = this.#env(request, ownPath, view.home, gitVariables(await this.#git, false), identity);
    // A box dies with us only when all in it is in place: one that is in the making would be finished without us.
    this.#watcher.start();
    const plan = {
      mounts: view.mounts,
      cwd: request.cwd,
      network,
      hostView,
      identity,
      keepsSession: request.terminal?.outer === true,
    };
    const shape = boxShape({
      ...{ box, plan, env, maxFileBytes, maxOpenFiles: MAX_OPEN_FILES },
      marks: this.#marks(),
      terminal: request.terminal,
    });
    return new BoxLaunch({
      ...{ box, plan, program: program.path, argv, shape },
      resources: this.#reserve(request, shape),
      terminal: request.terminal,
      reports: request.use === "command",
      hides: (path) => view.hides(path),
      guarded: view.guarded,
      toolsTmp: view.toolsTmp,
      notes: [...(hostView ? [] : notesOn(argv)), ...notesOnFolded(view.folded, request.cwd)],
      // The program that makes the box was removed, so the next command looks for one again.
      gone: () => (this.#box = undefined),
    });
  }

  /** Answers a lone builtin, because it would change nothing for the next command. */
  #inVain({ missing, builtin }: Missing, { cwd }: LaunchRequest): MissingProgram | undefined {
    if (builtin === undefined) return undefined;
    const around = { cwd, roots: this.#options.roots(), pass: this.#options.envPass };
    return { missing, isBuiltin: true, hint: lastingRemedy(missing, builtin, around) };
  }

  #decide({ command, use }: LaunchRequest, sight: Sight, isHeld: boolean) {
    return this.#policy.decide({ command, use, isHeld, resolve: async (name) => findSeen(name, sight) });
  }

  /** Of runs around us, and of the watcher. */
  #marks(): string[] {
    return [this.#base["LLMC_RUN"], this.#watcher.mark].filter((mark) => mark !== undefined && mark !== "") as string[];
  }

  #reserve({ use, env, terminal }: LaunchRequest, shape: Shape): LaunchResources {
    const isPlain = use === "command" && env === undefined && terminal === undefined;
    return this.#shells.reserve(shape, () => this.#limits(), isPlain);
  }

  #env(
    request: LaunchRequest,
    path: readonly string[],
    home: string,
    git: Readonly<Record<string, string>>,
    identity?: Identity,
  ): Record<string, string> {
    return commandEnv({
      base: this.#base,
      path,
      home,
      user: identity === undefined ? userName() : `${identity.uid}`,
      session: request.session,
      pass: this.#options.envPass,
      git,
      caller: request.env ?? {},
      isTerminal: request.terminal !== undefined,
    });
  }

  async #view({ cwd, session, closed, use }: LaunchRequest, identity: Identity | undefined): Promise<View> {
    const { home, pathExtra, sandboxRead, sandboxWrite, network, hostView } = this.#options;
    const folders = await this.#openFolders();
    const covers = await this.#coversFor(identity);
    const own = folders.of(session.folders ?? session.id, identity);
    const view = viewOf({
      cwd,
      roots: this.#options.roots().map(({ path, real }) => ({ path, real, write: mayWrite(real, identity) })),
      home,
      sessionHome: own.home,
      sessionTmp: own.tmp,
      tools: use === "command" ? folders.tools : undefined,
      toolchains: this.#tools().folders,
      read: [...sandboxRead, ...pathExtra],
      write: sandboxWrite,
      hidden: [...withState(closed.hidden, folders.state), ...covers],
      guarded: closed.guarded,
      pinned: closed.pinned,
      empty: folders.empty,
      shut: folders.shut,
      resolver: network ? await (this.#resolver ??= resolverFile()) : undefined,
      hostPaths: hostView ? HOST_PATHS : [],
    });
    folders.lay(view.places, identity);
    folders.link(view.links);
    return view;
  }

  #rootOf(cwd: string): { readonly real: string } {
    const holding = this.#options.roots().filter(({ real }) => contains(real, cwd));
    const [deepest] = holding.toSorted((a, b) => b.real.length - a.real.length);
    if (deepest === undefined) throw new InvalidPathError(cwd, "is outside of the roots");
    return deepest;
  }

  #coversFor(identity: Identity | undefined): Promise<readonly Hidden[]> {
    const uid = identity?.uid ?? process.getuid?.() ?? 0;
    const gids = identity === undefined ? [process.getgid?.() ?? 0, ...(process.getgroups?.() ?? [])] : [identity.gid];
    const key = `${uid}:${gids.join(",")}`;
    const found = this.#covers.get(key) ?? systemCovers(uid, [...new Set(gids)]);
    this.#covers.set(key, found);
    return found;
  }

  #limits(): Limits {
    const { maxPids, maxMemoryMb } = this.#options;
    const now = performance.now();
    // The kernel adds up for it what every part of the machine has, and one command asks several times.
    if (now - this.#memory.at > MEMORY_FRESH_MS) this.#memory = { bytes: memoryBound(maxMemoryMb), at: now };
    return { maxPids, maxMemoryBytes: this.#memory.bytes };
  }

  #meter(limits: Limits): Meter {
    const { usesCgroups = true } = this.#options;
    if (this.#cgroups === undefined) this.#cgroups = (usesCgroups ? Cgroups.find() : undefined) ?? null;
    return this.#cgroups === null ? sampler(limits) : this.#cgroups.open(limits);
  }

  /** Commands that run go on in what is left of them; the box that uses them is made anew with them. */
  async #dropBroken(): Promise<void> {
    const opened = this.#folders;
    const folders = await opened?.catch(() => undefined);
    if (folders === undefined || folders.isWhole || this.#folders !== opened) return;
    this.#broken.push(folders);
    this.#folders = this.#box = undefined;
  }

  #openFolders(): Promise<CommandFolders> {
    this.#folders ??= CommandFolders.open(this.#options.stateDir).catch((thrown: unknown) => {
      // What was in the way may be gone at the next command.
      this.#folders = this.#box = undefined;
      throw thrown;
    });
    return this.#folders;
  }

  #tools(): ReturnType<typeof findToolchains> {
    this.#toolchains ??= findToolchains(this.#options.home);
    return this.#toolchains;
  }

  async #demandBox(): Promise<Box> {
    const box = await this.#findBox();
    if (!("missing" in box)) return box;
    // What was missing may have been installed meanwhile.
    this.#box = undefined;
    throw new EngineUnavailableError("A sandbox for commands", box.missing, box.hint);
  }

  async #findBox(): Promise<Box | NoBox> {
    const { sandbox, boxPath, hostView } = this.#options;
    this.#box ??= this.#openFolders().then((folders) => {
      const filter = seccompFilter();
      return findBox({
        wanted: this.#options.boxKind ?? (sandbox === "require" ? "require" : "auto"),
        path: boxPath,
        seccomp: filter === undefined ? null : folders.write("seccomp.bpf", filter),
        list: (words) => folders.list(words),
        ground: folders.ground,
        hostView,
      });
    });
    return await this.#box;
  }
}

/** With what would help. */
function notFound(missing: string, sight: Sight, elsewhere?: Advice): MissingProgram {
  const problem = problemWith(missing, sight);
  if (problem === "Is a directory") return { missing, problem };
  if (problem !== undefined)
    return { missing, problem, hint: `make it executable (chmod +x), or name what runs it: bash ${missing}` };
  const near = elsewhere === undefined ? nearProgram(missing, sight) : undefined;
  const hint = elsewhere ?? (near === undefined ? undefined : `did you mean ${near}?`);
  return hint === undefined ? { missing } : { missing, hint };
}

/** Hides the state folder too, because this launch may have made it after the caller looked up the closed paths. */
function withState(hidden: readonly Hidden[], state: string | undefined): readonly Hidden[] {
  if (state === undefined || hidden.some(({ path }) => path === state)) return hidden;
  return [...hidden, { path: state, kind: "folder" }];
}

/** For a look at the host: logs, and of /run only what answers nobody. */
const HOST_PATHS = ["/var/log", "/run/log/journal", "/run/utmp", "/run/systemd/system"];

/** Whose rights a command has where we are root: those of the owner of the root. */
function identityOf(root: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = statSync(root, { throwIfNoEntry: false });
  if (found === undefined) throw new NotFoundError(root, "The root that holds the working folder must exist.");
  const { uid, gid } = found;
  const hasOnlyRoot = (process.getgroups?.() ?? []).every((group) => group === 0);
  return uid === 0 && hasOnlyRoot ? undefined : { uid, gid };
}

/** A user namespace that shows the host has one user only: ours. */
function cannotBecome({ uid }: Identity): EngineUnavailableError {
  return new EngineUnavailableError(
    "A sandbox that sees the host",
    `the root belongs to user ${uid}, and the server is root`,
    { id: "hide-host" },
  );
}

function mayWrite(root: string, identity: Identity | undefined): boolean {
  if (process.getuid?.() !== 0) return true;
  try {
    return statSync(root).uid === (identity?.uid ?? 0);
  } catch {
    return false;
  }
}

let name: string | undefined;

function userName(): string {
  try {
    // It reads /etc/passwd for it.
    return (name ??= userInfo().username);
  } catch {
    // No line in /etc/passwd.
    return `${process.getuid?.() ?? 0}`;
  }
}

async function resolverFile(): Promise<string | undefined> {
  const real = await realpath("/etc/resolv.conf").catch(() => "");
  return real.startsWith("/run/") ? real : undefined;
}

const SHOWN_FOLDED = 3;

function notesOnFolded(folders: readonly string[], cwd: string): readonly Remedy[] {
  if (folders.length === 0) return [];
  const more = Math.max(0, folders.length - SHOWN_FOLDED);
  const isOpenedInside = !folders.some((folder) => contains(folder, cwd));
  return [{ id: "too-many-repositories", folders: folders.slice(0, SHOWN_FOLDED), more, isOpenedInside }];
}

/** A shell line may ask for several: the first that is about the machine is told. */
function notesOn(argv: readonly string[]): readonly Remedy[] {
  const isShell = basename(argv[0] ?? "") === "bash" && argv[1] === "-c";
  const names = isShell
    ? [...(argv[2] ?? "").matchAll(/(?:^|[|;&(\n])\s*([\w./-]+)/g)].map((match) => match[1] ?? "")
    : [argv[0] ?? ""];
  const about = names.map((name) => machineTopic(basename(name))).find((found) => found !== undefined);
  return about === undefined ? [] : [{ id: "ask-the-machine", about }];
}
