import type { Fact, FactType } from '../fact.ts';
import type { Root } from './root.ts';

/** One line, or one message, of the rendered ledger. */
export interface Row {
  readonly section: FactType | 'pin';
  readonly text: string;
  /** The fact stands there whole. */
  readonly whole: boolean;
  /** The lowest goes first where room is short; infinite ones never go. */
  readonly rank: number;
  readonly position: number;
  readonly fact?: Fact;
  /** What stands in its place where there is no room for it. */
  readonly short?: string;
  /** The text with this share of its words left, from above 0 to below 1. */
  readonly cutTo?: (share: number) => string;
}

const TITLES: readonly (readonly [Row['section'], string])[] = [
  ['pin', 'Pinned'],
  ['rule', 'Rules and corrections of the user, word for word'],
  ['user-message', 'Messages of the user, oldest first'],
  ['choice', 'Choices of the user'],
  ['standing', 'Where the work stands'],
  ['said', 'Said by the assistant, oldest first'],
  ['todo', 'Todo list'],
  ['background-task', 'Background tasks'],
  ['effect', 'Done outside the working folder'],
  ['test-status', 'Checks, latest run'],
  ['failure', 'Why they fail, in lines of their output'],
  ['error', 'Errors'],
  ['failed-approach', 'Tried without success'],
  ['file', 'Files changed'],
  ['edit', 'What the last edits did'],
  ['file-read', 'Files read'],
  ['command', 'Commands, latest outcome'],
  ['literal', 'Values'],
  ['skill', 'Skills loaded'],
];

/** What frames the rows. */
export interface Frame {
  readonly root: Root;
  readonly originals: string | undefined;
}

/** Writes rows under the headings of their sections, in the order they came up; empty where there are none. */
export function writeSections(rows: readonly Row[], { root, originals }: Frame): string {
  const parts = TITLES.flatMap(([section, title]) => {
    const own = rows.filter((row) => row.section === section);
    if (own.length === 0) return [];
    const texts = own.toSorted((left, right) => left.position - right.position);
    const joint = section === 'pin' ? '\n\n' : '\n';
    return [`## ${title}${noteOf(section, root)}\n${texts.map(({ text }) => text).join(joint)}`];
  });
  const cut = rows.some(({ whole }) => !whole);
  if (cut && originals !== undefined) parts.push(`Whole conversation: ${originals}`);
  return parts.join('\n\n');
}

function noteOf(section: Row['section'], root: Root): string {
  const paths = section === 'file' || section === 'file-read';
  return paths && root.path !== '' ? ` (under ${root.path})` : '';
}
