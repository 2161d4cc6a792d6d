import { diagnosticsGrammar } from "../grammar/diagnostics.js";
import { gitBlame, gitDiff, gitLog, gitStatus } from "../grammar/git.js";
import { listingGrammar, withFolders } from "../grammar/listing.js";
import { log } from "../grammar/log.js";
import { readPytest } from "../grammar/pytest.js";
import { search } from "../grammar/search.js";
import { stepsGrammar } from "../grammar/steps.js";
import { json } from "../grammar/structured.js";
import { ls } from "../grammar/ls.js";
import { rows, tableGrammar } from "../grammar/table.js";
import { treeGrammar } from "../grammar/tree.js";
import { readTests, type ReadTests, type Runner } from "../grammar/tests.js";
import { TRACE, trace } from "../grammar/trace.js";
import type { Recogniser } from "./recogniser.js";

type Row = Omit<Recogniser, "grammar" | "failures">;

function tested(row: Row, read: ReadTests): Recogniser {
  const failures = (lines: readonly string[]) => read(lines, { failed: true }).failures;
  return { ...row, grammar: (lines, ending) => read(lines, ending).pieces, failures };
}

function ranBy(row: Row, runner: Runner): Recogniser {
  return tested(row, (lines, ending) => readTests(runner, lines, ending));
}

const EMPTY = String.raw`^\s*$`;
const noise = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp([EMPTY, ...patterns.map(({ source }) => source)].join("|"));
/** A row of a table of coverage, but for the totals. */
const COVERAGE =
  /^-+\|-+|^(?!All files)[\s\w.[\]()/@-]+\|(?:\s*[\d.]+\s*\|){3,4}|^\s*% Coverage report|^File\s+\| % Stmts/;

const jest: Runner = {
  passes: /^PASS \S|^\s+[✓√] /,
  outside: noise(
    /^Snapshots: +0 total|^Time: |^Ran all test suites/,
    /^(?:RUNS|Determining) |^\s+○ skipped |^\s{2,}[\w#.].*$/,
    COVERAGE,
  ),
  start: /^\s+● /,
  end: /^(?:PASS|FAIL) |^Test Suites: |^Summary of all failing tests|^-+\|/,
  total: /^Tests: /,
  report: /^Summary of all failing tests/,
};

const VITEST_NOISE = /^ *RUN +v|^\s+(?:Start at|Duration) |^[⎯\s[\]\d/]+$|^⎯+ .* ⎯+$|^\s*[↓] /;
const vitest: Runner = {
  passes: /^\s*[✓√] /,
  outside: noise(VITEST_NOISE, /^\s*[❯×] |^\s+→ /, COVERAGE),
  inside: /^[⎯\s[\]\d/]+$|^\s*$/,
  start: /^ FAIL /,
  end: /^⎯+ \w.* ⎯+$|^ Test Files /,
  total: /^\s+Tests /,
};

/** The list of tests tells of the failures where their report, on stderr, was thrown away. */
const vitestList: Runner = { ...vitest, outside: noise(VITEST_NOISE, COVERAGE) };

const mocha: Runner = {
  passes: /^\s+[✓✔√] /,
  outside: noise(/^> |^(?!\s+\d+ (?:passing|pending|failing))\s{2,}\S.*$|^\s*[․.!,]+$/),
  inside: /^\s+----$|^\s*$/,
  start: /^ {2}\d+\) \S/,
  end: /^npm |^ {2}\d+ (?:passing|pending|failing)/,
  total: /^\s+\d+ passing/,
  report: /^\s+\d+ passing/,
};

