/** In the order in which they run: what makes the measuring process large comes last. */
export const GROUP_NAMES = [
  "start",
  "idle",
  "noop",
  "overhead",
  "read",
  "files",
  "search",
  "processes",
  "commands",
  "envelope",
  "system",
  "http",
  "tokens",
  "tasks",
] as const;
export type GroupName = (typeof GROUP_NAMES)[number];
