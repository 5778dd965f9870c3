import type { replacementsIn } from '@varve/messages/tools';
import { checkNotes, type NotesProblem } from './check-notes.ts';
import type { TextSize } from './limit-notes.ts';
import { readNoteEdit } from './note-edit.ts';
import { plainText } from './parse-notes.ts';
import type { ToolCall, ToolOutcome } from './run-fork.ts';
import type { NotesTemplate } from './template.ts';

/** Notes while somebody edits them. Each call takes effect wholly or not at all, and the text is valid all the time. */
export interface Draft {
  /** Runs an edit; what is wrong with one is said in its outcome, for the model to try again. */
  run(call: ToolCall): ToolOutcome;
  text(): string;
  /** How many calls took effect. */
  edits(): number;
  /** Takes no more edits. */
  close(): void;
}

export interface DraftOptions {
  /** The one path and the one tool an edit may name, whether or not the caller has asked before. */
  readonly path: string;
  readonly editTool: string;
  readonly template: NotesTemplate;
  readonly sizeOf: TextSize;
  /** Notes that are larger may not grow, in tokens. */
  readonly mostTokens: number;
}

export function createDraft(start: string, options: DraftOptions): Draft {
  let text = start;
  let edits = 0;
  let isClosed = false;
  const { path, editTool } = options;
  return {
    text: () => text,
    edits: () => edits,
    close() {
      isClosed = true;
    },
    run({ name, input }) {
      if (isClosed) return refusal('The notes are closed.');
      const edit = readNoteEdit(input);
      if (name !== editTool || edit?.path !== path) {
        return refusal(`Use ${editTool} on ${path}, with the old and the new text.`);
      }
      const next = replaceAll(text, edit.replacements);
      if (next.kind === 'refused') return refusal(next.why);
      const wrong = whatIsWrong(text, next.text, options);
      if (wrong !== undefined) return refusal(wrong);
      text = next.text;
      edits++;
      return { content: 'The notes are changed.', isError: false };
    },
  };
}

const refusal = (why: string): ToolOutcome => ({
  content: `Nothing was changed. ${why}`,
  isError: true,
});

type Replaced =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

function replaceAll(
  text: string,
  replacements: NonNullable<ReturnType<typeof replacementsIn>>,
): Replaced {
  let next = text;
  for (const { oldText, newText, all } of replacements) {
    const parts = oldText === '' ? [] : next.split(oldText);
    if (parts.length < 2) return { kind: 'refused', why: 'The old text does not stand there.' };
    if (parts.length > 2 && !all) {
      return { kind: 'refused', why: `The old text stands there ${parts.length - 1} times.` };
    }
    next = parts.join(newText);
  }
  return { kind: 'replaced', text: plainText(next) };
}

function whatIsWrong(old: string, text: string, options: DraftOptions): string | undefined {
  const { template, sizeOf, mostTokens } = options;
  if (text === old) return 'Old and new text are the same.';
  const problems = checkNotes(old, text, template);
  if (problems.length > 0) {
    return `Headings and the guidance lines under them have to stay as they are: ${problems.map(sayProblem).join('; ')}.`;
  }
  if (sizeOf(text) > mostTokens && sizeOf(text) > sizeOf(old)) {
    return 'The notes would be far too long. Condense what is there first.';
  }
  return undefined;
}

const SAID: Readonly<Record<NotesProblem['kind'], string>> = {
  'missing-heading': 'this heading would be gone',
  'repeated-heading': 'this heading would stand twice',
  'moved-heading': 'this heading would be out of order',
  'unknown-heading': 'this heading is none of the notes; use a lower level',
  'changed-guidance': 'the guidance under this heading would change',
  'text-before': 'text would stand before the first heading',
  emptied: 'all notes would be gone',
};

const sayProblem = ({ kind, heading }: NotesProblem): string =>
  heading === undefined ? SAID[kind] : `${SAID[kind]} (${heading})`;
