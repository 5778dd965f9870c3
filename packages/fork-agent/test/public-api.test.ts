import { describe, expect, expectTypeOf, test } from 'vitest';
import * as definitions from '../src/definitions.ts';
import * as handBack from '../src/hand-back.ts';
import * as entry from '../src/index.ts';
import * as mail from '../src/mail.ts';
import * as node from '../src/node/index.ts';
import * as progress from '../src/progress.ts';

describe('the public surface', () => {
  test('of the entry is this list', () => {
    expect(Object.keys(entry).sort()).toEqual([
      'ForkError',
      'createFork',
      'createWarmUp',
      'fanOut',
    ]);
  });

  test('of ./hand-back is this list', () => {
    expect(Object.keys(handBack).sort()).toEqual(['forkNotification', 'forkResultBlock']);
  });

  test('of ./definitions, ./mail and ./progress is this list', () => {
    expect(Object.keys(definitions).sort()).toEqual([
      'agentListMessage',
      'builtInAgents',
      'createAgent',
      'mergeDefinitions',
      'onlyTools',
      'parseAgentDefinition',
      'parseAgentSettings',
      'toolsOf',
    ]);
    expect(Object.keys(mail).sort()).toEqual(['createMailRouter', 'createMailboxes', 'mailBlocks']);
    expect(Object.keys(progress)).toEqual(['createProgress']);
  });

  test('of ./node is this list', () => {
    expect(Object.keys(node).sort()).toEqual(['fileMailboxes']);
  });

  test('error codes are these', () => {
    expectTypeOf<entry.ForkError['code']>().toEqualTypeOf<
      | 'bad-mail'
      | 'bound-thinking'
      | 'cold-prefix'
      | 'empty-parent'
      | 'inbox-locked'
      | 'inbox-lost'
      | 'mailbox-failed'
      | 'message-too-large'
      | 'nested-fork'
      | 'open-round'
    >();
    const error = new entry.ForkError('open-round', 'text', { cause: 1 });
    expect(entry.ForkError.is(error)).toBe(true);
    expect(entry.ForkError.is(new Error('text'))).toBe(false);
    expect(error).toMatchObject({ code: 'open-round', name: 'ForkError', cause: 1 });
  });
});
