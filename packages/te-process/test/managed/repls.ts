/** Input of a REPL, and the marks that it prints; the echo of the input does not contain these marks. */
export interface Statement {
  readonly lines: readonly string[];
  readonly said: readonly string[];
}

type Make = (mark: string) => Statement;

export interface Repl {
  readonly program: string;
  readonly command: string;
  /** True if the REPL prints its prompt without a terminal. */
  readonly hasPipePrompt: boolean;
  /** True if the REPL does not evaluate several lines in order. */
  readonly isUnordered?: boolean;
  readonly statements: Readonly<Record<string, Make>>;
  /** Statements whose end only the kernel can tell. */
  readonly tricky: Readonly<Record<string, Make>>;
  /** Statements whose end cannot be told if other lines are sent with them. */
  readonly alone?: Readonly<Record<string, Make>>;
}

/** Splits a mark such as `m12x` in two. */
function halves(mark: string): [string, string] {
  return [mark.slice(0, 1), mark.slice(1)];
}

function one(line: (a: string, b: string) => string): Make {
  return (mark) => ({ lines: [line(...halves(mark))], said: [mark] });
}

function thrice(...lines: readonly string[]): Make {
  return (mark) => {
    const [a, b] = halves(mark);
    return {
      lines: lines.map((line) => line.replaceAll("A", a).replaceAll("B", b)),
      said: [0, 1, 2].map((at) => `${mark}${at}`),
    };
  };
}

const silent =
  (...lines: readonly string[]): Make =>
  () => ({ lines, said: [] });

export const REPLS: readonly Repl[] = [
  {
    program: "python3",
    command: "python3 -i",
    hasPipePrompt: true,
    statements: {
      quick: one((a, b) => `print("${a}" + "${b}")`),
      slow: one((a, b) => `import time; time.sleep(0.4); print("${a}" + "${b}")`),
      silent: silent("x = 1"),
      sleeping: silent("import time; time.sleep(0.35)"),
      loop: thrice("import time", "for i in range(3):", `    print("A" + "B" + str(i)); time.sleep(0.15)`, ""),
      failing: silent("1 / 0"),
    },
    tricky: {
      "prints a prompt": one(
        (a, b) => `import time; print(">>> ", end="", flush=True); time.sleep(0.4); print("${a}" + "${b}")`,
      ),
      "prints a line of prompts": one(
        (a, b) => `import time; print(">>> >>> ... >>> "); time.sleep(0.4); print("${a}" + "${b}")`,
      ),
      "ends no line": one((a, b) => `print("${a}" + "${b}", end="")`),
      "another prompt": silent(`import sys, time; sys.ps1 = "py> "`),
    },
  },
  {
    program: "node",
    command: "node -i",
    hasPipePrompt: true,
    isUnordered: true,
    statements: {
      quick: one((a, b) => `"${a}" + "${b}"`),
      slow: one((a, b) => `await new Promise((done) => setTimeout(() => done("${a}" + "${b}"), 400))`),
      busy: one((a, b) => `{ const end = Date.now() + 350; while (Date.now() < end); "${a}" + "${b}" }`),
      silent: silent("1"),
      loop: thrice(
        `for (let i = 0; i < 3; i += 1) { console.log("A" + "B" + i); await new Promise((done) => setTimeout(done, 150)); }`,
      ),
      "a function": one((a, b) => ["(function f() {", `return "${a}" + "${b}"; })()`].join(" ")),
    },
    tricky: {},
    alone: { "a line of a prompt": one((a, b) => `console.log("> "), "${a}" + "${b}"`) },
  },
  {
    program: "bash",
    command: "bash --norc -i",
    hasPipePrompt: true,
    statements: {
      quick: one((a, b) => `echo ${a}""${b}`),
      slow: one((a, b) => `sleep 0.4; echo ${a}""${b}`),
      silent: silent("x=1"),
      loop: thrice("for i in 0 1 2; do", `echo A""B$i; sleep 0.15`, "done"),
    },
    tricky: {
      "prints a prompt": one((a, b) => `printf 'bash# '; sleep 0.4; echo ${a}""${b}`),
      "ends no line": one((a, b) => `printf %s ${a}""${b}`),
      "another prompt": silent("PS1='next: '"),
    },
  },
  {
    program: "sqlite3",
    command: "sqlite3 -interactive",
    hasPipePrompt: true,
    statements: {
      quick: one((a, b) => `select '${a}' || '${b}';`),
      slow: one(
        (a, b) =>
          `with recursive c(x) as (select 1 union all select x + 1 from c where x < 900000) select '${a}' || '${b}' from c where x = 900000;`,
      ),
      "of two lines": (mark) => {
        const [a, b] = halves(mark);
        return { lines: [`select '${a}' ||`, `'${b}';`], said: [mark] };
      },
    },
    tricky: {},
  },
  {
    program: "irb",
    command: "irb -f",
    hasPipePrompt: false,
    statements: {
      quick: one((a, b) => `puts "${a}" + "${b}"`),
      slow: one((a, b) => `sleep 0.4; puts "${a}" + "${b}"`),
      loop: thrice(`3.times { |i| puts "A" + "B" + i.to_s; sleep 0.15 }`),
    },
    tricky: { "prints a prompt": one((a, b) => `print "irb(main):001:0> "; sleep 0.4; puts "${a}" + "${b}"`) },
  },
];

export function psql(folder: string): Repl {
  return {
    program: "psql",
    command: `psql -X -h ${folder} -U test postgres`,
    hasPipePrompt: false,
    statements: {
      quick: one((a, b) => `select '${a}' || '${b}';`),
      slow: one((a, b) => `select '${a}' || '${b}' from pg_sleep(0.4);`),
      sleeping: silent("do $$ begin perform pg_sleep(0.35); end $$;"),
      "of three lines": (mark) => {
        const [a, b] = halves(mark);
        return { lines: ["select", `'${a}' ||`, `'${b}';`], said: [mark] };
      },
      "in a transaction": one((a, b) => `begin; select '${a}' || '${b}'; commit;`),
    },
    tricky: { "another prompt": silent("\\set PROMPT1 'sql: '") },
  };
}
