import { readFile } from "node:fs/promises";

const MAX_CHARS = 200;

/** Why bubblewrap could not make a cell, from what it printed and what the kernel says of itself. */
export async function whyMissing(
  printed: string,
  setting: (name: string) => Promise<string> = kernelSetting,
): Promise<string> {
  const line = (printed.split("\n")[0] ?? "").replace(/^bwrap: /, "");
  if (!/namespace|permission|permitted|denied/i.test(line)) return doesNotStart(line);
  if ((await setting("kernel/unprivileged_userns_clone")) === "0") return off("kernel.unprivileged_userns_clone = 0");
  if ((await setting("user/max_user_namespaces")) === "0") return off("user.max_user_namespaces = 0");
  if ((await setting("kernel/apparmor_restrict_unprivileged_userns")) === "1") {
    return "AppArmor keeps user namespaces from bubblewrap (kernel.apparmor_restrict_unprivileged_userns = 1)";
  }
  if (/namespace/i.test(line)) return "no namespace can be made here, as in most containers";
  return doesNotStart(line);
}

function off(name: string): string {
  return `user namespaces are switched off (${name})`;
}

function doesNotStart(line: string): string {
  const text = line.replaceAll(/\p{C}/gu, " ").slice(0, MAX_CHARS);
  return text === "" ? "bubblewrap does not start" : `bubblewrap does not start: ${text}`;
}

async function kernelSetting(name: string): Promise<string> {
  return readFile(`/proc/sys/${name}`, "latin1").then(
    (text) => text.trim(),
    () => "",
  );
}
