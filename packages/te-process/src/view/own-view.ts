import type { Process, UserName } from "@llmc/procfs";
import { commandText, nameText } from "./command-text.js";

export interface ViewOptions {
  /** The server's effective user: whose processes are "own". */
  readonly uid: number;
  /** Whether other users' processes are shown with their arguments. */
  readonly listOtherUsers: boolean;
  readonly userName: UserName;
}

/** Who sees what of whose processes. */
export interface View {
  isOwn(process: Pick<Process, "uid">): boolean;
  /** Whether a list shows it at all. */
  isListed(process: Pick<Process, "uid">): boolean;
  /** The command line; of another user's process only its name, unless the operator opens it. */
  command(process: Process): string;
  user(uid: number | null): string;
}

export function viewOf({ uid, listOtherUsers, userName }: ViewOptions): View {
  // Arguments are kept from one reading to the next; so is what they are shown as.
  const texts = new WeakMap<readonly string[], string>();
  const textOf = (argv: readonly string[]): string => {
    const text = texts.get(argv) ?? commandText(argv);
    texts.set(argv, text);
    return text;
  };
  const isOwn = (process: Pick<Process, "uid">): boolean => process.uid === uid;
  const isListed = (process: Pick<Process, "uid">): boolean => listOtherUsers || isOwn(process);
  return {
    isOwn,
    isListed,
    command(process) {
      const { argv, comm } = process;
      // What has no arguments (kernel threads, zombies) is shown as ps does.
      return argv === null || argv.length === 0 || !isListed(process) ? `[${nameText(comm)}]` : textOf(argv);
    },
    user: (of) => (of === null ? "?" : (userName(of) ?? String(of))),
  };
}
