import type { Entry, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { EditNeed } from '../src/fidelity/fidelity-schema.ts';
import { editNeeds } from '../src/fidelity/foresight/edit-needs.ts';
import { foresightOf } from '../src/fidelity/foresight/foresight.ts';
import { edit, read, type Step, threadOf } from './sessions.ts';

const names = { session: 'test', project: 0 };
const line = 'const parserValue_3 = compute_parser(3);';
const other = (at: number): Step => read(`src/other-${at}.ts`, `const otherValue_${at} = ${at};`);
const before: readonly Step[] = [
  { user: 'Change the parser.' },
  read('src/parser.ts', `${line}\nconst parserValue_4 = compute_parser(4);`),
  other(1),
];

/** What was said before is replaced by a summary, and then the session goes on. */
function compacted(after: readonly Step[], summary = 'The parser was read.'): readonly Entry[] {
  const { entries } = threadOf([...before, ...after]);
  const count = threadOf(before).entries.length;
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const content = [{ type: 'text' as const, text: summary }];
  const with_: Message = { id: 'summary', role: 'user', origin: { kind: 'summary' }, content };
  const [from, to] = [messages[0], messages[count - 1]] as [Message, Message];
  const compaction: Entry = {
    ...{ id: 'c', at: '2026-06-01T10:00:00Z', type: 'edit', by: 'import' },
    reason: 'recorded-compaction',
    edit: { kind: 'replace-span', fromId: from.id, toId: to.id, with: [with_], then: [] },
  };
  return [...entries.slice(0, count), compaction, ...entries.slice(count)];
}

const change = edit('src/parser.ts', line);
const again = read('src/parser.ts', line);
const shell = (command: string): Step => ({ call: ['Bash', { command }], result: line });

describe('editNeeds (EVALS 5.6)', () => {
  test.each([
    ['an edit alone', [change], [{ lost: 1, readAgain: false }]],
    ['a file that is read first', [again, change], [{ lost: 1, readAgain: true }]],
    [
      'one that a command shows',
      [shell('cat src/parser.ts'), change],
      [{ lost: 1, readAgain: true }],
    ],
    ['one that is read afterwards', [change, again], [{ lost: 1, readAgain: false }]],
    ['another file that is read', [other(2), change], [{ lost: 1, readAgain: false }]],
    ['the first edit of each file', [change, change], [{ lost: 1, readAgain: false }]],
    ['nothing that is edited', [again], []],
    ['a file that nobody touched before', [edit('src/new-file.ts', line)], []],
    ['nothing at all', [], []],
  ])('%s', (_, after, expected) => {
    const needs = editNeeds({ entries: compacted(after) }, { names });
    expect(needs.map(({ lost, readAgain }) => ({ lost, readAgain }))).toEqual(expected);
    for (const need of needs) expect(need).toMatchObject({ kind: 'compaction', session: 'test' });
  });

  test('what the summary says is not lost', () => {
    const [need] = editNeeds(
      { entries: compacted([change], `src/parser.ts holds\n${line}`) },
      { names },
    );
    expect(need?.lost).toBe(0);
  });

  test('more than 24 calls later it no longer counts', () => {
    const many = Array.from({ length: 24 }, (_, at) => other(at));
    const kinds = editNeeds({ entries: compacted([...many, change]) }, { names });
    expect(kinds.filter(({ kind }) => kind === 'compaction')).toEqual([]);
  });

  test('other places of the session are held against it, and none where nothing was compacted', () => {
    const many = Array.from({ length: 60 }, (_, at) => other(at));
    const steps = [...many, again, ...many.slice(0, 30), change, { say: 'Done.' }];
    const kinds = editNeeds({ entries: compacted(steps) }, { names }).map(({ kind }) => kind);
    expect(kinds).toContain('other');
    expect(editNeeds(threadOf([...before, ...steps]), { names })).toEqual([]);
  });
});

describe('foresightOf', () => {
  const need = (kind: EditNeed['kind'], lost: number, readAgain: boolean): EditNeed => ({
    ...{ ...names, kind, lost, readAgain, place: 1 },
  });

  test('who reads again what is lost, and only that, is foreseen', () => {
    const needs = [
      need('compaction', 1, true),
      need('compaction', 0.2, false),
      need('other', 0, false),
    ];
    expect(foresightOf(needs)).toMatchObject({
      ...{ compactions: 1, edits: 2, lost: 0.6, readAgain: 0.5, auc: 1, aucWithUsual: 1 },
      ...{ usualEdits: 1, usualReadAgain: 0, differenceLow: 0.5, differenceHigh: 0.5 },
    });
  });

  test.each([
    ['the other way round', [need('compaction', 0, true), need('compaction', 1, false)], 0],
    ['all alike', [need('compaction', 1, true), need('compaction', 1, false)], 0.5],
    ['nobody reads again', [need('compaction', 1, false)], null],
  ])('%s', (_, needs, auc) => {
    expect(foresightOf(needs)?.auc).toBe(auc);
  });

  test('without compactions there is nothing to say', () => {
    expect(foresightOf([])).toBeNull();
    expect(foresightOf([need('other', 0, true)])).toBeNull();
  });
});
