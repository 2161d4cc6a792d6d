import {
  close,
  fstat,
  inFolder,
  open,
  type Descriptor,
  type Steps,
  type Entered,
  FOLDER,
  type Tree,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Into a folder of one that is held, through no link; an error where the kernel talks or our own state lies. */
export function* enterFolder(tree: Tree, parent: Descriptor, name: Bytes, real: Bytes, shown: string): Steps<Entered> {
  const mount = tree.mounts.network(real);
  const folder = yield* open(mount, inFolder(parent, name), FOLDER);
  try {
    const stat = yield* fstat(folder);
    yield* tree.closed.refuseFound(stat, mount, shown);
    return { folder, stat };
  } catch (thrown) {
    yield* close(folder);
    throw thrown;
  }
}
