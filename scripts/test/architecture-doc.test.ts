import { expect, test } from "vitest";
import { readSources } from "../src/house/sources.js";
import { architectureDoc } from "../src/map/architecture-doc.js";
import { replaceMarked } from "../src/map/marked.js";
import { packageGraph } from "../src/map/package-graph.js";
import { madeUpTree } from "./support/made-up-tree.js";

const graph = (sources: Readonly<Record<string, string>>) => packageGraph(readSources(madeUpTree(sources)));

const CHAIN = {
  "packages/low/src/index.ts": "export {};\n",
  "packages/mid-dle/src/index.ts": 'import "@llmc/low";\n',
  "packages/high/src/a/one.ts": 'import type { T } from "@llmc/low";\nimport "@llmc/mid-dle";\n',
  "packages/high/src/index.ts": 'import "./a/one.js";\nimport "@llmc/zod-like";\nimport "zod";\n',
};

test("the graph has a layer for each package and leaves out arrows that a longer way makes", () => {
  expect(graph(CHAIN).map(({ name, layer, over }) => [name, layer, over])).toEqual([
    ["low", 0, []],
    ["mid-dle", 1, ["low"]],
    ["high", 2, ["mid-dle"]],
  ]);
});

test("the graph shows what is imported, not what package.json declares", () => {
  const manifest = JSON.stringify({
    name: "@llmc/high",
    description: "x",
    dependencies: { "@llmc/low": "workspace:*" },
  });
  const rooms = graph({
    "packages/low/src/index.ts": "export {};\n",
    "packages/high/src/index.ts": "export {};\n",
    "packages/high/package.json": manifest,
  });

  expect(rooms.map(({ layer }) => layer)).toEqual([0, 0]);
});

const WRITTEN = `# Title

By hand.

<!-- map: generated -->
old
<!-- /map -->

Between.

<!-- rooms: generated -->
<!-- /rooms -->

At the end.
`;

test("the document keeps what is written by hand and gets the map and the rooms as they are", () => {
  const document = architectureDoc(WRITTEN, graph(CHAIN), { high: ["root.ts", "a", "b"] });

  expect(document).toBe(`# Title

By hand.

<!-- map: generated -->

\`\`\`mermaid
flowchart TD
  subgraph layer2["layer 2"]
    high["high<br/>The high."]
  end
  subgraph layer1["layer 1"]
    mid_dle["mid-dle<br/>The mid-dle."]
  end
  subgraph layer0["layer 0"]
    low["low<br/>The low."]
  end
  high --> mid_dle
  mid_dle --> low
\`\`\`

<!-- /map -->

Between.

<!-- rooms: generated -->

- [low](../packages/low/README.md), layer 0. The low.
- [mid-dle](../packages/mid-dle/README.md), layer 1. The mid-dle.
- [high](../packages/high/README.md), layer 2. The high. Folders, lowest first: \`a/\`, \`b/\`.

<!-- /rooms -->

At the end.
`);
  expect(architectureDoc(document, graph(CHAIN), { high: ["root.ts", "a", "b"] })).toBe(document);
});

test.for([
  ["no start", "<!-- /map -->"],
  ["no end", "<!-- map: generated -->"],
  ["the end first", "<!-- /map --><!-- map: generated -->"],
  ["two of them", "<!-- map: generated --><!-- /map --><!-- map: generated --><!-- /map -->"],
] as const)("a document with %s is refused: its text could be lost", ([, document]) => {
  expect(() => replaceMarked(document, "map", "new")).toThrow('needs one "<!-- map: generated -->"');
});
