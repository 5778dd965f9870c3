import type { Entry, Message, Usage } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import type { ImportedThread } from '@varve/transcript/import';
import { describe, expect, test } from 'vitest';
import { BASELINE } from '../src/built-in-strategies.ts';
import { createLossyCache } from '../src/replay/lossy-cache.ts';
import { recordedConditions } from '../src/replay/recorded-conditions.ts';
import { replay } from '../src/replay/replay.ts';
import { planSession } from '../src/replay/session-plan.ts';
import { resolvePricing } from '../src/resolve-pricing.ts';
import { createRecordedViews } from '../src/session/recorded-views.ts';
import asItWas from '../src/strategies/as-it-was.ts';
import { threadPricing } from '../src/thread-pricing.ts';
import { planOf, rowFor } from './replays.ts';
import { read, type Step, threadOf } from './sessions.ts';

const STEPS: readonly Step[] = [
  { user: 'Look at the totals.' },
  read('src/one.ts', 'export const alphaTotal = 1;'),
  read('src/two.ts', 'export const betaTotal = 2;'),
  read('src/three.ts', 'export const gammaTotal = 3;'),
  { say: 'All three are there.' },
];

/** The thread with an edit behind the entry of a message. */
function edited(thread: ImportedThread, behind: string, edit: object): ImportedThread {
  const entries = thread.entries.flatMap((entry): Entry[] => {
    if (entry.type !== 'message' || entry.message.id !== behind) return [entry];
    const added = {
      ...{ id: 'cut', at: entry.at, type: 'edit', by: 'import', reason: 'recorded' },
      edit,
    };
    return [entry, added as Entry];
  });
  return { ...thread, entries };
}

const summary = {
  id: 'summary',
  role: 'user',
  origin: { kind: 'summary' },
  content: [{ type: 'text', text: 'Two files were read.' }],
} as const;
const COMPACTION = {
  kind: 'replace-span',
  fromId: 'm0',
  toId: 'm2r',
  with: [summary],
  then: [],
};
const PRUNING = {
  kind: 'replace-content',
  blocks: [
    {
      messageId: 'm1r',
      index: 0,
      block: { type: 'tool_result', tool_use_id: 'call_1', content: 'pruned' },
    },
  ],
};

const idsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);

describe('what the recorded agent sent', () => {
  const whole = threadOf(STEPS);
  const sentIn = (thread: ImportedThread) => {
    const { recording, pricing } = planSession(thread, resolvePricing({}));
    const { history, replies } = recording;
    const views = createRecordedViews({ thread, history, profile: pricing.profile });
    return { history, sent: replies.map((at) => views.before(history[at] as Message)) };
  };

  test('is the history where nothing was edited, message by message', () => {
    const { history, sent } = sentIn(whole);
    expect(sent.map((messages) => messages.length)).toEqual([1, 3, 5, 7]);
    for (const messages of sent)
      expect(messages.every((message, at) => message === history[at])).toBe(true);
  });

  test('has a summary from the request behind the compaction on', () => {
    const { history, sent } = sentIn(edited(whole, 'm2r', COMPACTION));
    expect(idsOf(history)).not.toContain('summary');
    expect(sent.map(idsOf)).toEqual([
      ['m0'],
      ['m0', 'm1', 'm1r'],
      ['summary'],
      ['summary', 'm3', 'm3r'],
    ]);
  });

  test('has what was put in the place of a result', () => {
    const { history, sent } = sentIn(edited(whole, 'm2r', PRUNING));
    const result = (messages: readonly Message[]) => messages[2]?.content[0];
    expect(result(history)).toMatchObject({ content: 'export const alphaTotal = 1;' });
    expect(sent.slice(1).map(result)).toMatchObject([
      { content: 'export const alphaTotal = 1;' },
      { content: 'pruned' },
      { content: 'pruned' },
    ]);
  });
});

describe('as-it-was', () => {
  test('costs what keep-all does where nothing was edited', () => {
    const row = rowFor(planOf(STEPS), asItWas);
    expect(row).toMatchObject({ relativeToKeepAll: 1, acted: false, idle: true, repeatable: true });
  });

  test('announces its compaction, pays for no re-read, and what is gone counts as gone', () => {
    const again: Step = {
      call: ['Edit', { file_path: 'src/one.ts', old_string: 'export const alphaTotal = 1;' }],
      result: 'done',
    };
    const steps = [...STEPS.slice(0, 4), again, STEPS[4] as Step];
    const thread = edited(threadOf(steps), 'm2r', COMPACTION);
    const plan = planSession(thread, resolvePricing({ ttl: 'none' }));
    const row = rowFor(plan, asItWas);
    expect(row).toMatchObject({ compactions: 1, breaksAnnounced: 1, breaksUnannounced: 0 });
    expect(row).toMatchObject({ rereads: 0, invalidRequests: 0, repeatable: true });
    expect(row.hindsightRecall).toBeLessThan(1);
    expect(row.promptTokens).toBeLessThan(rowFor(plan, BASELINE).promptTokens);
  });

  test('is priced whatever the size, where keep-all has to compact', () => {
    const long = 'x '.repeat(400_000);
    const steps = [STEPS[0] as Step, read('a.ts', long), read('b.ts', long), STEPS[4] as Step];
    const row = rowFor(planOf(steps, { pricing: { window: 60_000 } }), asItWas);
    expect(row).toMatchObject({ invalidRequests: 0, forcedCompactions: 0 });
    expect(row.overWindowRequests).toBe(2);
  });
});

