export { notesFile } from './notes-file.ts';
export { notesPath } from './notes-path.ts';