const tap: Runner = {
  passes: /^\s*ok \d+(?!.*# (?:SKIP|TODO))/,
  outside: noise(
    /^TAP version|^\s*1\.\.\d+$|^\s*(?:---|\.\.\.|duration_ms: .*|type: .*)$|^\s*# Subtest: |^# (?:suites|cancelled 0|skipped 0|todo 0|duration_ms)\b/,
  ),
  inside:
    /^\s*(?:---|\.\.\.|stack: \|-|at: .*|duration_ms: .*|type: '.*'|failureType: .*|code: 'ERR_TEST_FAILURE'|location: .*)$|^\s*# Subtest: /,
  start: /^\s*not ok \d+/,
  end: /^# (?:tests|pass|fail)\b|^\s*1\.\.\d+$/,
  total: /^# pass/,
  title:
    /^# (?!(?:tests|suites|pass|fail|cancelled|skip|skipped|todo|duration_ms)\b|Subtest: |.*(?:[Ww]arning|[Ee]rror))/,
};

const nodeSpec: Runner = {
  passes: /^\s*✔ /,
  outside: noise(/^\s*▶ |^ℹ (?:suites|cancelled 0|skipped 0|todo 0|duration_ms)|^\s*\}$/),
  inside: /^\s+(?:generatedMessage|code: 'ERR_ASSERTION'|operator)\b.*|^\s*\}$|^test at /,
  start: /^\s*✖ (?!failing tests)/,
  end: /^\s*▶ |^ℹ |^✖ failing tests/,
  total: /^ℹ pass/,
  report: /^✖ failing tests:/,
};

