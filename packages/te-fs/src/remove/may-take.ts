import { PermissionDeniedError } from "@llmc/errors";
import { toldAs, fstat, mayWrite, type Work, type ExistingTarget } from "@llmc/te-path";

const STICKY = 0o1000n;

/** Refuses what could not be taken out of its folder in the end, before anything in it is touched. */
export function* mayTake({ parent, found, shown }: ExistingTarget): Work<void> {
  yield* toldAs(shown, mayWrite(parent));
  const me = BigInt(process.geteuid?.() ?? 0);
  const folder = yield* fstat(parent);
  if (me === 0n || (folder.mode & STICKY) === 0n || folder.uid === me || found.uid === me) return;
  throw new PermissionDeniedError(shown, { hint: "Its folder is sticky: only its owner takes it out of there." });
}
