export const CHANGED_MEANWHILE = "Somebody else changed the file since this session read it.";
