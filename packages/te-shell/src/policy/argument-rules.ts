/** Arguments by which a program that is safe otherwise runs another one, or whatever it is told. */
export interface ArgumentRule {
  readonly programs: readonly string[];
  /** For the refusal: "it runs …". */
  readonly does: string;
  /** Whole words, such as -exec; a trailing * stands for anything. */
  readonly words?: readonly string[];
  /** GNU long options, which may be shortened and carry a value behind "=". */
  readonly long?: readonly string[];
  /** Letters of short options, also among others in one word. */
  readonly short?: string;
  /** Letters that take the rest of their word as a value. */
  readonly valued?: string;
  /** The first word may be letters without a dash, as tar has it. */
  readonly isBundled?: boolean;
  /** Any word that matches. */
  readonly any?: RegExp;
  /** The first word that is no option is refused when it is none of these. */
  readonly onlyCommands?: readonly string[];
  /** Options before that word which take the next word as their value. */
  readonly valuesBefore?: readonly string[];
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
}

const GIT_COMMANDS = `
  add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean
  clone commit count-objects describe diff diff-index diff-tree diff-files fetch for-each-ref format-patch fsck gc grep
  hash-object help init log ls-files ls-remote ls-tree merge merge-base mv name-rev notes prune pull push range-diff
  rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout
  stash status stripspace switch symbolic-ref tag update-index update-ref var verify-commit version whatchanged worktree
  write-tree commit-tree mktree
`
  .trim()
  .split(/\s+/);

