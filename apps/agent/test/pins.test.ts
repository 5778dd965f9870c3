import { expect, test } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import { definitionOf } from '../src/tools/tool.ts';

test('A2: definitions of tools are frozen: a changed byte is a lost cache for everybody', () => {
  expect(TOOLS.map(definitionOf)).toMatchSnapshot();
  expect(JSON.stringify(TOOLS.map(definitionOf)).length).toMatchSnapshot();
});
