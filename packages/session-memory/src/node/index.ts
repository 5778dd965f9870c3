export { type NotesFileOnDiskOptions, notesFile } from './notes-file.ts';
export { type NotesPathOptions, notesPath } from './notes-path.ts';
