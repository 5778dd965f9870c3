import { legalCuts, type Message, toolResults } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { acceptSummary } from '../../src/full/accept-summary.ts';
import { openMessages } from '../../src/full/open-messages.ts';
import { summaryInstruction } from '../../src/full/prompt.ts';
import { stripMedia } from '../../src/full/strip-media.ts';
import { compact, SUMMARY_PROMPT_VERSION } from '../../src/index.ts';
import { replied, round, type Said, said, turns } from './histories.ts';
import { FAILING, fakeModel, GOOD, reply } from './models.ts';

const sizeOf = (text: string) => text.length;
const LIMITS = { replacedTokens: 1_000, maxTokens: 500, minSavings: 0.1, sizeOf };

describe('summaryInstruction (C4)', () => {
  test('asks for a scratchpad first, then for nine sections, and forbids calls', () => {
    const text = summaryInstruction();
    expect(text.indexOf('<scratchpad>')).toBeLessThan(text.indexOf('<summary>'));
    expect(text.match(/^## \d\. /gm)?.length).toBe(9);
    expect(text).toContain('Call no tool');
  });

  test('holds the focus and the order to merge only where there is one', () => {
    expect(summaryInstruction({ focus: ' the parser \n' })).toContain(
      'special attention to this:\nthe parser\n',
    );
    expect(summaryInstruction({ focus: '  ' })).toBe(summaryInstruction());
    expect(summaryInstruction()).not.toContain('earlier summary');
    expect(summaryInstruction({ earlier: true })).toContain('earlier summary');
  });

  // Recorded summaries belong to a version: a change here makes them stale, which has to be meant.
  test('has a version that stands for its words', () => {
    expect(SUMMARY_PROMPT_VERSION).toMatchInlineSnapshot(`"945268e8f19f1a4e9f200a17127d120b"`);
  });
});

const tagged = (text: string) => reply(`<summary>${text}</summary>`);

describe('acceptSummary (C4, C7)', () => {
  test.each([
    {
      name: 'text between the tags',
      text: GOOD,
      is: '## 1. Request and intent\nGo on with the parser.',
    },
    {
      name: 'text beside a scratchpad',
      text: '<scratchpad>x</scratchpad><summary>Go on.</summary>',
      is: 'Go on.',
    },
    {
      name: 'as much as the bound',
      text: `<summary>${'x'.repeat(500)}</summary>`,
      is: 'x'.repeat(500),
    },
    {
      name: 'talk of an error',
      text: `<summary>Error handling was rewritten. ${'It works. '.repeat(9)}</summary>`,
      is: `Error handling was rewritten. ${'It works. '.repeat(9)}`.trim(),
    },
  ])('takes $name', ({ text, is }) => {
    expect(acceptSummary(reply(text), LIMITS)).toMatchObject({ kind: 'accepted', text: is });
  });

  test.each([
    { name: 'more than the bound', reply: tagged('x'.repeat(501)), reason: 'over-bound' },
    { name: 'too little saved', reply: tagged('x'.repeat(901)), reason: 'not-smaller' },
    { name: 'text without tags', reply: reply(' Go on. '), reason: 'no-structure' },
    { name: 'nothing', reply: reply(''), reason: 'empty-summary' },
    { name: 'blanks', reply: reply('<summary> \n</summary>'), reason: 'empty-summary' },
    { name: 'thinking', reply: FAILING['only thinking'] as never, reason: 'empty-summary' },
    { name: 'a scratchpad', reply: reply('<scratchpad>x</scratchpad>'), reason: 'empty-summary' },
    { name: 'half a scratchpad', reply: reply('<scratchpad>x'), reason: 'cut-summary' },
    { name: 'half a summary', reply: reply('<summary>x'), reason: 'cut-summary' },
    { name: 'a cut', reply: reply(GOOD, 'max_tokens'), reason: 'cut-summary' },
    { name: 'an aborted answer', reply: reply(GOOD, 'aborted'), reason: 'cut-summary' },
    { name: 'an unknown end', reply: reply(GOOD, 'unknown'), reason: 'cut-summary' },
    {
      name: 'a full window',
      reply: reply(GOOD, 'model_context_window_exceeded'),
      reason: 'prompt-too-long',
    },
    { name: 'a call', reply: FAILING['tool call'] as never, reason: 'tool-call' },
    { name: 'a refusal', reply: reply('No.', 'refusal'), reason: 'refused' },
    {
      name: 'an overflow told as text',
      reply: FAILING['an error text'] as never,
      reason: 'prompt-too-long',
    },
    {
      name: 'an error told as text',
      reply: FAILING['an API error text'] as never,
      reason: 'error-reply',
    },
  ])('refuses $name', ({ reply: answer, reason }) => {
    expect(acceptSummary(answer, LIMITS)).toEqual({ kind: 'refused', reason });
  });
});

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
const pdf = {
  type: 'document',
  title: 'Plan',
  source: { type: 'url', url: 'https://a.example/p' },
};

describe('stripMedia (C5)', () => {
  test('leaves a short text for every image and document, in results as well, and everything else as it is', () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 'c',
      content: [image, { type: 'text', text: 'Seen.' }],
    };
    const history = [
      said('Hello.'),
      { role: 'user' as const, content: [image, pdf] },
      { role: 'user' as const, content: [result] },
    ].map(toMessage);
    const stripped = stripMedia(history);
    expect(stripped[0]).toBe(history[0]);
    expect(stripped[1]?.content).toEqual([
      { type: 'text', text: '[image was here]' },
      { type: 'text', text: '[document "Plan" was here]' },
    ]);
    expect(toolResults(stripped[2] as Message)[0]?.content).toEqual([
      { type: 'text', text: '[image was here]' },
      { type: 'text', text: 'Seen.' },
    ]);
    expect(stripMedia(stripped)).toBe(stripped);
  });
});

