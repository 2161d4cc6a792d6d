// Programs of the project in the everyday tasks.

/** Prints each module, then each import of a name that its module does not export. */
export const BUILD = `import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const modules = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".js")).sort();
const problems = [];
for (const [nth, name] of modules.entries()) {
  const path = join("src", name);
  console.log(\`[\${nth + 1}/\${modules.length}] \${path}\`);
  for (const [at, line] of readFileSync(path, "utf8").split("\\n").entries()) {
    const [, names, from] = /^import { (.*) } from "(\\..*)";$/.exec(line) ?? [];
    if (names === undefined) continue;
    const exported = readFileSync(join(dirname(path), from), "utf8");
    for (const each of names.split(", ")) {
      if (new RegExp(\`export .*\\\\b\${each}\\\\b\`).test(exported)) continue;
      problems.push(\`\${path}:\${at + 1}: error: "\${each}" is not exported by "\${from}"\\n  \${line}\`);
    }
  }
}
for (const problem of problems) console.error(problem);
console.error(\`build: \${problems.length} errors in \${modules.length} modules\`);
process.exitCode = problems.length > 0 ? 1 : 0;
`;

export const TEST_COUNT = 2000;
/** Numbers of the tests that fail. */
export const FAILING = [733, 1458];

/** Prints a line for each test, and place and cause of each failure. */
export const TESTS = `const failing = ${JSON.stringify(FAILING)};
const areas = ["catalog", "customers", "orders", "payments", "shipping"];
const what = ["loads by id", "refuses an empty body", "keeps the state", "saves and loads again"];
console.log("TAP version 14");
for (let nth = 1; nth <= ${TEST_COUNT}; nth++) {
  const title = \`\${nth} - \${areas[nth % 5]}: \${what[nth % 4]} (case \${nth % 97})\`;
  if (!failing.includes(nth)) {
    console.log("ok " + title);
    continue;
  }
  console.log("not ok " + title);
  console.log(\`  ---\\n  at: test/\${areas[nth % 5]}.test.js:\${nth % 300}\\n  expected: \${nth * 3}\\n  actual: \${nth * 3 + 1}\\n  ...\`);
}
console.log("1..${TEST_COUNT}\\n# pass ${TEST_COUNT - FAILING.length}\\n# fail ${FAILING.length}");
process.exitCode = 1;
`;

/** Prints the orders as a table of 5,000 lines. */
export const REPORT = `import { readFileSync } from "node:fs";

const [, ...rows] = readFileSync("data/orders.csv", "utf8").trim().split("\\n");
for (const row of rows) {
  const [id, customer, country, cents] = row.split(",");
  console.log(\`order \${id}  customer \${customer}  \${country}  \${(cents / 100).toFixed(2).padStart(8)} EUR\`);
}
console.log(\`\${rows.length} orders\`);
`;

/** Takes as many seconds as its argument says, in eighty steps. */
export const SLOW_BUILD = `const seconds = Number(process.argv[2]);
for (let step = 1; step <= 80; step++) {
  await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 80));
  console.log(\`step \${step} of 80\`);
}
console.log("build finished");
`;

export const HEALTHY = "healthy since the start";

/** Listens only a moment after its start. */
export const SERVER = `import { createServer } from "node:http";

const port = Number(process.argv[2] ?? 8080);
const server = createServer((request, response) => {
  response.statusCode = request.url === "/health" ? 200 : 404;
  response.end(request.url === "/health" ? "${HEALTHY}\\n" : "not found\\n");
});
setTimeout(() => server.listen(port, "127.0.0.1", () => console.log("listening on port " + port)), 700);
`;
