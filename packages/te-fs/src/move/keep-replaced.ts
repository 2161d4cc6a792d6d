import { type Change, whoIs } from "@llmc/te-undo";
import { kindOf, hasCode, inFolder, link, type Steps, type TakenSpot, withEntry } from "@llmc/te-path";

/** Keeps what is about to be replaced: a file, a link, or a folder that is empty. It stays where it is until then. */
export function* keepReplaced(spot: TakenSpot, change: Change): Steps<void> {
  const { found, real: path } = spot;
  const kind = kindOf(found);
  if (kind === "file") {
    const before = yield* withEntry(spot, (entry) => change.keep(entry, found, { at: spot }));
    return change.note({ did: "deleted", path, before });
  }
  if (kind !== "folder") return yield* keepByName(spot, change);
  const { mode, uid, gid, mtimeNs } = found;
  const before = { mode: Number(mode & 0o7777n), uid: Number(uid), gid: Number(gid), mtimeNs: String(mtimeNs) };
  change.note({ did: "removed folder", path, before });
}

/** What has no content to keep gets a name in the journal. */
function* keepByName({ parent, name, found, real }: TakenSpot, change: Change): Steps<void> {
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
