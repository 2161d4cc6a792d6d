/** Folder of the git shim in the sandbox, first in the PATH of a command. */
export const SHIM_FOLDER = "/.llmc/bin";
/** Prefix of a folder's name in /tmp, followed by the mark of the command. */
export const CHANGES_FOLDER = ".llmc-git-";
/** Suffix of the lists in that folder. */
export const LIST = ".list";

/** Subcommands that may write to the config of a repository. */
const WRITERS = "config remote branch push checkout switch".split(" ");
/** Subcommands that make or enter other repositories, so a copy of this config would be the wrong one. */
const STRANGERS = "init clone submodule";
/** Names that git looks up beside a config; FILES are linked even before git creates them. */
const FOLDERS = "branches common hooks info logs lost-found modules objects refs remotes worktrees rr-cache svn";
const FILES = "packed-refs shallow gc.pid";

/**
 * Replaces git in the sandbox. The config of a repository is read-only there, because git runs programs that a config
 * names. git replaces a config by a rename, which fails at a mount. So git gets a common folder with links to the
 * repository and a copy of the config. A list of the copy's settings then waits for the server.
 */
export const GIT_SHIM = `#!/bin/sh
while :; do
  case :$PATH: in *:${SHIM_FOLDER}:*) ;; *) break ;; esac
  before=\${PATH%%${SHIM_FOLDER}*}
  after=\${PATH#*${SHIM_FOLDER}}
  PATH=$before\${after#:}
  PATH=\${PATH%:}
done
[ -z "\${GIT_DIR-}\${GIT_COMMON_DIR-}" ] && [ -n "\${LLMC_RUN-}" ] || exec git "$@"
while [ "\${1-}" = -C ] && [ $# -gt 1 ]; do
  cd "$2" 2>/dev/null || exec git "$@"
  shift 2
done
base=/tmp/${CHANGES_FOLDER}\${LLMC_RUN##*.}
case \${1-} in
  ${WRITERS.join(" | ")}) ;;
  ${STRANGERS.replaceAll(" ", " | ")} | -*) exec git "$@" ;;
  *) [ -d "$base" ] || exec git "$@" ;;
esac
common=$(git rev-parse --git-common-dir 2>/dev/null) && common=$(cd "$common" 2>/dev/null && pwd -P) || exec git "$@"
if [ ! -f "$common/config" ] || [ -w "$common/config" ]; then exec git "$@"; fi
id=$(printf %s "$common" | cksum) && id=\${id%% *} && copy=$base/$id && mkdir -p "$copy" || exec git "$@"
mkdir -p "$common/logs" 2>/dev/null
[ "$1" = worktree ] && mkdir -p "$common/worktrees" 2>/dev/null
for each in ${FOLDERS}; do
  [ -e "$common/$each" ] && [ ! -L "$copy/$each" ] && ln -s "$common/$each" "$copy/$each" 2>/dev/null
done
for each in ${FILES}; do
  [ -L "$copy/$each" ] || ln -s "$common/$each" "$copy/$each" 2>/dev/null
done
[ -f "$copy/config" ] || { cat "$common/config" >"$copy/config.$$" && mv "$copy/config.$$" "$copy/config"; } || exec git "$@"
GIT_COMMON_DIR=$copy git "$@"
code=$?
cmp -s "$common/config" "$copy/config" || {
  { printf '%s\\0' "$common" && git config --file "$copy/config" --null --list; } >"$base/$id.$$" 2>/dev/null &&
    mv "$base/$id.$$" "$base/$id${LIST}"
}
exit $code
`;

/** Tells whether git needs the shim for these arguments. */
export function mayWriteConfig(words: readonly string[]): boolean {
  let at = 0;
  while (words[at] === "-C") at += 2;
  return WRITERS.includes(words[at] ?? "");
}
