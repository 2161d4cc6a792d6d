export const CHANGED_MEANWHILE = "Another program changed the file since this session read it.";
