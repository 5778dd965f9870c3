import { parseEntry, project, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createMicrocompact, explainClearing, microcompact } from '../src/index.ts';
import {
  history,
  outputsOf,
  type Round,
  replied,
  round,
  rounds,
  said,
  textOf,
  watched,
} from './build.ts';
import { contextFor, editsOf, receiptOf } from './working-log.ts';

const CLASSIC = { preset: 'classic', thinkingRule: 'free' } as const;

describe('microcompact', () => {
  test('case 36: every call keeps its result and every result its call', () => {
    const messages = history(rounds(40));
    const { messages: cleared } = microcompact(messages, CLASSIC);
    const idsOf = (field: string) =>
      cleared
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap((block) => block[field] ?? []);
    expect(idsOf('tool_use_id')).toEqual(idsOf('id'));
    expect(idsOf('id')).toHaveLength(40);
  });

  test('case 39: 50 turns with one id are 50 results, and the old ones are cleared by where they stand', () => {
    const messages = history(rounds(50, { id: 'k0' }));
    const { messages: cleared } = microcompact(messages, CLASSIC);
    const outputs = outputsOf(cleared);
    expect(outputs).toHaveLength(50);
    expect(outputs.slice(47)).toEqual(outputsOf(messages).slice(47));
    expect(new Set(outputs.slice(0, 47)).size).toBe(1);
  });

  test('case 45: thinking of an open turn stays block for block, that of a closed one stays or goes whole', () => {
    const closed = history(rounds(30, { thinking: 'closed' }));
    const open = rounds(3, { thinking: 'open' }).flatMap((one, index) => round(70 + index, one));
    const messages = [...closed, replied(), said(), ...open];
    for (const thinkingRule of ['free', 'latest-turn', 'prefix-bound'] as const) {
      const options = { ...CLASSIC, thinkingRule, thinking: true, count: { candidateTokens: 1 } };
      const { messages: cleared, receipt } = microcompact(messages, options);
      expect(cleared.slice(closed.length + 2).filter(({ role }) => role === 'assistant')).toEqual(
        open.filter(({ role }) => role === 'assistant'),
      );
      expect([0, 30]).toContain(receipt.droppedThinking);
    }
  });

  test('case 49: nothing is cut, so no half of a pair is left', () => {
    const emoji = '\u{1F600}'.repeat(9_000);
    const messages = history(
      rounds(9, { name: 'Write', input: { content: emoji, path: `${emoji}.ts` }, output: emoji }),
    );
    const { messages: cleared, savedTokens } = microcompact(messages, {
      ...CLASSIC,
      inputTokens: 100,
    });
    expect(savedTokens).toBeGreaterThan(0);
    for (const text of stringsIn(cleared)) expect(text.isWellFormed()).toBe(true);
  });

  test('case 79: twenty requests change the prefix at most three times, and what is cleared stays so after a restart', () => {
    const planner = createMicrocompact({ preset: 'classic' });
    const log = watched(planner, [said('Fix it.')]);
    let breaks = 0;
    for (let index = 0; index < 20; index++) {
      const before = log.view.messages;
      for (const message of round(index, { output: textOf(3_000, index) })) log.say(message);
      expect(log.view.messages.slice(0, before.length)).toEqual(before);
      const edits = editsOf(planner.plan(contextFor(log.view)));
      breaks += edits.length;
      const clearedBefore = outputsOf(log.view.messages).filter(isShort);
      for (const edit of edits) log.edit(edit);
      expect(outputsOf(log.view.messages).slice(0, clearedBefore.length)).toEqual(clearedBefore);
    }
    expect(breaks).toBeGreaterThan(0);
    expect(breaks).toBeLessThanOrEqual(3);
    const loaded = log.entries.map((entry) => parseEntry(serializeEntry(entry)));
    expect(JSON.stringify(project(loaded).messages)).toBe(JSON.stringify(log.view.messages));
  });

  test('case 94: no escape of a cleared output is left in what takes its place', () => {
    const output = `\u001b[?1049h\u001b]0;title\u0007\u001b[31m${textOf(3_000)}\u009b0m`;
    const { messages } = microcompact(history(rounds(20, { output })), CLASSIC);
    for (const text of outputsOf(messages).slice(0, 17)) expect(text).toMatch(/^[\x20-\x7e]+$/);
  });

  test('case 99: what was cleared is reported, so that a read cache forgets it; nothing points at what is gone', () => {
    const all = [{ input: { file_path: './src/f.ts' } }, ...rounds(30)];
    const { messages, receipt } = microcompact(history(all), CLASSIC);
    expect(receipt.paths).toContain('src/f.ts');
    expect(outputsOf(messages)[0]).not.toMatch(/above|earlier|previous/i);
    expect(outputsOf(messages)[0]).toContain('Run the tool again');
  });

  test('case 100: sixty tiny results stay; large ones go oldest first', () => {
    const tiny = history(rounds(60, { output: textOf(50) }));
    expect(microcompact(tiny, CLASSIC).messages).toBe(tiny);
    const large = history(rounds(60, { output: textOf(3_000) }));
    const { cleared } = microcompact(large, { ...CLASSIC, keepRecent: 5 });
    expect(cleared.map(({ toolUseId }) => toolUseId)).toEqual(
      Array.from({ length: 55 }, (_, index) => `call-${index}`),
    );
  });

  test('case 100: a call that is repeated after its output was cleared is not cleared again', () => {
    const repeated: Round = { name: 'Bash', input: { command: 'git log' }, output: textOf(9_000) };
    const planner = createMicrocompact({ preset: 'classic' });
    const log = watched(planner, history([repeated, ...rounds(20)]));
    for (const edit of editsOf(planner.plan(contextFor(log.view)))) log.edit(edit);
    for (const message of round(60, repeated)) log.say(message);
    for (let index = 70; index < 100; index++) for (const message of round(index)) log.say(message);
    const plan = planner.plan(contextFor(log.view));
    expect(receiptOf(plan)?.clearedToolUseIds).toContain('call-70');
    expect(receiptOf(plan)?.clearedToolUseIds).not.toContain('call-60');
    expect(
      planner.explain(contextFor(log.view)).find(({ toolUseId }) => toolUseId === 'call-60')
        ?.reason,
    ).toBe('repeated-call');
  });

  test('case 101: what was read from memory stays; an ordinary file of the same age goes', () => {
    const memory = {
      input: { file_path: '/home/me/memory/tests.md' },
      output: `The word is FERN-9. ${textOf(3_000)}`,
    };
    const all = [{}, memory, ...rounds(20)];
    const { messages } = microcompact(history(all), { ...CLASSIC, keepRecent: 1 });
    const outputs = outputsOf(messages);
    expect(outputs[0]).not.toContain('word 7');
    expect(outputs[1]).toContain('FERN-9');
  });

  test.each(['cat', 'sed -n 1,80p'])(
    'case 101: what %s read from memory in a shell stays',
    (program) => {
      const command = `cd /home/me && ${program} memory/tests.md`;
      const memory = { name: 'Bash', input: { command }, output: `FERN-9 ${textOf(3_000)}` };
      const all = [{ ...memory, input: { command: 'cat notes.md' } }, memory, ...rounds(20)];
      const options = { ...CLASSIC, keepRecent: 1 };
      const outputs = outputsOf(microcompact(history(all), options).messages);
      expect(outputs[0]).not.toContain('FERN-9');
      expect(outputs[1]).toContain('FERN-9');
      expect(explainClearing(history(all), options)[1]?.reason).toBe('protected-path');
    },
  );
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const isShort = (output: unknown): boolean => String(output).length < 200;