describe('legalCuts behind a summary', () => {
  test.each([
    { name: 'nothing', history: [], cuts: [0] },
    { name: 'a question', history: [said('Hi.')], cuts: [0, 1] },
    { name: 'a turn', history: [said('Hi.'), ...round('a'), replied()], cuts: [0, 1, 3, 4] },
    { name: 'an open round', history: [said('Hi.'), ...round('a').slice(0, 1)], cuts: [0, 1] },
    {
      name: 'one reply in two messages',
      history: [said('Hi.'), replied('So.'), ...round('a')],
      cuts: [0, 1, 4],
    },
  ])('are before and behind the rounds of $name', ({ history, cuts }) => {
    expect(legalCuts(history.map(toMessage), { behindSummary: true })).toEqual(cuts);
  });
});

describe('openMessages', () => {
  const cut = {
    ...toMessage(replied('So far'), 9),
    response: { id: 'r', model: 'm', stopReason: 'max_tokens' as const },
  };
  test.each([
    { name: 'answered', history: turns(1), open: [] },
    { name: 'asked', history: [...turns(1), said('And?')], open: [6] },
    { name: 'in work', history: [said('Do.'), ...round('a'), ...round('b')], open: [0] },
    {
      name: 'asked twice in one loop',
      history: [said('Do.'), ...round('a'), said('Also.'), ...round('b')],
      open: [0, 3],
    },
  ])('are those of a conversation that is $name', ({ history, open }) => {
    expect(openMessages(history.map(toMessage))).toEqual(open);
  });

  test('are those whose answer was cut, and none that was injected', () => {
    const reminder: Message = { ...toMessage(said('Remember.'), 5), origin: { kind: 'reminder' } };
    expect(openMessages([toMessage(said('Do.'), 0), cut, reminder])).toEqual([0]);
  });
});

describe('compact (keepTokens)', () => {
  test.each([
    { keepTokens: 0, kept: 0 },
    { keepTokens: 1, kept: 1 },
    { keepTokens: 800, kept: 3 },
    { keepTokens: 1_000_000, kept: 23 },
  ])(
    'keeps whole rounds up to $keepTokens tokens, and one where any should stay',
    async ({ keepTokens, kept }) => {
      const result = await compact(turns(4), { ...fakeModel(reply(GOOD)), keepTokens });
      expect(result.messages.length - 1).toBe(kept);
    },
  );
});

// siblings looked for: a hook's text, a notice, a reminder in its tags without an origin
describe('compact: the thinking of an open turn (M331)', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
  const thoughtful = (id: string): Said[] => {
    const [call, result] = round(id, 50) as [Said, Said];
    return [{ ...call, content: [thinking, ...(call.content as [])] }, result];
  };

  test.each<[string, object]>([
    ['a hook', { ...said('Lint passed.'), origin: { kind: 'hook' } }],
    ['a reminder', { ...said('Job 7 ended.'), origin: { kind: 'reminder' } }],
    ['its tags', said('<system-reminder>Job 7 ended.</system-reminder>')],
  ])('stays whole on a model that wants it back, with %s in its loop', async (_name, machine) => {
    const loop = [said('Go on.'), ...thoughtful('x'), machine as Said, ...thoughtful('y')];
    const { messages } = await compact([...turns(6), ...loop], {
      ...fakeModel(reply(GOOD)),
      thinking: 'latest-turn',
      keepTokens: 500,
    });
    for (const message of loop) expect(messages).toContain(message);
  });
});

function toMessage({ role, content }: ReturnType<typeof said>, index: number): Message {
  return {
    id: `m${index}`,
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  };
}
