import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentScreens, COLUMNS } from './screens/agent-screens.ts';
import { textOf, toSvg } from './screens/svg.ts';
import { hasTmux } from './tmux.ts';

/** Readers of a round end in any order; ids and times differ from run to run, and with them counts of tokens. */
const comparable = (text: string): string[] =>
  text
    .replace(/session \S+/, 'session ID')
    .replaceAll('<$', '$')
    .replace(/[\d.,]+(?: ?[KM])?\b/g, '#')
    .replace(/ +/g, ' ')
    .split('\n')
    .sort();

test.skipIf(!hasTmux)('the pictures of the README are what the terminal shows', async () => {
  for (const { name, title, shown } of await agentScreens()) {
    const picture = readFileSync(join(import.meta.dirname, '..', 'screens', `${name}.svg`), 'utf8');
    const fresh = toSvg(shown, { title, columns: COLUMNS });
    expect(comparable(textOf(picture))).toEqual(comparable(textOf(fresh)));
  }
});

test('a picture holds colours, columns and what XML would take for its own', () => {
  const svg = toSvg('\x1b[1;31ma<b\x1b[0m & \x1b[7mc\x1b[27m\x1b[38;5;196md', {
    title: 'x',
    columns: 20,
  });
  expect(svg).toContain('fill="#f2777a" font-weight="bold">a&lt;b</text>');
  expect(svg).toContain('fill="rgb(255,0,0)">d</text>');
  expect(textOf(svg)).toBe('a<b & cd');
});
