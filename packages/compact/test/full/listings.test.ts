import type { Message, Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { compact, type Summarize } from '../../src/index.ts';

const LIST = '- paint: paints a picture of what it is told\n'.repeat(400);
const ANNOUNCED = `<skill-listing>\n${LIST}</skill-listing>`;

/** A list that the agent put in front, and rounds of work. */
function history(origin: Message['origin'], list: string): Message[] {
  const listed = { id: 'l', role: 'user', content: [{ type: 'text', text: list }] } as const;
  const rounds = Array.from({ length: 20 }, (_, n): Message[] => [
    {
      id: `a${n}`,
      role: 'assistant',
      content: [{ type: 'tool_use', id: `c${n}`, name: 'Read', input: { file_path: `${n}.ts` } }],
    },
    {
      id: `r${n}`,
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `c${n}`, content: 'words of a file '.repeat(20) },
      ],
    },
  ]);
  const asked: Message = { id: 'u', role: 'user', content: [{ type: 'text', text: 'Read all.' }] };
  return [{ ...listed, ...(origin && { origin }) }, asked, ...rounds.flat()];
}

async function shown(messages: readonly Message[], windowTokens: number): Promise<string> {
  const requests: Request[] = [];
  const summarize: Summarize = async (request) => {
    requests.push(request);
    return {
      content: [{ type: 'text', text: '<summary>All was read.</summary>' }],
      stopReason: 'end_turn',
    };
  };
  const head = { model: 'claude-opus-5-5' };
  const done = await compact(messages, { head, windowTokens, maxOutputTokens: 2_000, summarize });
  expect(done.kind).toBe('compacted');
  expect(requests).toHaveLength(1);
  return JSON.stringify(requests[0]?.messages);
}

describe('lists that are announced again (C5)', () => {
  const origins: readonly [string, Message['origin'], string][] = [
    ['restored', { kind: 'reminder', of: 'compaction' }, ANNOUNCED],
    [
      'in a reminder of an agent',
      { kind: 'reminder' },
      `<system-reminder>\n${ANNOUNCED}\n</system-reminder>`,
    ],
    ['imported', { kind: 'reminder', attachment: 'skill_listing' }, LIST],
  ];
  test.each(origins)(
    '%s: give way first where the request is too long',
    async (_, origin, list) => {
      const messages = history(origin, list);
      const small = await shown(messages, 12_000);
      expect(small).not.toContain('paints a picture');
      expect(small).toContain('A list that is announced again');
      expect(small).toContain('"file_path":"0.ts"');
      expect(small).not.toContain('older messages are left out');
    },
  );

  test.each(origins)(
    '%s: stay where there is room, so that the cache is read',
    async (_, origin, list) => {
      const messages = history(origin, list);
      const large = await shown(messages, 200_000);
      expect(large.startsWith(JSON.stringify(messages).slice(0, -1))).toBe(true);
    },
  );

  test('what a person pasted is no list of the agent', async () => {
    const pasted = await shown(history(undefined, ANNOUNCED), 12_000).catch(String);
    expect(pasted).not.toContain('A list that is announced again');
  });
});
