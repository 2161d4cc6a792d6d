export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedMetrics {
  readonly types: Readonly<Record<string, string>>;
  readonly samples: readonly Sample[];
}

const ESCAPES: Readonly<Record<string, string>> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

/** The text exposition format by its grammar: a line that breaks it throws. */
export function parsePrometheus(text: string): ParsedMetrics {
  const types: Record<string, string> = {};
  const samples: Sample[] = [];
  if (text !== "" && !text.endsWith("\n")) throw new SyntaxError("the last line has no end");
  for (const line of text.split("\n").slice(0, -1)) {
    const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) {
      const [, name = "", kind = ""] = type;
      if (name in types) throw new SyntaxError(`${name} has two types`);
      types[name] = kind;
    } else if (!/^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* .+$/.test(line)) samples.push(sampleOf(line));
  }
  return { types, samples };
}

function sampleOf(line: string): Sample {
  const parts = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+0-9.e]+|\+Inf|NaN)$/s.exec(line);
  if (parts === null) throw new SyntaxError(`no sample: ${JSON.stringify(line)}`);
  const [, name = "", list = "", value = ""] = parts;
  return { name, labels: labelsOf(list), value: Number(value) };
}

function labelsOf(list: string): Record<string, string> {
  const labels: Record<string, string> = {};
  const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/y;
  while (label.lastIndex < list.length) {
    const parts = label.exec(list);
    if (parts === null) throw new SyntaxError(`no labels: ${JSON.stringify(list)}`);
    const [, name = "", text = ""] = parts;
    if (name in labels) throw new SyntaxError(`the label ${name} stands there twice`);
    labels[name] = text.replaceAll(/\\[\\"n]/g, (escape) => ESCAPES[escape] ?? escape);
  }
  return labels;
}
