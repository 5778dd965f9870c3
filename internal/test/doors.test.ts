import { describe, expect, test } from 'vitest';
import { doorProblems, exportedValues, importedNames } from '../src/checks/doors.ts';

describe('what an entry exports', () => {
  test('is each value by its public name, and no type', () => {
    const source = `// export { comment } from './a.ts';
export { one, type Two, three as four } from './a.ts';
export type { Five } from './b.ts';
export {
  six,
} from './c.ts';
export async function seven() {}
export const eight = 8;
export class NineError {}
export interface Ten {}
`;
    expect(exportedValues(source)).toEqual(['one', 'four', 'six', 'seven', 'eight', 'NineError']);
  });
});

describe('what a file imports', () => {
  test('is named by package, entry and name, in code and in examples of a page', () => {
    const source = `import { one, two as other } from '@varve/tokens';
import {
  three,
} from '@varve/messages/tools';
import { four } from './four.ts';
`;
    const names = ['@varve/tokens one', '@varve/tokens two', '@varve/messages/tools three'];
    expect(importedNames(source)).toEqual(names);
    expect(importedNames(`# Page\n\n\`\`\`ts\n${source}\`\`\`\n`)).toEqual(names);
  });
});

describe('a name of an entry', () => {
  const door = { name: '@varve/tokens one', pack: 'tokens' };
  const problems = (files: readonly string[], kept: Record<string, string> = {}) =>
    doorProblems([door], new Map([[door.name, files]]), kept);

  test.each([
    [['packages/context/src/a.ts']],
    [['packages/context/test/a.test.ts']],
    [['packages/tokens/examples/readme.ts']],
    [['packages/tokens/test/a.test.ts', 'evals/src/a.ts']],
  ])('used by %j stays', (files) => {
    expect(problems(files)).toEqual([]);
  });

  test.each([[[]], [['packages/tokens/test/a.test.ts']]])('used by %j goes', (files) => {
    expect(problems(files)).toEqual([expect.stringContaining('@varve/tokens one')]);
    expect(problems(files, { [door.name]: 'T1' })).toEqual([]);
  });

  test('that is kept for a reason leaves the list with its first user, or with its entry', () => {
    expect(problems(['evals/src/a.ts'], { [door.name]: 'T1' })).toEqual([
      expect.stringContaining('has a user now'),
    ]);
    expect(problems(['evals/src/a.ts'], { '@varve/tokens gone': 'T1' })).toEqual([
      expect.stringContaining('is on no entry'),
    ]);
  });

  test('an error class is for whoever catches it', () => {
    expect(
      doorProblems([{ name: '@varve/tokens TokensError', pack: 'tokens' }], new Map(), {}),
    ).toEqual([]);
  });
});