describe('the conditions that bills tell of', () => {
  /** Prompts of 30,000 tokens and more of which `read` were in the cache. */
  const billed = (
    readTokens: number,
    written: number,
    long = false,
  ): { readonly usage: Usage } => ({
    usage: {
      input_tokens: 0,
      output_tokens: 10,
      cache_read_input_tokens: readTokens,
      cache_creation_input_tokens: written,
      cache_creation: {
        ephemeral_5m_input_tokens: long ? 0 : written,
        ephemeral_1h_input_tokens: long ? written : 0,
      },
    } as Usage,
  });
  const file = 'const total = 1;\n'.repeat(600);
  const step = (at: number, bill: object): Step =>
    ({ ...read(`src/${at}.ts`, file), ...bill }) as Step;
  const session = (bills: readonly object[]) => [
    STEPS[0] as Step,
    ...bills.map((bill, at) => step(at, bill)),
    { say: 'Done.' },
  ];
  const WARM = [0, 10_000, 20_000, 30_000].map((readTokens) => billed(readTokens, 10_000));
  const LOST = [...WARM.slice(0, 3), billed(10_000, 30_000)];

  const under = (bills: readonly object[]) => {
    const thread = threadOf(session(bills));
    const pricing = threadPricing(thread, { model: 'recorded' });
    if (pricing === undefined) throw new Error('a priced model was expected');
    const conditions = recordedConditions(thread, pricing);
    return { pricing, conditions, plan: planSession(thread, pricing, { conditions }) };
  };

  test('sizes are those that were billed', () => {
    const { plan } = under(WARM);
    const { tally } = replay(plan, asItWas);
    const wanted = 10_000 + 20_000 + 30_000 + 40_000;
    // the last reply carries no bill
    expect(tally.promptTokens - tally.peakTokens).toBeGreaterThan(wanted * 0.97);
    expect(tally.promptTokens - tally.peakTokens).toBeLessThan(wanted * 1.03);
  });

  test('nothing is lost where everything was read; a loss strikes every row at the same request', () => {
    const warm = under(WARM);
    const lost = under(LOST);
    expect(warm.conditions?.losses.size).toBe(0);
    expect([...(lost.conditions?.losses ?? [])]).toEqual([7]);
    for (const strategy of [asItWas, BASELINE]) {
      const [one, other] = [replay(warm.plan, strategy), replay(lost.plan, strategy)];
      expect(one.tally.readTokens - other.tally.readTokens).toBeGreaterThan(15_000);
    }
  });

  test('stand beside what the same requests cost here', () => {
    const { plan } = under(LOST);
    const { billed: beside } = rowFor(plan, asItWas);
    expect(beside).toMatchObject({ requests: 4, losses: 1, models: ['claude-opus-4-8'] });
    const { dollars = 0, replayedDollars = 0 } = beside ?? {};
    expect(replayedDollars / dollars).toBeGreaterThan(0.9);
    expect(replayedDollars / dollars).toBeLessThan(1.1);
    expect(rowFor(plan, BASELINE).billed).toBeNull();
  });

  test('writes for an hour make the lifetime one hour, unless another is asked for', () => {
    const long = threadOf(session(WARM.map((_, at) => billed(at * 5_000 + 25_000, 5_000, true))));
    expect(threadPricing(long, { model: 'recorded' })?.policy.defaultTtl).toBe('1h');
    expect(threadPricing(long, { model: 'recorded', ttl: '5m' })?.policy.defaultTtl).toBe('5m');
    expect(threadPricing(long, {})?.policy.defaultTtl).toBe('5m');
    expect(under(WARM).pricing.policy.defaultTtl).toBe('5m');
  });

  test('a file that holds little of what was billed is in doubt, and in no sum', () => {
    const { conditions } = under(WARM.map(() => billed(900_000, 5_000)));
    expect(conditions?.doubt).toBe('lacks-most');
    expect(conditions?.losses.size).toBe(0);
  });

  test('two bills say nothing', () => {
    expect(under(WARM.slice(0, 2)).conditions).toBeUndefined();
  });

  test('a strategy cannot be told the session by its shape', () => {
    expect(() => asItWas.create(undefined as never)).toThrow('it is no strategy');
  });
});

test('a tool more in the head is as warm from another session as the head without it', () => {
  const policy = resolvePricing({}).policy;
  const { recording, pricing } = planSession(threadOf(STEPS), resolvePricing({}));
  const { head, history, sizes } = recording;
  const longer = { ...head, id: 'longer', tools: [{ name: 'read_stored', description: 'Reads.' }] };
  for (const each of [head, longer]) {
    const cache = createLossyCache({ pricing, sizes });
    cache.lose();
    const request = { head: each, messages: history.slice(0, 1), markers: [], maxOutputTokens: 1 };
    const { tokens } = cache.send(placeMarkers(request, { policy }), { startMs: 0 });
    expect(tokens.read).toBeGreaterThanOrEqual(sizes.head(each));
  }
});
