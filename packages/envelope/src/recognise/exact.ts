import type { CommandLine, Simple } from "./command.js";

/** Forms of output that a program or a patch reads. */
const FORMS =
  /^(?:--(?:json|porcelain|format|pretty|oneline|stat|shortstat|numstat|dirstat|name-only|name-status|null|print0|stdout|raw|no-headers|noheadings|template|output=(?:json|yaml|name)|files|files-with-matches|count|quiet|csv|xml|jsonl)(?:=.*)?|-print0|-printf|-z|-0|-o(?:json|yaml|name|jsonpath.*|custom-columns.*|go-template.*)?)$/;
const READ_BY_PROGRAMS: Readonly<Record<string, RegExp>> = {
  git: /^--(?:json|porcelain.*|format.*|pretty.*|oneline|stat.*|shortstat|numstat|dirstat|name-only|name-status|null|stdout|raw|quiet)$|^-(?:z|s|q)$|^--stdout$/,
  docker: /^--format(?:=.*)?$|^-q$|^--quiet$/,
  podman: /^--format(?:=.*)?$|^-q$|^--quiet$/,
  kubectl: /^-o.*$|^--output(?:=.*)?$|^--template/,
  rg: /^--(?:json|null|files|count|count-matches|vimgrep|files-with-matches)$|^-(?:0|c|l|o)$/,
  grep: /^--(?:null|count|files-with-matches|only-matching)$|^-\w*[zZcloq]\w*$/,
  find: /^-(?:print0|printf|fprintf|ls|exec|execdir)$/,
  fd: /^-(?:0|x|X)$/,
  ls: /^--(?:json|zero)$|^-1$/,
  ps: /^-\w*o$|^--format$|^-o.*$|^-eo$/,
  systemctl: /^-o$|^--output.*$|^-p$|^--property.*$|^show$/,
  journalctl: /^-o$|^--output.*$/,
  psql: /^-(?:A|t|At|tA|tAc|Atc)$/,
  ip: /^-j\w*$|^-json$/,
  lsblk: /^-(?:J|P|o)$|^--json$/,
};
const GIT_LOG = /^(?:log|shortlog|reflog)$/;
/** Programs whose arguments choose lines or fields. */
const CHOOSERS = new Set([
  "head",
  "tail",
  "sed",
  "awk",
  "gawk",
  "cut",
  "tr",
  "uniq",
  "sort",
  "xxd",
  "od",
  "base64",
  "column",
  "diff",
  "printf",
  "echo",
  "yq",
]);
const MAKES_PATCH = new Set([
  "format-patch",
  "apply",
  "cat-file",
  "ls-files",
  "ls-tree",
  "rev-parse",
  "rev-list",
  "for-each-ref",
  "config",
  "diff-tree",
  "archive",
]);

/** Tells whether the caller chose the form of the output, which must then stay. */
export function isExactForm({ printing, isSelected }: CommandLine): boolean {
  const last = printing.at(-1);
  return isSelected || (last !== undefined && isChosen(last));
}

function isChosen({ program, args }: Simple): boolean {
  if (CHOOSERS.has(program)) return true;
  if (program === "jq") return args.some((arg) => /^-\w*[rcj]/.test(arg)) || !args.includes(".");
  const [sub = ""] = args.filter((arg) => !arg.startsWith("-"));
  if (program === "git" && MAKES_PATCH.has(sub)) return true;
  // The list of commits is shortened beside its statistics.
  if (program === "git" && GIT_LOG.test(sub))
    return args.some((arg) => /^--(?:oneline|format|pretty|graph|porcelain)/.test(arg));
  const own = READ_BY_PROGRAMS[program];
  return args.some((arg) =>
    own === undefined
      ? FORMS.test(arg) &&
        !arg.startsWith("-o") &&
        !/^--(?:stat|quiet|raw|files|count|format)/.test(arg) &&
        arg !== "-z" &&
        arg !== "--csv"
      : own.test(arg),
  );
}
