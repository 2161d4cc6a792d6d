/** A call that failed because of what it was made on, not because this process has run out of something. */
export function isFileError(thrown: unknown): boolean {
  const { code = "", syscall } = thrown as NodeJS.ErrnoException;
  return syscall !== undefined && !["EMFILE", "ENFILE", "ENOMEM"].includes(code);
}
