// What other writers of memory build with: a file taken apart and put together, what its path and its links mean, its words, its secrets, and how its names are printed.
export { readCommandLine } from './command-line.ts';
export { ageOf } from './freshness.ts';
export { formatText, MEMORY_TYPES, parseText } from './header.ts';
export { hashOf } from './memory-file.ts';
export { isDailyLog, isOfTeam } from './path.ts';
export { printable } from './printable.ts';
export { kindsOf, withoutSecrets } from './secrets.ts';
export { linkKey, relink } from './wiki-links.ts';
export { createWordReader } from './words.ts';
