import type { Checkpoint } from './checkpoint.ts';
import type { NotesTemplate } from './template.ts';

/** What is known about the notes without reading them again. */
export interface NotesSnapshot {
  /** `loading`: not read yet; `unreadable`: see the event; `disabled`: whatever the file holds, it is not to be used. */
  readonly status: 'loading' | 'loaded' | 'unreadable' | 'disabled';
  readonly notes?: string | undefined;
  /** The newest one. */
  readonly checkpoint?: Checkpoint | undefined;
  /** The last logged message these very notes cover, where it is known. */
  readonly cursorId?: string | undefined;
  readonly template: NotesTemplate;
}
