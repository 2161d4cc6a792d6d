/** Opens a path without reading it; Node's constants lack this flag. Stands alone, because pipes and cells both use it. */
export const O_PATH = 0o10000000;
