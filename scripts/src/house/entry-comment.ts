/** Whether a package's entry file begins with a comment; a `#!` line may stand before it. */
export function hasEntryComment(files: readonly { readonly path: string; readonly text: string }[]): boolean {
  return files.some(({ path, text }) => /^(?:index|main)\.ts$/.test(path) && /^(?:#!.*\n)?\s*\/[/*]/.test(text));
}
