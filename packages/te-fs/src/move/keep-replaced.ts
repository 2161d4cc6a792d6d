import { type Change, whoIs } from "@llmc/te-undo";
import { kindOf, hasCode, inFolder, link, type Work, type ExistingTarget, withEntry } from "@llmc/te-path";

/** Keeps what is about to be replaced: a file, a link, or a folder that is empty. It stays where it is until then. */
export function* keepReplaced(target: ExistingTarget, change: Change): Work<void> {
  const { found, real: path } = target;
  const kind = kindOf(found);
  if (kind === "file") {
    const before = yield* withEntry(target, (entry) => change.keep(entry, found, { at: target }));
    return change.note({ did: "deleted", path, before });
  }
  if (kind !== "folder") return yield* keepByName(target, change);
  const { mode, uid, gid, mtimeNs } = found;
  const before = { mode: Number(mode & 0o7777n), uid: Number(uid), gid: Number(gid), mtimeNs: String(mtimeNs) };
  change.note({ did: "removed folder", path, before });
}

/** What has no content to keep gets a name in the journal. */
function* keepByName({ parent, name, found, real }: ExistingTarget, change: Change): Work<void> {
  const place = yield* change.placeFor(0);
  if (place === null) return;
  change.note({ did: "removed", path: real, kept: place.kept, who: whoIs(found) });
  try {
    yield* link(parent.mount, inFolder(parent, name), place.path);
  } catch (thrown) {
    if (!hasCode(thrown, "EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw thrown;
    change.strike();
    change.giveUp(`the ${kindOf(found)} that was replaced could not be kept`);
  }
}
