// Files of the project in the everyday tasks: a small shop, the same in each run.
import { BUILD, REPORT, SERVER, SLOW_BUILD, TESTS } from "./programs.js";

const AREAS: Readonly<Record<string, string>> = {
  catalog: "category price product search stock",
  customers: "account address consent invoice-address login",
  orders: "cart checkout discount draft history invoice-lines status",
  payments: "card invoice payout refund retry",
  shipping: "carrier label parcel rates tracking",
};

/** Modules whose totals are money. */
const WITH_MONEY: ReadonlySet<string> = new Set(["cart", "checkout", "invoice", "payout", "price", "refund"]);

export const MODULES = Object.entries(AREAS).flatMap(([area, names]) =>
  names.split(" ").map((name) => `src/${area}/${name}.js`),
);

/** Returns the committed files by name. */
export function sources(): Map<string, string> {
  return new Map([
    ...MODULES.map((path) => [path, path === REFUND ? refund("total") : moduleOf(path)] as const),
    ["src/lib/money.js", MONEY],
    ["src/lib/http.js", HTTP],
    ["src/lib/log.js", LOG],
    [CONFIG, config()],
    ["src/server.js", SERVER],
    [LEDGER, ledger()],
    ["scripts/build.js", BUILD],
    ["scripts/report.js", REPORT],
    ["scripts/slow-build.js", SLOW_BUILD],
    ["scripts/test.js", TESTS],
    [ORDERS, orders()],
    ["README.md", README],
    ["package.json", PACKAGE],
    [".gitignore", "node_modules/\ndist/\nlogs/\n"],
  ]);
}

/** Returns work that is not committed. The build fails because of the first file. */
export function unfinished(): Map<string, string> {
  return new Map([
    [REFUND, refund("totl")],
    ["src/orders/status.js", moduleOf("src/orders/status.js").replace('?? "open"', '?? "new"')],
    [TODO, todo()],
  ]);
}

export const CONFIG = "src/config.js";
export const LEDGER = "src/payments/ledger.js";
export const ORDERS = "data/orders.csv";
export const REFUND = "src/payments/refund.js";
export const TODO = "notes/todo.md";

export function config(changed: Readonly<Record<string, string>> = {}): string {
  const values = {
    retries: "3",
    timeoutMs: "8_000",
    pageSize: "50",
    currency: '"EUR"',
    mailFrom: '"shop@example.org"',
  };
  const lines = Object.entries({ ...values, ...changed }).map(([name, value]) => `  ${name}: ${value},`);
  return [
    'import { warn } from "./lib/log.js";',
    "",
    "/** What an operator may set; each can come from the environment. */",
    "export const defaults = {",
    ...lines,
    "};",
    "",
    "export function settings(env) {",
    "  const found = { ...defaults };",
    "  for (const name of Object.keys(defaults)) {",
    "    const given = env[`SHOP_${name.toUpperCase()}`];",
    "    if (given === undefined) continue;",
    '    if (given === "") warn(`SHOP_${name.toUpperCase()} is empty`);',
    "    else found[name] = given;",
    "  }",
    "  return found;",
    "}",
    "",
  ].join("\n");
}

export function moduleOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1, -3);
  const type = name.replaceAll(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
  const money = WITH_MONEY.has(name);
  return [
    'import { request } from "../lib/http.js";',
    'import { warn } from "../lib/log.js";',
    ...(money ? ['import { parseMoney } from "../lib/money.js";'] : []),
    "",
    `const PATH = "/${name}";`,
    "",
    `/** Loads one ${name} by its id. */`,
    `export async function load${type}(client, id) {`,
    `  const response = await request(client, \`\${PATH}/\${id}\`);`,
    `  if (!response.ok) throw new Error(\`${name} \${id}: \${response.status}\`);`,
    `  return parse${type}(await response.json());`,
    "}",
    "",
    `export function parse${type}(body) {`,
    `  if (body.id === undefined) warn("${name} without an id");`,
    "  return {",
    "    id: body.id,",
    '    state: body.state ?? "open",',
    ...(money ? ["    total: parseMoney(body.total),"] : []),
    "    changed: new Date(body.changed),",
    "  };",
    "}",
    "",
    `export async function save${type}(client, value) {`,
    '  const response = await request(client, PATH, { method: "POST", body: JSON.stringify(value) });',
    `  if (response.status !== 201) throw new Error(\`${name} was not saved: \${response.status}\`);`,
    "}",
    "",
  ].join("\n");
}

