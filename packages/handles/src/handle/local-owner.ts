/** Owner of the handles that this user makes on this machine, so that every program of the user reads them. */
export function localOwner(): string {
  return `user:${process.getuid?.() ?? 0}`;
}
