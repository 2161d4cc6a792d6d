import { readFileSync } from "node:fs";

/** The home of every local account; accounts from a directory service come in through the options. */
export function passwdHomes(file = "/etc/passwd"): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // Slim containers have none; the server user's home is known without it.
    return [];
  }
  return text
    .split("\n")
    .map((line) => line.split(":")[5] ?? "")
    .filter((home) => home.startsWith("/") && !home.includes("\0"));
}
