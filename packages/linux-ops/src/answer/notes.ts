export const CHANGED_MEANWHILE = "Another program changed the file since this session read it.";

/** `windows-1252, kept`: what was written is in the encoding of the file, where that is not UTF-8. */
export function keptNote(encoding: string | undefined): readonly string[] {
  return encoding === undefined || encoding === "utf-8" ? [] : [`${encoding}, kept`];
}
