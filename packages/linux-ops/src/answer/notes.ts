export const CHANGED_MEANWHILE = "Another program changed the file since this session read it.";

/** Notes an encoding other than UTF-8 that a write kept, such as `windows-1252, kept`. */
export function keptNote(encoding: string | undefined): readonly string[] {
  return encoding === undefined || encoding === "utf-8" ? [] : [`${encoding}, kept`];
}
