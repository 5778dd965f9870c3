/** For `writeFile`, `appendFile` and the like: a file that is made is readable for its owner only, whatever the umask. */
export const PRIVATE_FILE = { mode: 0o600 } as const;

/** For `mkdir`: the folders that are made, those on the way too, are open to their owner only. */
export const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;
