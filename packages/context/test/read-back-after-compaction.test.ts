import { describe, expect, test } from 'vitest';
import { compactingScene, fill, summarizer } from './compacting-support.ts';
import { earlyStorage, text } from './support.ts';

// Siblings looked for: a first and a second compaction, with and without `restore`, a tail that shows some of them.
describe('L315: what is stored is named behind a summary', () => {
  test.each([{ name: 'as it comes' }, { name: 'beside what the caller restores', restores: true }])(
    '$name',
    async ({ restores }) => {
      const storage = earlyStorage();
      const brought = {
        id: 'brought',
        role: 'user',
        content: [text('Brought back.')],
        origin: { kind: 'reminder', of: 'test' },
      } as const;
      const restore = async ({ messageId }: { messageId: string }) => ({
        messages: [{ ...brought, id: messageId }],
        restored: [],
      });
      const { context } = compactingScene(
        {
          summarize: summarizer().summarize,
          keepTokens: 0,
          percent: undefined,
          ...(restores && { restore }),
        },
        { storage, models: [] },
      );
      await context.user('Fix the parser.');
      for (let index = 0; index < 40; index++) await fill(context, `k${index}`, 9_000);
      for (const more of ['x', 'y']) {
        expect((await context.compact()).kind).toBe('compacted');
        const view = JSON.stringify(context.view().messages);
        const handles = storage.stored().map(({ handle }) => handle);
        const shown = handles.filter((handle) => view.includes(handle));
        expect(shown.length).toBeGreaterThanOrEqual(40);
        expect(view.includes('Brought back.')).toBe(restores === true);
        const { content, isError } = await storage.runReadTool({ handle: shown.at(-1) });
        expect(isError).toBe(false);
        expect(content.length).toBeGreaterThan(1_000);
        for (let index = 0; index < 9; index++) await fill(context, `${more}${index}`, 9_000);
      }
    },
  );
});
