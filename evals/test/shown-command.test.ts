import { describe, expect, test } from 'vitest';
import { shownCommand } from '../src/report/shown-command.ts';

describe('shownCommand', () => {
  test.each<[readonly string[], readonly string[]]>([
    [[], []],
    [
      ['--sessions', 'mine', 'yours'],
      ['--sessions', 'mine', 'yours'],
    ],
    [
      ['--json', '--ttl', '1h'],
      ['--ttl', '1h'],
    ],
    [['--jobs', '4', '--ttl=1h'], ['--ttl=1h']],
    [['--jobs=4', '--out=a,b', '--peers'], ['--peers']],
    [
      ['--out', '/home/somebody/results', '--strategy', 'layers'],
      ['--strategy', 'layers'],
    ],
    [
      ['--sessions', '/home/somebody/sessions/'],
      ['--sessions', '…/sessions'],
    ],
    [['--sessions=/home/somebody/one.jsonl'], ['--sessions=…/one.jsonl']],
    [
      ['--strategy', 'keep-all,/home/somebody/own.ts,./other.ts'],
      ['--strategy', 'keep-all,…/own.ts,./other.ts'],
    ],
  ])('%j: %j', (args, shown) => {
    expect(shownCommand(args)).toEqual(shown);
  });
});
