import type { Bytes } from "@llmc/names";
import type { Sink } from "./sink.js";

/** Reads what an engine prints that tells files and counts: `path NUL`, or `path NUL count newline`. */
export function byFile(
  sink: Sink,
  { counts, wayOf }: { readonly counts: boolean; readonly wayOf: (path: Bytes) => Bytes },
): (chunk: Buffer) => void | "stop" {
  let rest = "";
  const told = (path: Bytes, count: number): void | "stop" => {
    if (count === 0) return;
    sink.begin(wayOf(path));
    return sink.count(count);
  };
  return (chunk) => {
    rest += chunk.toString("latin1");
    let at = 0;
    for (;;) {
      const end = rest.indexOf("\0", at);
      const next = counts && end !== -1 ? rest.indexOf("\n", end) : end;
      if (next === -1) break;
      if (told(rest.slice(at, end), counts ? Number(rest.slice(end + 1, next)) : 1) === "stop") return "stop";
      at = next + 1;
    }
    rest = rest.slice(at);
  };
}
