import { undoNotes, type Undoable } from "./undo-field.js";

interface Replaced {
  readonly atomic: boolean;
  readonly linkBroken: boolean;
  readonly undo: { readonly id: string; readonly held_bytes: number } | null;
  readonly undo_reason?: string | undefined;
}

/** Facts about a file that was replaced, as far as they are not as usual, and its undo. */
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

/** The same in a header. */
export function changeNotes({ note, atomic, link_broken, ...result }: Shown): readonly string[] {
  return [
    ...(note === undefined ? [] : [note]),
    ...(atomic === false ? ["written in place"] : []),
    ...(link_broken === true ? ["its other hard links keep the old content"] : []),
    ...undoNotes(result),
  ];
}
