import { quote } from "./wrapper.js";

/** The program in a terminal that `script` (util-linux) makes for it; its exit code is the program's. */
export function terminalWords(
  argv: readonly string[],
  { cols, rows }: { readonly cols: number; readonly rows: number },
): [string, ...string[]] {
  const line = `stty cols ${cols} rows ${rows} 2>/dev/null; exec ${argv.map(quote).join(" ")}`;
  return ["/usr/bin/script", "-qefc", line, "/dev/null"];
}
