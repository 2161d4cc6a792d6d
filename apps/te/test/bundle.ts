import { rolldown } from "rolldown";
import config from "../../../rolldown.config.js";

/** Makes the executable that the tests start, as the bundle task does, in a folder of its own. */
export default async function bundle(): Promise<void> {
  const { output, ...input } = config;
  const built = await rolldown(input);
  await built.write({ ...output, dir: ".reports/bundle" });
  await built.close();
}
