import type { OpsError } from "@llmc/errors";
import { compileGlob } from "../../src/glob/glob.js";

/** What a caller is told about a glob that is not taken. */
export function refusal(glob: string): { code: string; message: string; hint: string | undefined } | undefined {
  try {
    compileGlob(glob);
    return undefined;
  } catch (thrown) {
    const { code, message, hint } = thrown as OpsError;
    return { code, message, hint };
  }
}
