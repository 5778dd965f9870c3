import {
  findProvider,
  type ModelPrice,
  type ModelInfo as TheirModel,
} from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { MODELS, type ModelInfo } from '../src/index.ts';
import { findModel, priceTier } from '../src/models.ts';

// A well-kept public price list, read by exact id only: by its own matching rules it takes claude-sonnet-5-5 for
// claude-sonnet-5. A difference is either explained here or means that somebody has to check a price page.

const EXPLAINED: Readonly<Record<string, string>> = {
  'claude-sonnet-4-0 input >200K': 'they left out the long-context beta of a retired model',
  'claude-sonnet-4-0 output >200K': 'they left out the long-context beta of a retired model',
  'claude-sonnet-4-0 cacheRead >200K': 'they left out the long-context beta of a retired model',
  'claude-sonnet-4-0 cacheWrite5m >200K': 'they left out the long-context beta of a retired model',
  'claude-sonnet-4-0 cacheWrite1h >200K': 'they left out the long-context beta of a retired model',
  'gpt-5.5 window': 'they round 1,050,000 down',
  'deepseek-v4-flash input': 'sources disagree; theirs changes with the hour',
  'deepseek-v4-flash output': 'sources disagree; theirs changes with the hour',
  'deepseek-v4-flash cacheRead': 'sources disagree; theirs changes with the hour',
  'deepseek-v4-pro input': 'theirs is the off-peak price, half of the peak price in the table',
  'deepseek-v4-pro output': 'theirs is the off-peak price, half of the peak price in the table',
  'deepseek-v4-pro cacheRead': 'theirs is the off-peak price, half of the peak price in the table',
};

interface Difference {
  readonly what: string;
  readonly ours: number | undefined;
  readonly theirs: number | undefined;
}

const FIELDS = {
  input: 'input_mtok',
  output: 'output_mtok',
  cacheRead: 'cache_read_mtok',
  cacheWrite5m: 'cache_write_mtok',
  cacheWrite1h: 'cache_write_1h_mtok',
} as const;

// Below every step, above Haiku's, above 200,000 and above 272,000.
const PROMPTS = [
  [1_000, ''],
  [150_000, ' >100K'],
  [250_000, ' >200K'],
  [300_000, ' >272K'],
] as const;

describe('the table beside @pydantic/genai-prices', () => {
  const pairs = ['anthropic', 'openai', 'google', 'deepseek'].flatMap(knownToBoth);
  const found = pairs.flatMap(([ours, theirs]) => differences(ours, theirs));

  test('has models in common with it', () => {
    expect(pairs.map(([, theirs]) => theirs.id)).toEqual(
      expect.arrayContaining(['claude-opus-5-5', 'claude-sonnet-4-0', 'gpt-5.5', 'gpt-6-sol']),
    );
    expect(pairs.length).toBeGreaterThan(25);
  });

  test('differs nowhere that is not explained', () => {
    const drift = found.filter(({ what }) => !(what in EXPLAINED));
    expect(drift, `check these against the price pages:\n${asTable(drift)}`).toEqual([]);
  });

  test('explains no difference that is gone', () => {
    const still = new Set(found.map(({ what }) => what));
    expect(Object.keys(EXPLAINED).filter((what) => !still.has(what))).toEqual([]);
  });

  test('a changed price is found', () => {
    const theirs = pairs.find(([, model]) => model.id === 'claude-opus-5-5')?.[1] as TheirModel;
    const ours = findModel('claude-opus-5-5') as ModelInfo;
    const [tier] = ours.prices as readonly [ModelInfo['prices'][number]];
    const changed = { ...ours, windowTokens: 5, prices: [{ ...tier, output: 21 }] };
    expect(differences(changed, theirs)).toEqual([
      { what: 'claude-opus-5-5 window', ours: 5, theirs: 1_000_000 },
      { what: 'claude-opus-5-5 output', ours: 21, theirs: 20 },
    ]);
  });
});

function knownToBoth(providerId: string): (readonly [ModelInfo, TheirModel])[] {
  const theirs = findProvider({ providerId })?.models ?? [];
  // a cloud resells other providers' models, at its own prices
  const own = MODELS.filter(({ provider }) => provider === providerId);
  return theirs.flatMap((model) => {
    const ours = own.find(({ id, aliases }) => id === model.id || aliases.includes(model.id));
    return ours === undefined ? [] : [[ours, model] as const];
  });
}

function differences(ours: ModelInfo, theirs: TheirModel): Difference[] {
  const rows: Difference[] = [
    { what: `${theirs.id} window`, ours: ours.windowTokens, theirs: theirs.context_window },
  ];
  const prices = pricesOn(theirs, ours.checkedOn);
  for (const [field, name] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][]) {
    const steps = PROMPTS.map(([prompt, label]) => ({
      what: `${theirs.id} ${field}${label}`,
      ours: priceTier(ours, prompt)?.[field],
      theirs: rateAt(prices[name], prompt),
    }));
    rows.push(...steps.filter((row, index) => index === 0 || changes(row, steps[index - 1])));
  }
  return rows.filter((row) => row.theirs !== undefined && !close(row.ours, row.theirs));
}

/** A step is a row of its own only where one of the two lists has a step there. */
function changes(row: Difference, before: Difference | undefined): boolean {
  return row.ours !== before?.ours || row.theirs !== before?.theirs;
}

function pricesOn(model: TheirModel, date: string): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices;
  const dated = model.prices.filter(({ constraint }) => {
    if (constraint === undefined) return true;
    return constraint.type === 'start_date' && constraint.start_date <= date;
  });
  return (dated.at(-1) ?? { prices: {} }).prices;
}

function rateAt(price: ModelPrice[string], promptTokens: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  return price.tiers.findLast((tier) => promptTokens > tier.start)?.price ?? price.base;
}

function close(ours: number | undefined, theirs: number | undefined): boolean {
  return ours !== undefined && theirs !== undefined && Math.abs(ours - theirs) < 1e-9;
}

function asTable(rows: readonly Difference[]): string {
  return rows.map(({ what, ours, theirs }) => `${what}: ours ${ours}, theirs ${theirs}`).join('\n');
}
