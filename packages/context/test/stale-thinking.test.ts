import type { Head } from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { createStaleThinkingDropper } from '../src/drop-stale-thinking.ts';
import { createKeeper, type Keeper } from '../src/keeper.ts';
import { createModelFacts } from '../src/model-facts.ts';
import { doorsOf } from '../src/redact-entry.ts';
import { BOUND, LATEST, OPENAI, text, thinking } from './support.ts';

const AT = '2026-01-31T12:00:00.000Z';

/** Other heads and edits again and again: how often the log was walked for them. */
function walksOf(model: string, thought: readonly ReturnType<typeof thinking>[]) {
  let walks = 0;
  const facts = createModelFacts({ model })(model);
  const basics = { now: () => 0, tell: () => undefined };
  const stale = createStaleThinkingDropper({
    ...basics,
    facts: () => facts,
    keeper: new Proxy({} as Keeper, {
      get(_, name) {
        if (name === 'entries') walks++;
        return keeper[name as keyof Keeper];
      },
    }),
  });
  const keeper = createKeeper({
    ...{ model, layers: [], doors: doorsOf(false), tell: () => undefined },
    observe: stale.observe,
  });
  for (let at = 0; at < 10; at++) {
    const head: Head = { id: `h${at}`, model, system: [], tools: [], params: { at } };
    keeper.append({ type: 'head', head }, AT);
    const question = { role: 'user', content: [text(`Question ${at}.`)] } as const;
    const answer = { role: 'assistant', content: [...thought, text('Answer.')] } as const;
    keeper.add([question, answer], { at: AT, code: 'malformed-message' });
    stale.drop();
  }
  return walks;
}

// siblings looked for: `free` and `latest-turn` models with and without thinking, a binding model without any
describe('thinking that nothing binds costs no walk through the log', () => {
  test.each([
    [OPENAI, [thinking('s')]],
    [LATEST, [thinking('s')]],
    [LATEST, []],
    [BOUND, []],
  ])('%s with %j', (model, thought) => {
    expect(walksOf(model, thought)).toBe(0);
  });

  test('where some is bound, the log is asked', () => {
    expect(resolveModel(BOUND).model.thinking).toBe('prefix-bound');
    expect(walksOf(BOUND, [thinking('s')])).toBeGreaterThan(0);
  });
});
