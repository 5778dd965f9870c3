import { hostileText } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNotes } from '../src/check-notes.ts';
import { compactFromNotes, memoryNotes } from '../src/index.ts';
import { limitNotes } from '../src/limit-notes.ts';
import { mendNotes } from '../src/mend-notes.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { createTestMemory } from './support.ts';

const template = parseTemplate(DEFAULT_TEMPLATE);
const form = template.sections.flatMap(({ heading, guidance }) => [heading, guidance]);
const sizeOf = (text: string): number => Math.ceil(text.length / 4);

const pieces = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...form) },
  { weight: 2, arbitrary: hostileText() },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '# Mine',
      '## Mine',
      '```',
      '~~~~',
      '\ud83d',
      '\u0000',
      '',
      ' ',
      '#',
    ),
  },
);
const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '');
/** Anything a file of notes may hold, from hands and programs that know nothing of its form. */
const anyText = fc
  .array(fc.tuple(pieces, ends), { maxLength: 40 })
  .map((parts) => parts.flat().join(''));

/** Lines with what is no form of notes, as they come out at the other end. */
const ownLines = (text: string): string[] =>
  text
    .toWellFormed()
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(/^#+(?=\s|$)/, ''))
    .filter((line) => line !== '' && !form.some((own) => own.replace(/^# /, ' ') === line))
    .filter((line) => !form.includes(line));

describe('laws of any notes', () => {
  test('any text: in form once mended, and nothing of it is lost, neither there nor for the model', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const mended = mendNotes(text, template);
        expect(checkNotes(mended, mended, template)).toEqual([]);
        expect(mendNotes(mended, template)).toBe(mended);
        expect(mended.isWellFormed()).toBe(true);
        const limits = { template, sizeOf, sectionTokens: Infinity, totalTokens: Infinity };
        const { text: shown } = limitNotes(text, limits);
        for (const whole of [mended, shown]) {
          const left = ownLines(whole);
          for (const line of ownLines(text)) {
            const at = left.indexOf(line);
            expect(at, JSON.stringify(line)).toBeGreaterThanOrEqual(0);
            left.splice(at, 1);
          }
        }
      }),
    );
  });

  test('any text, any limits: a summary within them that a provider takes, or a reason', () => {
    const history = ['one', 'two', 'three', 'four'].map((content, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: content.repeat(4_000),
    }));
    const limit = fc.oneof(fc.nat(200), fc.constant(Infinity));
    fc.assert(
      fc.property(anyText, limit, limit, (notes, sectionTokens, totalTokens) => {
        const result = compactFromNotes(history, {
          ...{ notes, template, sectionTokens, totalTokens, cursorIndex: 3 },
          ...{ thresholdTokens: 1e9, thinking: 'free', textSize: sizeOf },
          sizeOf: ({ content }) => sizeOf(String(content)),
          tail: { minTokens: 0, minTextMessages: 0, maxTokens: 0 },
        });
        if (result.kind === 'none') {
          expect(['empty-template', 'still-too-large', 'not-smaller']).toContain(result.reason);
          return;
        }
        expect(result.summaryText.isWellFormed()).toBe(true);
        const notesText = result.summaryText.slice(result.summaryText.indexOf('\n\n') + 2);
        expect(notesText.trim()).not.toBe('');
        expect(sizeOf(notesText)).toBeLessThanOrEqual(totalTokens);
      }),
    );
  });

  test('any edits of a note taker: the file is in form, or as it was', async () => {
    const edits = fc.array(
      fc.record({
        old_string: fc.oneof(fc.constantFrom(...form, '\n', DEFAULT_TEMPLATE, '# '), hostileText()),
        new_string: fc
          .tuple(fc.constantFrom(...form, ''), anyText)
          .map(([own, text]) => own + text),
        replace_all: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    let extracted = 0;
    await fc.assert(
      fc.asyncProperty(fc.option(anyText, { nil: undefined }), edits, async (start, list) => {
        const file = memoryNotes('notes.md', start);
        let taken = 0;
        const { memory, log } = createTestMemory({
          file,
          async runFork({ runTool }) {
            for (const edit of list) {
              const call = { id: 'c', name: 'Edit', input: { path: 'notes.md', ...edit } };
              if (!runTool(call).isError) taken++;
            }
            return { kind: 'done' };
          },
        });
        log.user('one');
        const result = await memory.extractNow();
        const notes = await file.read();
        if (result.kind === 'failed') {
          expect([result.reason, notes]).toEqual(['no-edit', start]);
          expect(taken).toBe(0);
          return;
        }
        extracted++;
        expect(result).toMatchObject({ edits: taken, notes });
        expect(checkNotes(result.notes, result.notes, template)).toEqual([]);
        expect(result.notes.isWellFormed()).toBe(true);
      }),
    );
    const { numRuns = 100 } = fc.readConfigureGlobal();
    expect(extracted).toBeGreaterThan(numRuns / 50);
  });
});
