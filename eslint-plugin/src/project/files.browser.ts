/** Where there is no file system, nothing is known of the project. */
export const readText = (): null => null;
export const changedAt = (): null => null;
export const foldersAbove = (): [] => [];