const go: Runner = {
  passes: /^\s*--- PASS: /,
  outside: noise(
    /^=== (?:RUN|PAUSE|CONT|NAME)|^PASS$|^\t?\?\s+\S+\s+\[no test files\]|^exit status 1$|^testing\.|^\t\/usr\/|^created by testing|^panic\(\{|^runtime\./,
  ),
  inside: /^=== (?:RUN|PAUSE|CONT|NAME)/,
  start: /^\s*--- FAIL: /,
  end: /^(?:FAIL|ok|panic:|---)|^\S+\s+coverage:/,
};

const cargoTest: Runner = {
  passes: /^test .* \.\.\. ok$/,
  outside: noise(
    /^running \d+ tests?|^test result: ok\. 0 passed|^\s+(?:Running|Doc-tests|Compiling|Finished|Downloading|Downloaded|Blocking|Updating|Locking|Fresh|Checking) |^failures:$|^test .* \.\.\. FAILED$|^note: run with|^ {4}\S+$|^note: (?:test exited|to see)/,
  ),
  inside: /^note: run with/,
  onSuccess: /^test result: ok\./,
  shorter: [/^thread '.*?' (?:\(\d+\) )?panicked at /, "panicked at "],
  start: /^---- .* ----$/,
  end: /^failures:$|^test result: |^running /,
};

const unittest: Runner = {
  passes: /^\S.* \.\.\. ok$/,
  outside: noise(/^[.sFEux]+$|^[=-]{20,}$|^\S.* \.\.\. (?:skipped.*|FAIL|ERROR)$|^test\w* \(.*\)$/),
  inside: /^[=-]{20,}$|^Traceback \(most recent|^During handling|^The above exception|^\s*[~^]+\s*$/,
  start: /^(?:ERROR|FAIL): /,
  end: /^Ran \d+ tests?/,
  total: /^Ran \d+ tests?/,
};

const ctest: Runner = {
  passes: /^\s*\d+\/\d+ Test +#\d+: .* Passed /,
  outside: noise(/^\s+Start +\d+: |^Internal ctest|^Test project|^-{10,}$|^Total Test time/),
  inside: /^\s+Start +\d+: |:PASS$|^-{10,}$|^FAIL$/,
  start: /^\s*\d+\/\d+ Test +#\d+: .*\*\*\*/,
  end: /^\d+% tests passed/,
  total: /^\d+% tests passed/,
};

const maven: Runner = {
  passes:
    /^\[INFO\] Tests run: \d+, Failures: 0, Errors: 0.* - in \S+|^\[INFO\] Tests run: \d+, Failures: 0, Errors: 0.*-- in /,
  outside: noise(
    /^\[INFO\]|^Download(?:ing|ed)|^Progress|^\[WARNING\]\s*$|^\[ERROR\]\s*$|^\[ERROR\] (?:-> \[Help|To see the full|Re-run Maven|For more information|\[Help)/,
  ),
  start: /^\[ERROR\] (?!Tests run|Failures:|Errors:)\S+.*(?:<<< (?:FAILURE|ERROR)!|-- Time elapsed)/,
  end: /^\[ERROR\] (?:Failures:|Errors:|Tests run:)|^\[INFO\] Results/,
  total: /Tests run: /,
};

const gradle: Runner = {
  passes: /^\S+ > .* PASSED$/,
  outside: noise(/^> Task |^Starting a Gradle|^Daemon|^\d+ actionable tasks?|^To honour|^Welcome to Gradle/),
  start: /^\S+ > .* FAILED$/,
  end: /^\d+ tests completed|^> Task|^FAILURE: /,
  total: /^\d+ tests completed/,
};

const build = diagnosticsGrammar(
  /^\s*(?:Compiling|Checking|Building|Finished|Fresh|Downloaded|Downloading|Updating|Locking|Blocking|Running|Dirty|Scanning|Consolidate|Adding|Packaging|Documenting) |^\[ *\d+%\] (?:Building|Linking|Generating|Built)|^\[\d+\/\d+\] (?:Building|Linking|C[CX]|LD|AR)|^(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|ar|ld|ranlib|x86_64-\S+|\/usr\/bin\/(?:cc|c\+\+|ar|gcc)) .*(?:-c|-o|rcs?|-shared)\b|^make(?:\[\d+\])?: (?:Entering|Leaving)|^compilation terminated|^Scanning dependencies|^mkdir -p|^echo /,
);
const lint = diagnosticsGrammar();

const INSTALL =
  /^(?:Get|Hit|Ign|Fetched|Selecting previously|Preparing to unpack|Unpacking|Reading (?:package|state|database)|Building dependency|\(Reading database|Processing triggers|Scanning|debconf:|Need to get|After this operation|Do you want|Suggested|Recommended packages:|WARNING: apt does not)|^\s*(?:Downloading|Using cached|Obtaining|Created wheel|Building wheel|Preparing metadata|Getting requirements|Installing build|Stored in|Attempting uninstall|Found existing|Uninstalling)|^\s*[━╸╺]|^ ---> [0-9a-f]{12}$|^ ---> Running in|^Removing intermediate|^Step \d+\/\d+ : (?:LABEL|ENV|WORKDIR|EXPOSE|ARG|USER|VOLUME)|^#\d+ (?:sha256:|extracting|DONE|CACHED|transferring|resolve)|^Collecting |^Looking in|^npm http fetch GET 200|^npm (?:timing|verb|sill)/;

const LOG: Recogniser = {
  name: "log",
  programs: /^(?:journalctl|dmesg|docker(?:-compose)? (?:logs|compose logs)|kubectl logs|podman logs)\b/,
  grammar: log,
};

export const RECOGNISERS: readonly Recogniser[] = [
  tested(
    {
      name: "pytest",
      programs: /^(?:pytest|py\.test|tox|nox)\b/,
      sign: /^=+ test session starts =+$|^\d+ (?:passed|failed).* in [\d.]+s|^=+ .*(?:passed|failed|error).* in [\d.:]+.* =+$/m,
    },
    readPytest,
  ),
  ranBy({ name: "unittest", programs: /^(?:unittest|trial|nose2?)\b/, sign: /^Ran \d+ tests? in [\d.]+s$/m }, unittest),
  ranBy({ name: "jest", programs: /^(?:jest|react-scripts test)\b/, sign: /^Tests: +.*total$|^Test Suites: /m }, jest),
  tested({ name: "vitest", programs: /^vitest\b/, sign: /^ Test Files  /m }, (lines, ending) =>
    readTests(
      ending.isAlone === true && !lines.some((line) => vitest.start.test(line)) ? vitestList : vitest,
      lines,
      ending,
    ),
  ),
  ranBy({ name: "tap", programs: /^(?:tape|tap)\b/, sign: /^TAP version \d+$/m }, tap),
  ranBy({ name: "node --test", sign: /^ℹ tests \d+$|^ℹ pass \d+/m }, nodeSpec),
  ranBy({ name: "mocha", programs: /^_?mocha\b/, sign: /^ {2}\d+ passing(?: \(|$)/m }, mocha),
  ranBy({ name: "go test", programs: /^go test\b/, sign: /^--- (?:FAIL|PASS): \S+ \([\d.]+s\)$/m }, go),
  ranBy({ name: "cargo test", programs: /^cargo (?:test|t|nextest)\b/, sign: /^running \d+ tests?$/m }, cargoTest),
  ranBy({ name: "ctest", programs: /^ctest\b/, sign: /^\d+% tests passed, \d+ tests? failed out of \d+/m }, ctest),
  ranBy({ name: "maven", programs: /^(?:mvn|mvnw)\b/, sign: /^\[INFO\] {1,2}T E S T S$/m }, maven),
  ranBy({ name: "gradle", programs: /^gradlew? (?:test|check)\b/ }, gradle),
  { name: "git status", programs: /^git status\b/, grammar: gitStatus },
  {
    name: "git log",
    takesAll: true,
    programs: /^git (?:log|show|whatchanged|reflog)\b/,
    grammar: (lines, ending) => gitLog(lines, ending) ?? gitDiff(lines, ending),
  },
  {
    name: "git diff",
    programs: /^(?:git (?:diff|stash|range-diff)|diff|interdiff)\b/,
    sign: /^diff --(?:git|cc) /m,
    grammar: gitDiff,
  },
  { name: "git blame", takesAll: true, programs: /^git (?:blame|annotate)\b/, grammar: gitBlame },
  { name: "search", programs: /^(?:rg|grep|egrep|fgrep|ag|ack|git grep)\b/, grammar: search },
  {
    name: "tree",
    takesAll: true,
    programs: /^(?:tree|npm ls|npm list|pnpm (?:ls|list|why)|yarn (?:list|why)|cargo tree|pipdeptree|lsblk|pstree)\b/,
    grammar: treeGrammar,
  },
  {
    name: "wc",
    takesAll: true,
    programs: /^wc\b/,
    grammar: tableGrammar({ gap: /\s+/, unit: "files", isHeadless: true }),
  },
  { name: "listing", takesAll: true, programs: /^(?:find|fd|fdfind|locate|git ls-files)\b/, grammar: listingGrammar() },
  {
    name: "archive",
    takesAll: true,
    programs: /^(?:tar|zip|unzip|rsync|cpio|7z)\b/,
    grammar: listingGrammar({
      pathOf: (line) =>
        /^(?:\s*(?:adding|inflating|creating|extracting): )(\S.*?)(?: \((?:stored|deflated).*)?\s*$/.exec(line)?.[1] ??
        /^[bcdlps-][rwxsStT-]{9}\s+\S+\/\S+\s+\d+ \S+ \S+ (.+)$/.exec(line)?.[1] ??
        (/^(?:a |x )?(?!sent |total )(?:\S+|[^\s:][^:]*\/[^:]*)$/.test(line)
          ? line.replace(/^[ax] (?=\S)/, "")
          : undefined),
      noise: /^\s+[\d,]+ +\d+% /,
    }),
  },
  {
    name: "formatter",
    takesAll: true,
    programs: /^(?:prettier|black|isort|gofmt|rustfmt|ruff format)\b/,
    grammar: listingGrammar({
      room: 12_000,
      noise: /^\s*\d*\s*[|+-]|^-{10,}|^unformatted:/,
      pathOf: (line) =>
        /^(?:\[warn\] |would reformat |Would reformat: |reformatted |\s*--> )(\S+?)(?::\d+:\d+)?$/.exec(line)?.[1] ??
        (/^[\w@.~-]*\/\S+$|^[\w.-]+\.\w+$/.test(line) ? line : undefined),
    }),
  },
  {
    name: "ls",
    takesAll: true,
    programs: /^ls\b/,
    grammar: (lines, ending) => ls(lines, ending) ?? listingGrammar()(withFolders(lines), ending),
  },
  {
    name: "ps",
    takesAll: true,
    programs: /^(?:ps|top|htop)\b/,
    sign: /^USER +PID +%CPU/m,
    grammar: tableGrammar({
      header: /\bPID\b/,
      counted: { row: /\s\[[^\]]+\]$|\s(?:kworker|kthreadd|rcu_|migration|ksoftirqd|cpuhp)\S*$/, as: "of the kernel" },
      gap: /\s+/,
      unit: "processes",
    }),
  },
  {
    name: "packages",
    takesAll: true,
    programs: /^(?:dpkg|apt list|rpm|pip list|pip3 list|gem list|brew list)\b/,
    grammar: tableGrammar({ header: /^\|\|\/|^Package|^[+-=]{5,}/, gap: /\s{2,}/, unit: "packages" }),
  },
  { name: "rows", takesAll: true, programs: /^(?:psql|mysql|sqlite3|mariadb|duckdb|clickhouse)\b/, grammar: rows },
  {
    name: "table",
    takesAll: true,
    programs:
      /^(?:df|ss|netstat|lsof|lsblk|docker (?:ps|images|container|volume|network|stats)|docker-compose ps|podman (?:ps|images)|kubectl (?:get|top)|systemctl(?: list-\S+|$)|w|who|last|free|vmstat|iostat|mpstat|npm outdated|helm|crontab|nmcli|ip route|arp|pgrep|jobs)\b/,
    grammar: tableGrammar({
      header:
        /^\s*[A-Z][A-Z/%-]+(?: [A-Z%]+)*\s{2}|^\s*(?:Proto|Filesystem|Netid|COMMAND|NAME|CONTAINER|UNIT|REPOSITORY)\b/,
      aside: /^\S+: |^Active |^\d+ loaded|^To show/,
    }),
  },
  LOG,
  { name: "json", isWhole: true, programs: /^(?:docker inspect|jq|curl|kubectl)\b/, sign: /^\s*[[{]/, grammar: json },
  {
    name: "trace",
    programs: /^(?:python[\d.]*|node|deno|java|ruby|php|perl|go run|cargo run|valgrind|gdb)\b/,
    sign: TRACE,
    grammar: trace,
  },
  {
    name: "build",
    hasEnd: true,
    programs:
      /^(?:make|gmake|ninja|cmake|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cargo|rustc|javac|mvn|gradle|gradlew|meson|bazel|swift|swiftc|dotnet|msbuild|ghc|zig)\b/,
    sign: /^\S+:\d+:(?:\d+:)? (?:fatal )?(?:error|warning)\b/m,
    grammar: build,
  },
  {
    name: "lint",
    programs:
      /^(?:tsc|vue-tsc|eslint|oxlint|biome|ruff|mypy|pyright|pylint|flake8|shellcheck|stylelint|golangci-lint|go (?:build|vet|install)|staticcheck|rubocop|hadolint|yamllint|markdownlint|clang-tidy|cppcheck|phpstan)\b/,
    grammar: lint,
  },
  {
    name: "steps",
    hasEnd: true,
    programs:
      /^(?:apt|apt-get|aptitude|dnf|yum|apk|pacman|pip|pip3|npm|pnpm|yarn|bun|uv|poetry|docker|podman|wget|curl|git|ffmpeg|brew|gem|bundle|composer|ansible|ansible-playbook|terraform|helm|conda)\b(?! (?:run|exec|start|test|t|ls-remote|compose)\b)/,
    grammar: stepsGrammar(INSTALL),
  },
];
