import type { ThinkingRule } from '@varve/messages';
import { NOTES_OPENING } from '@varve/messages/persons';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactFromNotes, createNotesCompaction } from '../src/index.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { createTestLog, notesWith, planContext, words } from './support.ts';

const textSize = (text: string): number => Math.ceil(text.length / 4);
/** What its texts have, so that a text has one size wherever it stands. */
const sizeOf = ({ content }: { readonly content: unknown }): number =>
  typeof content === 'string'
    ? textSize(content)
    : (content as readonly Readonly<Record<string, unknown>>[])
        .map(({ text, content: inner }) => textSize(String(text ?? inner ?? '')))
        .reduce((sum, size) => sum + size, 0);
const total = (messages: readonly { readonly content: unknown }[]): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

const LIMITS = {
  sectionTokens: 1e6,
  totalTokens: 1e6,
  tail: { minTokens: 0, minTextMessages: 0 },
};

const drawn = fc.record({
  rounds: fc.integer({ min: 1, max: 12 }),
  roundTokens: fc.constantFrom(30, 400, 3_000),
  notesTokens: fc.constantFrom(10, 900, 6_000, 30_000),
  overheadTokens: fc.constantFrom(0, 700, 20_000),
  minSavings: fc.constantFrom(0, 0.1, 0.5),
  /** Restored files, and what hooks say. */
  attached: fc.array(fc.constantFrom(5, 500, 10_000, 100_000), { maxLength: 4 }),
  /** Requests that were stopped, which the summary names. */
  stopped: fc.constantFrom(0, 1, 25),
  isOpen: fc.boolean(),
  thinking: fc.constantFrom<ThinkingRule>('free', 'latest-turn', 'prefix-bound'),
});

// Siblings looked for: attachments, texts of hooks, requests that stay or were stopped, thinking that goes, plain histories and logs
test('K302, law: notes that stand in leave at most before × (1 − minSavings), attachments and hook texts counted', async () => {
  const counts = { plain: 0, log: 0, 'with attachments': 0, 'with some left out': 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(drawn, async (given) => {
      const { overheadTokens, minSavings, thinking } = given;
      const notes = notesWith({ '# Task': words(given.notesTokens) });
      const attachments = given.attached.map((tokens, at) => ({
        id: `attached${at}`,
        role: 'user' as const,
        content: [{ type: 'text', text: words(tokens, 'hook') }],
        origin: { kind: 'reminder' as const },
      }));
      const planner = createNotesCompaction({
        memory: {
          observe: () => undefined,
          snapshot: () => ({
            status: 'loaded',
            notes,
            template: parseTemplate(DEFAULT_TEMPLATE),
            cursorId: log.view().messages.at(-1)?.sources.at(-1),
          }),
        },
        attachments: () => attachments,
        textSize,
        minSavings,
        ...LIMITS,
      });
      const log = createTestLog(planner.observe);
      for (let at = 0; at < given.stopped; at++) {
        log.user(`stop ${at} ${words(50)}`);
        log.message('user', [{ type: 'text', text: '[Request interrupted by user]' }]);
      }
      for (let at = 0; at <= given.rounds; at++) {
        log.user(`do ${at}`);
        log.round(words(given.roundTokens), thinking === 'free' ? undefined : `hm ${at}`);
        if (at < given.rounds || !given.isOpen) log.reply('done');
      }
      const { messages } = log.view();
      const before = total(messages) + overheadTokens;
      const most = before * (1 - minSavings);

      const plain = compactFromNotes(messages, {
        ...{ notes, template: DEFAULT_TEMPLATE, cursorIndex: messages.length - 1, thinking },
        ...{ sizeOf, textSize, minSavings, contextTokens: before, thresholdTokens: 1e9 },
        attachmentTokens: total(attachments),
        ...LIMITS,
      });
      if (plain.kind === 'none') counts.refused++;
      else {
        counts.plain++;
        expect(plain.tokensBefore).toBe(before);
        expect(plain.tokensAfter).toBeLessThanOrEqual(most);
        const real = total([...plain.messages, ...attachments]) + overheadTokens;
        expect(real).toBeLessThanOrEqual(plain.tokensAfter);
      }

      const limits = { windowTokens: 1e9, effectiveTokens: 1e9, autocompactTokens: 1e9 };
      const plan = planner.planManual(
        planContext({ sizeOf, thinking, contextTokens: before, limits }),
      );
      if (plan.kind === 'none') return;
      for (const edit of plan.edits)
        log.append({ type: 'edit', by: 'session-memory', reason: 't', edit });
      const after = log.view().messages;
      const shown = after.filter(({ id }) => id.startsWith('attached')).length;
      counts.log++;
      if (shown > 0) counts['with attachments']++;
      if (shown < attachments.length) counts['with some left out']++;
      expect(JSON.stringify(after)).toContain(NOTES_OPENING);
      expect(total(after) + overheadTokens).toBeLessThanOrEqual(most);
      expect(plan.receipt.tokensAfter).toBeLessThanOrEqual(most);
    }),
  );
  console.info(`K302: notes that stood in ${JSON.stringify(counts)}`);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});
