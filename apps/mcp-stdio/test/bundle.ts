import { rolldown } from "rolldown";
import config from "../../../rolldown.config.js";

/** Makes dist/main.js, which the tests start. Under turbo the bundle task has made it already. */
export default async function bundle(): Promise<void> {
  if (process.env["TURBO_HASH"] !== undefined) return;
  const { output, ...input } = config as { readonly output: object };
  const built = await rolldown(input);
  await built.write(output);
  await built.close();
}
