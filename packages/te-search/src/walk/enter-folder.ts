import {
  close,
  fstat,
  inFolder,
  open,
  type Descriptor,
  type Work,
  type Entered,
  FOLDER,
  type Scope,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Into a folder of one that is held, through no link; an error where the kernel talks or our own state lies. */
export function* enterFolder(scope: Scope, parent: Descriptor, name: Bytes, real: Bytes, shown: string): Work<Entered> {
  const mount = scope.mounts.network(real);
  const folder = yield* open(mount, inFolder(parent, name), FOLDER);
  try {
    const stat = yield* fstat(folder);
    yield* scope.forbidden.refuseFound(stat, mount, shown);
    return { folder, stat };
  } catch (thrown) {
    yield* close(folder);
    throw thrown;
  }
}
