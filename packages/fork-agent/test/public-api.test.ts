import { describe, expect, expectTypeOf, test } from 'vitest';
import * as entry from '../src/index.ts';
import * as node from '../src/node/index.ts';

describe('the public surface', () => {
  test('of the entry is this list', () => {
    expect(Object.keys(entry).sort()).toEqual([
      'ForkError',
      'agentListMessage',
      'builtInAgents',
      'createAgent',
      'createFork',
      'createMailRouter',
      'createMailboxes',
      'createProgress',
      'drain',
      'fanOut',
      'forkNotification',
      'forkResultBlock',
      'isForkHistory',
      'mailBlocks',
      'mergeDefinitions',
      'onlyTools',
      'parseAgentDefinition',
      'parseAgentSettings',
      'parseMail',
      'planProgress',
      'toolsOf',
    ]);
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
