/** The ripgrep that npm installs beside the server, or null: it is optional, and not built for every machine. */
export async function packagedRipgrep(): Promise<string | null> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return null;
  }
}
