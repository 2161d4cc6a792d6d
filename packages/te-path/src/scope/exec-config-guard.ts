import { PermissionDeniedError } from "@llmc/errors";
import { type Bytes, contains, join, namesOf } from "@llmc/names";

export interface ExecConfigOptions {
  readonly homes: readonly Bytes[];
  /** Folders and files of the running program. */
  readonly program: readonly Bytes[];
  /** The operator lets tools write what others execute; the program's own files stay shut. */
  readonly allowed: boolean;
}

const MAX_FREE = 256;

/** Read by programs that then run what it says, wherever it lies. */
const ANYWHERE = new Set(
  (
    ".mcp.json .claude .claude.json .cursor .codex .gemini .windsurf .zed .vscode .idea .envrc .husky .devcontainer " +
    "claude_desktop_config.json"
  ).split(" "),
);
/** Of a `.git`: what makes git run something, or look for that elsewhere. */
const OF_GIT = new Set(["hooks", "config", "config.worktree", "commondir", "gitdir", "rebase-merge", "rebase-apply"]);
const OF_HOME = new Set(
  (
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc .zshrc .zshenv .zprofile .zlogin " +
    ".zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession .xsessionrc .pam_environment " +
    ".gitconfig .config/git .config/fish .config/zsh .config/autostart .config/systemd .config/environment.d .local/bin " +
    ".config/claude .config/code .config/direnv .config/nvim .vimrc .vim .emacs .emacs.d .tmux.conf .oh-my-zsh " +
    ".cargo/env .nvm/nvm.sh .docker/cli-plugins bin"
  ).split(" "),
);
/** Of the names with two parts, the first: such a folder decides about what it holds. */
const HALVES_OF_HOME = [
  ...new Set([...OF_HOME].filter((name) => name.includes("/")).map((name) => name.slice(0, name.indexOf("/")))),
];

/**
 * What others execute: read-only for tools, also where it does not exist yet. Names are compared without case, for the
 * file systems that do so.
 */
export class ExecConfigGuard {
  readonly #homes: readonly Bytes[];
  /** Folders and files of the running program. */
  readonly program: readonly Bytes[];
  /** Then only the program's own files are shut. */
  readonly allowed: boolean;
  /** Paths that may be written: the same files are written again and again. */
  readonly #free = new Set<Bytes>();

  constructor({ homes, program, allowed }: ExecConfigOptions) {
    this.#homes = homes;
    this.program = program;
    this.allowed = allowed;
  }

  /** For whatever is written, made, moved, replaced or removed at `real`; `folder` when it is or becomes one. */
  refuse(real: Bytes, shown: string, folder: boolean): void {
    const key = folder ? `${real}/` : real;
    if (this.#free.has(key)) return;
    if (this.program.some((path) => contains(path, real))) throw programError(shown);
    const name = this.isExecuted(real, folder);
    if (name !== undefined) throw executedError(shown, name);
    if (this.#free.size >= MAX_FREE) this.#free.clear();
    this.#free.add(key);
  }

  /** Whole folders: the program's own files must not go with them. */
  refuseAround(real: Bytes, shown: string): void {
    if (this.program.some((path) => contains(real, path))) throw programError(shown);
  }

  /** Whether what a folder holds may be executed for lying at `real`, and not for its own names alone. */
  lendsMeaning(real: Bytes): boolean {
    if (this.allowed) return false;
    if (namesOf(real.toLowerCase()).includes(".git")) return true;
    return this.#homes.some(
      (home) =>
        contains(real, home) || HALVES_OF_HOME.some((half) => real.toLowerCase() === join(home, half).toLowerCase()),
    );
  }

  /** Which part of the path makes others execute it, or undefined. */
  isExecuted(real: Bytes, folder: boolean): string | undefined {
    if (this.allowed) return undefined;
    const names = namesOf(real.toLowerCase());
    return anywhere(names) ?? ofGit(names, folder) ?? this.#ofHome(real);
  }

  #ofHome(real: Bytes): string | undefined {
    for (const home of this.#homes) {
      if (home === real || !contains(home, real)) continue;
      const [first = "", second = ""] = namesOf(real.slice(home === "/" ? 0 : home.length).toLowerCase());
      if (OF_HOME.has(first)) return first;
      if (OF_HOME.has(join(first, second))) return join(first, second);
    }
    return undefined;
  }
}

function anywhere(names: readonly string[]): string | undefined {
  return names.find((name) => ANYWHERE.has(name));
}

function ofGit(names: readonly string[], folder: boolean): string | undefined {
  const git = names.indexOf(".git");
  if (git === -1) return undefined;
  const below = names.slice(git + 1);
  // A file of that name says where the repository is.
  if (below.length === 0) return folder ? undefined : ".git";
  const [first = ""] = below;
  const inside = first === "modules" || first === "worktrees" ? below.slice(1) : [first];
  const name = inside.find((each) => OF_GIT.has(each));
  return name === undefined ? undefined : `.git/${first === name ? name : `${first}/…/${name}`}`;
}

function executedError(shown: string, name: string): PermissionDeniedError {
  return new PermissionDeniedError(shown, { hint: { id: "allow-exec-config", name } });
}

function programError(shown: string): PermissionDeniedError {
  return new PermissionDeniedError(shown, { hint: "It belongs to this server's own program, which no tool changes." });
}