export const ARGUMENT_RULES: readonly ArgumentRule[] = [
  {
    programs: ["find"],
    does: "runs other programs, deletes, or writes files of any name",
    words: ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint*", "-fls"],
    match: ["find . -exec id {} +", "find / -name x -delete", "find . -fprintf /etc/x y", "find . -okdir id"],
    notMatch: ["find . -name '*.ts' -type f", "find . -newer executable -print0", "find . -path ./-x"],
  },
  {
    programs: ["fd", "fdfind"],
    does: "runs other programs",
    long: ["--exec", "--exec-batch"],
    short: "xX",
    valued: "dteESocj",
    match: ["fd -x id", "fd -Hx id", "fd --exec=id", "fd --exec-b id"],
    notMatch: ["fd -e ts", "fd -ex foo", "fd --extension ts", "fd --exclude x"],
  },
  {
    programs: ["git"],
    does: "runs other programs, or sets what git runs",
    words: ["--exec-path=*", "ext::*", "-x"],
    long: [
      "--config-env",
      "--upload-pack",
      "--receive-pack",
      "--open-files-in-pager",
      "--ext-diff",
      "--exec",
      "--template",
    ],
    any: /^(?:--config(?:=|$)|-c$|-c[a-z]+\.|-O|.*(?:\bext::|--output=))/,
    match: [
      "git -c core.pager=id log",
      "git log --ext-diff",
      "git grep -Oid x",
      "git grep --open-files-in-pager=id x",
      "git clone ext::id x",
      "git fetch --upload-pack id",
      "git ls-remote --upload-p=id .",
      "git diff --output=/tmp/x",
      "git rebase -x id HEAD~1",
      "git clone --config core.fsmonitor=id x",
    ],
    notMatch: ["git log --oneline -5", "git commit -m 'a -c b'", "git diff HEAD --stat", "git show HEAD:x"],
  },
  {
    programs: ["git"],
    does: "runs a program, or is not one of git's own commands",
    onlyCommands: GIT_COMMANDS,
    valuesBefore: ["-C", "--git-dir", "--work-tree", "--namespace"],
    match: [
      "git filter-branch --tree-filter id",
      "git submodule foreach id",
      "git config alias.x '!id'",
      "git -C x evil",
      "git difftool",
    ],
    notMatch: ["git status", "git -C x log", "git --no-pager diff", "git --version"],
  },
  {
    programs: ["git"],
    does: "runs what it is told for each step",
    any: /^run$/,
    match: ["git bisect run id"],
    notMatch: ["git bisect start", "git add run.ts"],
  },
  {
    programs: ["rg"],
    does: "runs other programs",
    long: ["--pre", "--hostname-bin"],
    match: ["rg --pre id x", "rg --pre=id x", "rg --hostname-bin=id x"],
    notMatch: ["rg --pretty x", "rg -n x src", "rg --pre-glob '*.x' y"],
  },
  {
    programs: ["tar"],
    does: "runs other programs",
    long: [
      "--to-command",
      "--use-compress-program",
      "--checkpoint-action",
      "--info-script",
      "--new-volume-script",
      "--rsh-command",
      "--rmt-command",
    ],
    short: "IF",
    valued: "fCTXbKLNVgH",
    isBundled: true,
    match: [
      "tar --to-command=id -xf a",
      "tar xIf id a",
      "tar -cI id -f a b",
      "tar --checkpoint-act=exec=id",
      "tar -F id -cf a b",
    ],
    notMatch: ["tar -xzf IMAGE.tar", "tar xf a -C Incoming", "tar -tvfFILE", "tar --totals -cf a b"],
  },
  {
    programs: ["sort"],
    does: "runs other programs",
    long: ["--compress-program"],
    match: ["sort --compress-program=id x", "sort --comp id x"],
    notMatch: ["sort -n x", "sort --check x", "sort -c x"],
  },
  {
    programs: ["sed"],
    does: "runs other programs, or a script that was not read",
    long: ["--file"],
    short: "f",
    valued: "eil",
    any: /(?:^|[;{}\n])\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:[+~]?\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*(?:e(?:\s|$|;)|[wW]\s*\S)|^(?:-\w*e|--expression=)?\s*.*?s(.)(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[gpiImM\d]*[ew]/s,
    match: [
      "sed 1e\\ id x",
      "sed '1e id' x",
      "sed 's/a/id/e' x",
      "sed -n 's,a,b,gew f' x",
      "sed -f script x",
      "sed '$!w out' x",
      "sed -e 'e' x",
    ],
    notMatch: [
      "sed -n 1,5p x",
      "sed 's/e/w/g' x",
      "sed -i 's/one/two/' x",
      "sed '/end/d' x",
      "sed -E 's/(a)(e)/\\2w/' x",
    ],
  },
  {
    programs: ["awk", "gawk", "mawk", "nawk"],
    does: "runs other programs, or a program that was not read",
    long: ["--file", "--exec", "--include", "--load", "--source"],
    short: "fEil",
    valued: "Fv",
    any: /\bsystem\s*\(|\|\s*&?\s*(?:"|getline)|"\s*\|\s*getline|\|&|@(?:load|include)|@\w+\s*\(/,
    match: [
      "awk 'BEGIN{system(\"id\")}'",
      "awk '{print | \"id\"}'",
      "awk '\"id\" | getline x' f",
      "awk -f prog x",
      "gawk -E prog",
      "gawk '@load \"x\"'",
    ],
    notMatch: [
      "awk '{print $1}' x",
      "awk -F: '$1 || $2 {print}' f",
      "awk -F, -v f=1 '{print f}' x",
      "awk '$3 > 5' system",
    ],
  },
  {
    programs: ["patch"],
    does: "runs an editor",
    long: ["--ed"],
    short: "e",
    valued: "BbDdFgiopVYzr",
    match: ["patch --ed -i x", "patch -e", "patch -se"],
    notMatch: ["patch -p1 -i fix.diff", "patch -dx -p1"],
  },
  {
    programs: ["zip"],
    does: "runs other programs",
    long: ["--unzip-command"],
    words: ["-TT*"],
    match: ["zip -T -TT id a b", "zip --unzip-command id a b"],
    notMatch: ["zip -r a b", "zip -T a"],
  },
  {
    programs: ["cpio"],
    does: "runs other programs",
    long: ["--rsh-command"],
    match: ["cpio --rsh-command=id -i"],
    notMatch: ["cpio -idmv"],
  },
  {
    programs: ["split"],
    does: "runs other programs",
    long: ["--filter"],
    match: ["split --filter=id x", "split --filt id x"],
    notMatch: ["split -l 100 x", "split --verbose x"],
  },
  {
    programs: ["dd"],
    does: "writes to a device",
    any: /^of=\/dev\/(?!null$|stdout$)/,
    match: ["dd if=x of=/dev/sda"],
    notMatch: ["dd if=/dev/zero of=x count=1", "dd if=x of=/dev/null"],
  },
  {
    programs: ["wget"],
    does: "runs other programs, or takes settings that do",
    long: ["--use-askpass", "--execute", "--config"],
    short: "e",
    valued: "oaiBtOTwQPUDAR",
    match: ["wget --use-askpass=id x", "wget -e use_askpass=id x", "wget -qe x=y u", "wget --config=f u"],
    notMatch: ["wget -qO- x", "wget -O e x", "wget --no-verbose x"],
  },
  {
    programs: ["curl"],
    does: "takes settings that were not read",
    long: ["--config"],
    short: "K",
    valued: "AbcCdDeEFHhmoPQrtTuUwxXyYz",
    match: ["curl -K x", "curl --config x u", "curl -sK- u"],
    notMatch: ["curl -sS -o KEY u", "curl -HKey:1 u", "curl --compressed u"],
  },
  {
    programs: ["ip"],
    does: "runs other programs, or a batch that was not read",
    any: /^(?:netns|exec|-b|-batch|-ba|-bat|-batc|vrf)$/,
    match: ["ip netns exec x id", "ip -b x", "ip vrf exec x id"],
    notMatch: ["ip addr show", "ip -br link", "ip route"],
  },
  {
    programs: ["top", "systemctl", "journalctl", "loginctl"],
    does: "starts an editor, a program elsewhere, or a console",
    any: /^(?:edit|-M|--machine(?:=.*)?|-H|--host(?:=.*)?|--root(?:=.*)?|--image(?:=.*)?|link|enable|set-environment|import-environment)$/,
    match: ["systemctl edit x", "systemctl -H box status", "journalctl --machine=x", "systemctl link /tmp/x.service"],
    notMatch: ["systemctl status nginx", "journalctl -u nginx -n 50", "top -b -n 1"],
  },
  {
    programs: ["openssl"],
    does: "loads code",
    any: /^-?-(?:engine|provider|provider-path)$|^(?:engine|rsautl-engine)$/,
    match: ["openssl req -engine ./x.so", "openssl engine x", "openssl list -provider-path ."],
    notMatch: ["openssl x509 -in c.pem -text", "openssl rand -hex 8"],
  },
  {
    programs: ["sqlite3"],
    does: "runs other programs, or loads code",
    any: /^-(?:-?init|-?cmd|-?A.*)$|(?:^|[;\n])\s*\.(?:sh|shell|system|load|import|excel|edit|once|output|read|open)\b|\b(?:load_extension|edit|writefile|fts3_tokenizer)\s*\(/i,
    match: [
      "sqlite3 x '.shell id'",
      "sqlite3 -init f x",
      "sqlite3 x 'select load_extension(1)'",
      "sqlite3 x 'select edit(1)'",
      "sqlite3 x '.import \"|id\" t'",
    ],
    notMatch: ["sqlite3 x 'select 1'", "sqlite3 -json x '.tables'", "sqlite3 x .schema"],
  },
  {
    programs: ["xmllint", "yq", "jq"],
    does: "loads code or opens a shell",
    any: /^--(?:shell|path(?:=.*)?|load-trace|split-exp.*)$/,
    match: ["xmllint --shell x"],
    notMatch: ["jq -r .a x", "xmllint --format x", "yq .a x"],
  },
  {
    programs: ["date", "hostname", "sysctl", "mount", "hostnamectl", "timedatectl"],
    does: "changes the machine",
    any: /^(?:-s|--set(?:=.*)?|-w|--write|-p|--load|--system|set-.*|-o|--bind|--rbind|--move|-a|-F|.+=.+)$/,
    match: [
      "date -s 10:00",
      "sysctl -w kernel.x=1",
      "sysctl kernel.x=1",
      "mount --bind a b",
      "hostnamectl set-hostname x",
    ],
    notMatch: ["date +%s", "sysctl kernel.ostype", "mount", "hostname -f"],
  },
];
