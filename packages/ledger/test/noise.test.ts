import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { renderLedger } from '../src/index.ts';
import { bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const shown = (...messages: (Message | Message[])[]): string =>
  renderLedger(ledgerOf(...messages), { budgetTokens: 20_000, sizeOf }).text;

describe('L321, noise: what nobody who goes on would miss is no line, whatever room there is', () => {
  test('how a command ended: what fails stands with the errors', () => {
    const text = shown(says('Go.'), bash('deploy x', { result: 'fatal: no x', isError: true }));
    expect(text).not.toContain('## Commands');
    expect(text).toContain('- error: fatal: no x (deploy x): open');
  });

  test('a command that failed and passed in the end', () => {
    const fails = bash('run it', { result: 'fatal: no', isError: true });
    expect(shown(says('Go.'), fails, fails)).toContain('`run it`: failed 2 times');
    expect(shown(says('Go.'), fails, fails, bash('run it'))).not.toContain('run it');
  });

  test('what was done to the ninth file from the end; that it was changed stays', () => {
    const edit = (name: string) =>
      runs('Edit', {
        file_path: name,
        old_string: 'let a = 1;',
        new_string: `let ${name[0]} = 2;`,
      });
    const text = shown(says('Go.'), ...[...'abcdefghi'].map((name) => edit(`${name}.ts`)));
    expect(text).toContain('- a.ts: edited once');
    expect(text).not.toContain('- a.ts: `');
    expect(text).toContain('- b.ts: `let b = 2;`');
  });
});
