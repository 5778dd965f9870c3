import { assistant, call, result, system, text, user } from './build.ts';

export const png = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
};

export const history = [
  user('hi'),
  system('be brief'),
  assistant('let me', 'look', call('a', { path: 'x' }), call('b')),
  user(result('a', 'text'), result('b', [text('one'), text('two')]), 'and?', png),
  assistant('done'),
];

/** Kinds with their places, as `kind@message.block`. */
export const listed = (
  losses: readonly { kind: string; messageIndex: number; blockIndex?: number }[],
) =>
  losses.map(
    ({ kind, messageIndex, blockIndex }) =>
      `${kind}@${[messageIndex, blockIndex].filter((part) => part !== undefined).join('.')}`,
  );
