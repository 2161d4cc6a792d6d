import { undoNotes, type Undoable } from "./undo-field.js";

interface Replaced {
  readonly atomic: boolean;
  readonly linkBroken: boolean;
  readonly undo: { readonly id: string; readonly held_bytes: number } | null;
  readonly undo_reason?: string | undefined;
}

/** Returns the undo of a replaced file, and only the unusual facts about the file. */
export function changeFacts({ atomic, linkBroken, undo, undo_reason }: Replaced, isMade = true) {
  return {
    ...(isMade ? { undo } : {}),
    ...(undo_reason === undefined ? {} : { undo_reason }),
    ...(atomic ? {} : { atomic: false as const }),
    ...(linkBroken ? { link_broken: true as const } : {}),
  };
}

interface Shown extends Undoable {
  readonly note?: string | undefined;
  readonly atomic?: false | undefined;
  readonly link_broken?: true | undefined;
}

/** Returns the notes of a header for these facts. */
export function changeNotes({ note, atomic, link_broken, ...result }: Shown): readonly string[] {
  return [
    ...(note === undefined ? [] : [note]),
    ...(atomic === false ? ["written in place"] : []),
    ...(link_broken === true ? ["its other hard links keep the old content"] : []),
    ...undoNotes(result),
  ];
}