export const APPLY_REFUND = [
  "export function applyRefund(order, payments, amount) {",
  "  const paid = payments.reduce((sum, payment) => sum + payment.cents, 0);",
  "  const open = total(order) - paid;",
  "  if (amount > paid) throw new RangeError(`refund of ${amount} is more than the ${paid} paid`);",
  "  const fee = order.express ? 250 : 0;",
  "  return {",
  "    orderId: order.id,",
  "    cents: amount - fee,",
  "    open: open + amount,",
  '    state: amount === paid ? "refunded" : "partly refunded",',
  "  };",
  "}",
];

/** Returns the refund module, which imports `total` as that name; the build passes only for the exported name. */
function refund(total: string): string {
  const lines = moduleOf(REFUND).replace("import { parseMoney }", `import { parseMoney, ${total} }`);
  return `${lines}\n${APPLY_REFUND.join("\n").replace("total(order)", `${total}(order)`)}\n`;
}

/** Makes 1,200 lines without duplicates. */
export function ledger(): string {
  const entries = Array.from({ length: 120 }, (_, nth) => {
    const id = String(nth).padStart(3, "0");
    return [
      `/** Books what account ${id} owes at the end of a month. */`,
      `export function book${id}(journal, month) {`,
      `  const entries = journal.filter((entry) => entry.account === "${id}" && entry.month === month);`,
      `  const debit${id} = entries.reduce((sum, entry) => sum + entry.debit, 0);`,
      `  const credit${id} = entries.reduce((sum, entry) => sum + entry.credit, 0);`,
      `  if (debit${id} === credit${id}) return null;`,
      `  const side = debit${id} > credit${id} ? "debit" : "credit";`,
      `  return { account: "${id}", month, side, cents: Math.abs(debit${id} - credit${id}) };`,
      "}",
      "",
    ].join("\n");
  });
  return `${entries.join("\n")}\n`;
}

export interface Order {
  readonly id: number;
  readonly customer: string;
  readonly country: string;
  readonly cents: number;
}

export const ORDER_ROWS: readonly Order[] = Array.from({ length: 5000 }, (_, nth) => ({
  id: 10_000 + nth,
  customer: `c-${4000 + ((nth * 7919) % 1250)}`,
  country: ["DE", "SE", "FR", "PL", "IT"][(nth * 31) % 5] as string,
  cents: 500 + ((nth * 48_271) % 19_000),
}));

function orders(): string {
  const rows = ORDER_ROWS.map(({ id, customer, country, cents }) => `${id},${customer},${country},${cents}`);
  return `id,customer,country,cents\n${rows.join("\n")}\n`;
}

export function todo(): string {
  const things = [
    "ask the bank why payouts of a Friday arrive on Tuesday",
    "parcels of more than 30 kg need a second label",
    "the search shows products that are sold out",
    "customers in Poland want to pay by BLIK",
    "write down who may see an invoice address",
    "retry a card after the bank's own pause, not ours",
    "the history of an order should name who changed it",
    "consent has to be asked for again after a year",
  ];
  return `# To do\n\n${things.map((thing) => `- [ ] ${thing}`).join("\n")}\n`;
}

const MONEY = `/** Cents of an amount such as "12.50" or "1,299.00". */
export function parseMoney(text) {
  const [whole, part = "00"] = String(text).replaceAll(",", "").split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0").slice(0, 2));
}

export function total(order) {
  return order.lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}
`;

const HTTP = `const BASE = "http://127.0.0.1:8080";

export async function request(client, path, options = {}) {
  return client.fetch(BASE + path, { ...options, headers: { accept: "application/json" } });
}
`;

const LOG = `export function warn(message) {
  process.stderr.write(message + "\\n");
}
`;

const README = `# shop

Orders, payments and parcels of a small shop. \`node scripts/build.js\` checks it, \`node scripts/test.js\`
tests it, \`node src/server.js PORT\` serves it.
`;

const PACKAGE = `{
  "name": "shop",
  "version": "1.4.0",
  "private": true,
  "type": "module"
}
`;
