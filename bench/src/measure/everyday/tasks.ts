import { statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { diffOf } from "../versions.js";
import { FAILING, HEALTHY, TEST_COUNT } from "./programs.js";
import { COMMITS, ERROR_LINES, LOG_FILE, LOG_LINES, logLine } from "./project.js";
import {
  APPLY_REFUND,
  CONFIG,
  config,
  LEDGER,
  ledger,
  moduleOf,
  MODULES,
  ORDER_ROWS,
  ORDERS,
  REFUND,
  sources,
  TODO,
  todo,
  unfinished,
} from "./sources.js";
import { at, run, start, type Call, type Task } from "./task.js";

const ALL = sources();
const textOf = (name: string): string => ALL.get(name) ?? "";

/** Tells whether each of the lines can be read, behind any prefix. */
const shows = (said: string, lines: readonly string[]): boolean => lines.every((line) => said.includes(line.trim()));
const countOf = (said: string, part: string): number => said.split(part).length - 1;

const searchOurs = (root: string, pattern: string, more: object = {}): Call => [
  "linux_search_content",
  { root, pattern, ...more },
];
/** Searches by a pattern for the whole line, because the peer answers only the match itself. */
const searchTheirs = (path: string, pattern: string, contextLines: number): Call => [
  "start_search",
  { path: at(path), pattern: `.*${pattern}.*`, searchType: "content", contextLines },
];
const MORE: Call = ["get_more_search_results", { sessionId: "$search" }];

const LIBRARY = ["src/lib/money.js", "src/lib/http.js", "src/lib/log.js"];
const USERS = MODULES.filter((name) => moduleOf(name).includes("parseMoney(")).map((name) => name.slice("src/".length));
/** Number of lines before the function to find. */
const REFUND_AT = textOf(REFUND)
  .split("\n")
  .indexOf(APPLY_REFUND[0] ?? "");
const INVOICES = MODULES.filter((name) => name.includes("invoice"));
const LAST_LINES = Array.from({ length: 20 }, (_, nth) => logLine(LOG_LINES - 20 + nth));

const READ: readonly Task[] = [
  {
    name: "read a small file",
    kind: "read",
    ours: [[["linux_fs_read", { path: CONFIG }]]],
    dc: [[["read_file", { path: at(CONFIG) }]]],
    fs: [[["read_text_file", { path: at(CONFIG) }]]],
    shell: [[`cat ${CONFIG}`]],
    check: (said) => shows(said, config().split("\n")),
  },
  {
    name: "read lines 200 to 240 of 1,200",
    kind: "read",
    ours: [
      [["linux_fs_read", { path: `${LEDGER}#L200-L240` }]],
      [["linux_fs_read", { path: LEDGER, offset_lines: 199, max_lines: 41 }]],
    ],
    dc: [[["read_file", { path: at(LEDGER), offset: 199, length: 41 }]]],
    fs: [[["read_text_file", { path: at(LEDGER), head: 240 }]]],
    shell: [[`sed -n 200,240p ${LEDGER}`]],
    check: (said) => shows(said, ledger().split("\n").slice(199, 240)),
  },
  {
    name: "the last 20 lines of a log of 200,000",
    kind: "read",
    ours: [[["linux_fs_read", { path: LOG_FILE, tail_lines: 20 }]]],
    dc: [20, 21].map((lines) => [["read_file", { path: at(LOG_FILE), offset: -lines }]]),
    fs: [20, 21].map((tail) => [["read_text_file", { path: at(LOG_FILE), tail }]]),
    shell: [[`tail -20 ${LOG_FILE}`]],
    check: (said) => shows(said, LAST_LINES),
  },
  {
    name: "read three files at once",
    kind: "read",
    ours: [[["linux_fs_read", { paths: LIBRARY }]]],
    dc: [[["read_multiple_files", { paths: LIBRARY.map(at) }]]],
    fs: [[["read_multiple_files", { paths: LIBRARY.map(at) }]]],
    shell: [["cat src/lib/{money,http,log}.js"], ["cat src/lib/*"]],
    check: (said) => LIBRARY.every((name) => shows(said, textOf(name).split("\n"))),
  },
  {
    name: "list the sources of a project",
    kind: "read",
    ours: [[["linux_fs_list", { path: "src" }]]],
    dc: [[["list_directory", { path: at("src") }]]],
    fs: [[["directory_tree", { path: at("src") }]]],
    shell: [["ls -R src"], ["git ls-files src"], ["find src -type f"]],
    check: (said) => MODULES.every((name) => shows(said, name.split("/").slice(1))),
  },
];

const SEARCH: readonly Task[] = [
  {
    name: "find a function and read it",
    kind: "search",
    ours: [
      [searchOurs("src", "function applyRefund")],
      [searchOurs("src", "function applyRefund", { after: 11 })],
      [
        searchOurs("src", "function applyRefund", { context_lines: 0 }),
        ["linux_fs_read", { path: `${REFUND}#L${REFUND_AT + 1}-L${REFUND_AT + 12}` }],
      ],
    ],
    dc: [
      [searchTheirs("src", "function applyRefund", 11)],
      [searchTheirs("src", "function applyRefund", 11), MORE],
      [
        searchTheirs("src", "function applyRefund", 0),
        ["read_file", { path: at(REFUND), offset: REFUND_AT, length: 12 }],
      ],
    ],
    shell: [["grep -rnA11 'function applyRefund' src"]],
    check: (said) =>
      said.includes(REFUND) &&
      shows(
        said,
        APPLY_REFUND.filter((line) => !line.includes("total")),
      ),
  },
  {
    name: "find files by a part of their name",
    kind: "search",
    ours: [[["linux_search_files", { root: ".", pattern: "invoice" }]]],
    dc: [
      [["start_search", { path: "$shop", pattern: "invoice" }]],
      [["start_search", { path: "$shop", pattern: "invoice" }], MORE],
    ],
    fs: [[["search_files", { path: "$shop", pattern: "**/*invoice*" }]]],
    shell: [["find . -name '*invoice*'"], ["git ls-files '*invoice*'"]],
    check: (said) => MODULES.every((name) => said.includes(name) === INVOICES.includes(name)),
  },
  {
    name: "who uses a function, with a line around each place",
    kind: "search",
    ours: [[searchOurs("src", "parseMoney(", { literal: true, context_lines: 1 })]],
    dc: [[searchTheirs("src", "parseMoney\\(", 1)], [searchTheirs("src", "parseMoney\\(", 1), MORE]],
    shell: [["grep -rnC1 'parseMoney(' src"], ["grep -rC1 'parseMoney(' src"]],
    check: (said) =>
      shows(said, USERS) &&
      ["state: body.state", "total: parseMoney(body.total)", "changed: new Date("].every(
        (line) => countOf(said, line) >= USERS.length,
      ),
  },
  {
    name: "the errors in a log of 200,000 lines",
    kind: "search",
    ours: [[searchOurs(LOG_FILE, " ERROR ", { context_lines: 0 })], [searchOurs(LOG_FILE, " ERROR ")]],
    dc: [[searchTheirs(LOG_FILE, " ERROR ", 0)], [searchTheirs(LOG_FILE, " ERROR ", 0), MORE]],
    shell: [[`grep ERROR ${LOG_FILE}`]],
    check: (said) => shows(said, ERROR_LINES),
  },
];

const NEW_FILE = "src/returns/return-label.js";
const NEW_TEXT = moduleOf(NEW_FILE);
const NEW_README = `# shop

Orders, payments, parcels and returns of a small shop.

- \`node scripts/build.js\` checks that all that is imported is exported
- \`node scripts/test.js\` runs the tests
- \`node src/server.js PORT\` serves it; \`/health\` tells whether it is well

Settings stand in \`src/config.js\`; each can come from the environment as \`SHOP_NAME\`.
`;
const NEW_THING = "- [ ] returns need a label of their own\n";
const LAST_THING = todo().trimEnd().split("\n").at(-1) ?? "";

const CHECKOUT = "src/orders/checkout.js";
const ONE_EDIT = [["retries: 3", "retries: 5"]] as const;
const THREE_EDITS = [
  ['PATH = "/checkout"', 'PATH = "/v2/checkout"'],
  ['?? "open"', '?? "new"'],
  ["!== 201", "!== 200"],
] as const;
const BLOCK = [
  [
    [
      "    if (given === undefined) continue;",
      '    if (given === "") warn(`SHOP_${name.toUpperCase()} is empty`);',
      "    else found[name] = given;",
    ].join("\n"),
    [
      "    const wanted = typeof defaults[name];",
      "    if (given === undefined) continue;",
      '    if (given === "") throw new Error(`SHOP_${name.toUpperCase()} is empty`);',
      '    found[name] = wanted === "number" ? Number(given) : given;',
    ].join("\n"),
  ],
] as const;

type Edits = readonly (readonly [from: string, to: string])[];

const edited = (text: string, edits: Edits): string =>
  edits.reduce((each, [from, to]) => each.replace(from, () => to), text);
const sed = (edits: Edits): string => edits.map(([from, to]) => `s|${from}|${to}|`).join(";");

/** Makes a task from edits of one file, in the form of each server. */
function editing(name: string, path: string, edits: Edits): Task {
  const ours = edits.map(([old_text, new_text]) => ({ old_text, new_text }));
  return {
    name,
    kind: "write",
    ours: [[["linux_fs_patch_block", edits.length === 1 ? { path, ...ours[0] } : { path, edits: ours }]]],
    dc: [edits.map(([old_string, new_string]) => ["edit_block", { file_path: at(path), old_string, new_string }])],
    fs: [[["edit_file", { path: at(path), edits: edits.map(([oldText, newText]) => ({ oldText, newText })) }]]],
    shell: edits.some(([from]) => from.includes("\n")) ? [] : [[`sed -i '${sed(edits)}' ${path}`]],
    check: (_said, project) => project.file(path) === edited(textOf(path), edits),
  };
}

const DIFF_EDITS: Readonly<Record<string, Edits>> = {
  "src/lib/money.js": [
    ['Number(whole) * 100 + Number(part.padEnd(2, "0").slice(0, 2))', "Math.round(whole + part) * 100"],
  ],
  "src/lib/http.js": [["http://127.0.0.1:8080", "https://api.example.org"]],
};
const DIFF = Object.entries(DIFF_EDITS)
  .map(([name, edits]) => diffOf(name, textOf(name).split("\n"), edited(textOf(name), edits).split("\n")))
  .join("");

const WRITE: readonly Task[] = [
  editing("edit one line", CONFIG, ONE_EDIT),
  editing("three edits in one file", CHECKOUT, THREE_EDITS),
  editing("replace three lines by four", CONFIG, BLOCK),
  {
    name: "apply a diff over two files",
    kind: "write",
    ours: [[["linux_fs_apply_diff", { diff_text: DIFF }]]],
    dc: [Object.entries(DIFF_EDITS).flatMap(([name, edits]) => editing("", name, edits).dc.flat())],
    fs: [Object.entries(DIFF_EDITS).flatMap(([name, edits]) => editing("", name, edits).fs?.flat() ?? [])],
    shell: [[`git apply <<'E'\n${DIFF}E`], [`patch -p1 <<'E'\n${DIFF}E`]],
    check: (_said, project) =>
      Object.entries(DIFF_EDITS).every(([name, edits]) => project.file(name) === edited(textOf(name), edits)),
  },
  {
    name: "write a new file in a new folder",
    kind: "write",
    ours: [
      [["linux_fs_write", { path: NEW_FILE, content: NEW_TEXT }]],
      [["linux_fs_write", { path: NEW_FILE, content: NEW_TEXT, create_parents: true }]],
    ],
    dc: [
      [["write_file", { path: at(NEW_FILE), content: NEW_TEXT }]],
      [
        ["create_directory", { path: at("src/returns") }],
        ["write_file", { path: at(NEW_FILE), content: NEW_TEXT }],
      ],
    ],
    fs: [
      [
        ["create_directory", { path: at("src/returns") }],
        ["write_file", { path: at(NEW_FILE), content: NEW_TEXT }],
      ],
    ],
    shell: [[`mkdir src/returns; cat > ${NEW_FILE} <<'E'\n${NEW_TEXT}E`]],
    check: (_said, project) => project.file(NEW_FILE) === NEW_TEXT,
  },
  {
    name: "rewrite a file",
    kind: "write",
    ours: [[["linux_fs_write", { path: "README.md", content: NEW_README }]]],
    dc: [[["write_file", { path: at("README.md"), content: NEW_README, mode: "rewrite" }]]],
    fs: [[["write_file", { path: at("README.md"), content: NEW_README }]]],
    shell: [[`cat > README.md <<'E'\n${NEW_README}E`]],
    check: (_said, project) => project.file("README.md") === NEW_README,
  },
  {
    name: "append a line",
    kind: "write",
    ours: [[["linux_fs_write", { path: TODO, content: NEW_THING, mode: "append" }]]],
    dc: [[["write_file", { path: at(TODO), content: NEW_THING, mode: "append" }]]],
    fs: [
      [
        [
          "edit_file",
          { path: at(TODO), edits: [{ oldText: LAST_THING, newText: `${LAST_THING}\n${NEW_THING.trimEnd()}` }] },
        ],
      ],
    ],
    shell: [[`echo '${NEW_THING.trimEnd()}' >> ${TODO}`]],
    check: (_said, project) => project.file(TODO) === todo() + NEW_THING,
  },
  {
    name: "make a folder",
    kind: "write",
    ours: [[["linux_fs_mkdirs", { path: "docs/api/v2" }]]],
    dc: [[["create_directory", { path: at("docs/api/v2") }]]],
    fs: [[["create_directory", { path: at("docs/api/v2") }]]],
    shell: [["mkdir -p docs/api/v2"]],
    check: (_said, project) => project.isFolder("docs/api/v2"),
  },
  {
    name: "rename a file",
    kind: "write",
    ours: [[["linux_fs_move", { source: "src/orders/draft.js", target: "src/orders/quote.js" }]]],
    dc: [[["move_file", { source: at("src/orders/draft.js"), destination: at("src/orders/quote.js") }]]],
    fs: [[["move_file", { source: at("src/orders/draft.js"), destination: at("src/orders/quote.js") }]]],
    shell: [["mv src/orders/{draft,quote}.js"]],
    check: (_said, project) =>
      project.file("src/orders/draft.js") === undefined &&
      project.file("src/orders/quote.js") === textOf("src/orders/draft.js"),
  },
  {
    name: "delete a file",
    kind: "write",
    ours: [[["linux_fs_delete", { path: "src/orders/draft.js" }]]],
    dc: [[start(`rm ${at("src/orders/draft.js")}`)]],
    shell: [["rm src/orders/draft.js"]],
    check: (_said, project) => project.isFolder("src/orders") && project.file("src/orders/draft.js") === undefined,
  },
  {
    // A peer without undo has to know the content, or to have read the file before.
    name: "delete a file that git does not have, and get it back",
    kind: "write",
    ours: [
      [
        ["linux_fs_delete", { path: TODO }],
        ["linux_fs_undo", {}],
      ],
    ],
    dc: [[start(`rm ${at(TODO)}`), ["write_file", { path: at(TODO), content: todo() }]]],
    check: (said, project) => said !== "" && project.file(TODO) === todo(),
    midway: (project) => project.file(TODO) === undefined,
  },
];

const STEPS = [
  "prices = [1999, 2499, 349, 12900]",
  "net = [round(p / 1.19) for p in prices]; net",
  "sum(net), max(net)",
];
const CUSTOMER = "c-4711";
const ORDERS_OF_ONE = ORDER_ROWS.filter(({ customer }) => customer === CUSTOMER);
const SUM = ORDER_ROWS.reduce((sum, { cents }) => sum + cents, 0);

/** Tells whether a text has the load, the whole memory, and the disk usage, rounded like programs do. */
function showsMachine(said: string): boolean {
  const mebibytes = totalmem() / 2 ** 20;
  const memory = [Math.floor(mebibytes), Math.round(mebibytes), (mebibytes / 1024).toFixed(1)];
  const { blocks, bfree, bavail } = statfsSync("/");
  const used = (100 * (blocks - bfree)) / (blocks - bfree + bavail);
  const full = [Math.floor(used), Math.round(used), Math.ceil(used)];
  return (
    /load\D+\d+\.\d/i.test(said) &&
    memory.some((size) => said.includes(String(size))) &&
    full.some((percent) => new RegExp(`\\b${percent}%`).test(said))
  );
}

const COMMAND: readonly Task[] = [
  {
    name: "a Python REPL, three steps",
    kind: "command",
    ours: [{}, { wait_ms: 5000 }].map((wait) => [
      ["linux_proc_start", { command: "python3 -i" }],
      ...STEPS.map((input): Call => ["linux_proc_send", { proc_id: "$proc", input, ...wait }]),
    ]),
    dc: [[start("python3 -i"), ...STEPS.map((input): Call => ["interact_with_process", { pid: "$pid", input }])]],
    check: (said) => said.includes("[1680, 2100, 293, 10840]") && said.includes("(14913, 10840)"),
  },
  {
    name: "a build that fails: which error",
    kind: "command",
    ours: [[run("node scripts/build.js")]],
    dc: [[start("cd $shop; node scripts/build.js")]],
    check: (said) =>
      new RegExp(`${REFUND}:\\d+: error: "totl" is not exported`).test(said) && said.includes("1 errors in"),
  },
  {
    name: "git status, log and diff",
    kind: "command",
    ours: [[run("git status -s; git log --oneline -5; git diff")]],
    dc: [[start("cd $shop; git status -s; git log --oneline -5; git diff")]],
    check: (said) =>
      COMMITS.every((subject) => said.includes(subject)) &&
      [...unfinished().keys()].every((name) => said.includes(name.startsWith("notes/") ? "?? notes/" : ` M ${name}`)) &&
      said.includes("+  const open = totl(order) - paid;"),
  },
  {
    name: "who listens on a port",
    kind: "command",
    ours: [[["linux_proc_list", { port: "$running" }]]],
    dc: [[start("ss -Hltnp sport = :$running")], [start("lsof -i :$running")]],
    check: (said, { running }) => new RegExp(`\\b${running.pid}\\b`).test(said) && said.includes("node"),
  },
  {
    name: "the state of the machine",
    kind: "command",
    ours: [[["linux_sys_snapshot", {}]]],
    dc: [[start("uptime; free -m; df -h /")], [start("uptime; free -h; df -h /")]],
    check: showsMachine,
  },
  {
    name: "start a server, ask it once it is ready, stop it",
    kind: "command",
    ours: [
      [
        ["linux_proc_start", { command: "node src/server.js $free", wait_for: "listening" }],
        run("curl -s localhost:$free/health"),
        ["linux_proc_stop", { proc_id: "$proc" }],
      ],
    ],
    dc: [
      [
        start("node $shop/src/server.js $free", 2000),
        start("curl -s localhost:$free/health"),
        ["force_terminate", { pid: "$pid" }],
      ],
    ],
    shell: [["node src/server.js $free & p=$!; until curl -s localhost:$free/health; do sleep 1; done; kill $p"]],
    check: (said, project) => said.includes(HEALTHY) && !project.isListening(project.freePort),
  },
  {
    name: "the sum of a column of a CSV file",
    kind: "command",
    ours: [[run(`awk -F, '{s+=$4}END{print s}' ${ORDERS}`)]],
    dc: [[start(`awk -F, '{s+=$4}END{print s}' ${at(ORDERS)}`)]],
    check: (said) => new RegExp(`\\b${SUM}\\b`).test(said),
  },
];

/** Tasks whose commands print much, because an agent does not know beforehand how much, or which part matters. */
const LARGE: readonly Task[] = [
  {
    name: "a test run of 2,000 lines: which tests fail, and why",
    kind: "large output",
    ours: [
      [run("node scripts/test.js")],
      [run("node scripts/test.js"), searchOurs("$handle", "^not ok", { after: 5 })],
      [run("node scripts/test.js"), ["linux_handle_read", { handle: "$handle", match: "^not ok", after: 5 }]],
    ],
    dc: [[start("cd $shop; node scripts/test.js")]],
    shell: [["node scripts/test.js | tail", "node scripts/test.js | grep -A5 '^not ok'"]],
    check: (said) =>
      shows(said, [`# fail ${FAILING.length}`, `# pass ${TEST_COUNT - FAILING.length}`]) &&
      FAILING.every((nth) => said.includes(`not ok ${nth} - `) && said.includes(`actual: ${nth * 3 + 1}`)),
  },
  {
    name: "a report of 5,000 lines, and what it says of one customer",
    kind: "large output",
    ours: [
      [run("node scripts/report.js"), searchOurs("$handle", CUSTOMER, { context_lines: 0 })],
      [run("node scripts/report.js"), ["linux_handle_read", { handle: "$handle", match: CUSTOMER }]],
    ],
    dc: [[start("cd $shop; node scripts/report.js")]],
    shell: [["node scripts/report.js | tee report.txt | tail", `grep ${CUSTOMER} report.txt`]],
    check: (said) =>
      said.includes(`${ORDER_ROWS.length} orders`) &&
      ORDERS_OF_ONE.every(({ id }) => new RegExp(`order ${id} +customer ${CUSTOMER}`).test(said)),
  },
];

export const EVERYDAY: readonly Task[] = [...READ, ...SEARCH, ...WRITE, ...COMMAND, ...LARGE];
