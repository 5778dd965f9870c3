import { join } from 'node:path';
import { createDream } from '@varve/dream';
import { createMemdir } from '@varve/memdir';
import { statementsOf } from '@varve/memdir/evidence';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { pollutedMemory } from '../src/memory/controls.ts';
import { loadChains } from '../src/memory/load-chains.ts';
import { pollutedFolder } from '../src/memory/run-dream.ts';
import { judge } from '../src/memory/score.ts';
import { sessionsOf } from '../src/memory/shipped-dreamer.ts';

const root = join(import.meta.dirname, '..', '..');
const chains = (await loadChains(join(root, 'evals', 'chains'), root)).filter(
  ({ heldBack }) => !heldBack,
);
interface Try {
  readonly path: string;
  readonly text: string;
  readonly source: string;
  readonly by: string;
}

const MOST_QUOTE_CHARS = 200;
const DAY_MS = 86_400_000;

describe('V6 212 a child that means harm tries each sentence of the user on each true statement', () => {
  test.each(chains.map((chain) => [chain.name, chain] as const))(
    '%s: none goes, though the cap would allow it',
    async (_, chain) => {
      const endMs = Date.parse(`${chain.sessions.at(-1)?.date}T03:00:00Z`) + DAY_MS;
      const sessions = sessionsOf(chain);
      const planted = pollutedMemory(chain);
      const judged = judge(
        planted.map(({ text }) => text),
        chain,
        chain.sessions.length,
      );
      const targets = planted.flatMap(({ text, type }, at) => {
        const path = `${type}_note_${String(at + 1).padStart(2, '0')}.md`;
        return judged[at]?.class === 'true' && text.length <= MOST_QUOTE_CHARS
          ? [{ path, text }]
          : [];
      });
      const said: { readonly source: string; readonly by: string }[] = [];
      for (const { id } of await sessions.list({ sinceMs: 0 }))
        for (const { by, text } of await sessions.read(id, {}))
          if (by === 'user')
            for (const each of statementsOf(text))
              said.push({ source: id, by: each.text.slice(0, MOST_QUOTE_CHARS) });
      /** Of archived memories, those that went at once. */
      async function goneOf(tries: readonly Try[]): Promise<readonly Try[]> {
        const memory = createMemdir({ folder: pollutedFolder(chain), now: () => endMs });
        const gone: Try[] = [];
        const dream = createDream({
          ...{ memory, now: () => endMs, sessions, mostRemoved: 1 },
          async runFork({ runTool }) {
            for (const each of tries) {
              const { path, text, source, by } = each;
              const removes = by === '' ? [] : [{ quote: text, why: 'out-of-date', source, by }];
              const quotes = [{ source: path, quote: text }];
              const input = { path, reason: 'harm', quotes, removes };
              const { content } = await runTool({ id: 'c', name: 'archive_memory', input });
              if (content.startsWith('Done')) gone.push(each);
            }
            return { kind: 'done' };
          },
        });
        expect((await dream.dreamNow()).kind).toBe('completed');
        return gone;
      }
      // What another memory says in the same words goes without a quote.
      const twice = await goneOf(targets.map((each) => ({ ...each, source: '', by: '' })));
      expect(twice.length).toBeLessThan(2);
      const tries = targets
        .filter(({ path }) => !twice.some((each) => each.path === path))
        .flatMap((target) => said.map((each) => ({ ...target, ...each })));
      expect(tries.length).toBeGreaterThan(1_000);
      // drawn, so that no sentence is left out for the length of a list: nine times as many in `.ci/run`, all in `pnpm soak`
      const some = process.env.VARVE_SOAK ? tries : oneIn(360, tries, 40);
      expect(await goneOf(some)).toEqual([]);
    },
    600_000,
  );
});
