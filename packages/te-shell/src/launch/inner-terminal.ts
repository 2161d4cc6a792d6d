import { accessSync, constants } from "node:fs";
import { EngineUnavailableError } from "@llmc/errors";
import { quote } from "../limits/wrapper.js";

const SCRIPT = "/usr/bin/script";

/** Throws where no terminal can be made for the program. */
export function demandScript(): void {
  try {
    accessSync(SCRIPT, constants.X_OK);
  } catch {
    throw new EngineUnavailableError("A terminal", `there is no ${SCRIPT}, which makes it`, { id: "without-terminal" });
  }
}

/** The program in a terminal that `script` (util-linux) makes for it; its exit code is the program's. */
export function terminalWords(
  argv: readonly string[],
  { cols, rows }: { readonly cols: number; readonly rows: number },
): [string, ...string[]] {
  const line = `stty cols ${cols} rows ${rows} 2>/dev/null; exec ${argv.map(quote).join(" ")}`;
  return [SCRIPT, "-qefc", line, "/dev/null"];
}
