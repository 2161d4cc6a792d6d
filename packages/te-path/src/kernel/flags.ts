import { constants } from "node:fs";

// NONBLOCK: a FIFO that is put there meanwhile, or a lease, must not make us wait.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Only for what is known to be a file, through the descriptor that says so. */
export const READ_FILE = READ;
export const READ_FOLDER = READ | constants.O_DIRECTORY;
/** Opens a folder by its name in the one above; fails on a link. */
export const READ_NAMED_FOLDER = READ_FOLDER | constants.O_NOFOLLOW;
/** Opens a name that was listed as a file; fails on a symlink that replaced the file. */
export const READ_NAME = READ | constants.O_NOFOLLOW;
