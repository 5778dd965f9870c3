import { describe, expect, test } from 'vitest';
import { parseArguments } from '../src/arguments.ts';
import { EvalsError } from '../src/index.ts';
import { checkWindow, resolvePricing } from '../src/resolve-pricing.ts';

describe('parseArguments', () => {
  test('has a default for everything', () => {
    expect(parseArguments([])).toEqual({
      sessions: [],
      strategies: [],
      peers: false,
      json: false,
      all: false,
      help: false,
    });
  });

  test('takes flags repeated and strategies in a list', () => {
    const flags = '--sessions a --sessions b --strategy x,./y.ts --strategy z --jobs 2 --ttl none';
    expect(parseArguments(flags.split(' '))).toMatchObject({
      sessions: ['a', 'b'],
      strategies: ['x', './y.ts', 'z'],
      jobs: 2,
      ttl: 'none',
    });
  });

  test('takes several sessions after one flag, as a shell writes them', () => {
    const flags = '--sessions a.jsonl b.jsonl c --json --sessions d --strategy x';
    expect(parseArguments(flags.split(' '))).toMatchObject({
      sessions: ['a.jsonl', 'b.jsonl', 'c', 'd'],
      strategies: ['x'],
      json: true,
    });
  });

  test('takes the variants', () => {
    const flags =
      '--read-price 0.05 --reread-factor 3 --rereads ranges --thinking prefix-bound --window 200000 --peers';
    expect(parseArguments(flags.split(' '))).toMatchObject({
      readPrice: 0.05,
      rereadFactor: 3,
      rereads: 'ranges',
      thinking: 'prefix-bound',
      window: 200_000,
      peers: true,
    });
  });

  test('takes no window at all', () => {
    expect(parseArguments(['--window', 'none']).window).toBe('none');
  });

  test.each([
    [['--window', 'some'], 'a whole number above 0 or none, got `some`'],
    [['--read-price', '0'], '--read-price'],
    [['--read-price', '1.5'], 'at most 1'],
    [['--reread-factor', '-1'], '--reread-factor'],
    [['--reread-factor', 'x'], 'a number above 0'],
    [['--thinking', 'bound'], 'free, latest-turn, prefix-bound'],
    [['--sessions', 'a', '--json', 'b'], '`b`'],
    [['--sesions', 'a'], '--sesions'],
    [['a.jsonl'], 'a.jsonl'],
    [['--sessions'], '--sessions'],
    [['--jobs', '0'], '--jobs'],
    [['--jobs', '1.5'], '--jobs'],
    [['--window', 'many'], '--window'],
    [['--ttl', '10m'], '5m, 1h, none'],
    [['--provider', 'acme'], 'anthropic'],
    [['--model', ''], '--model'],
    [['--sessions', ''], '--sessions'],
    [['--window'], 'Expected a value after --window. Run with --help'],
    [['--window', '--json'], 'Expected a value after --window. Run with --help'],
    [['--read-price', '-1'], 'to be a number above 0 and at most 1, got `-1`'],
    [['--window', '-5'], 'a whole number above 0 or none, got `-5`'],
    [['validat', '--json'], 'There is no command `validat`'],
  ])('refuses %j and says why', (args, named) => {
    const run = () => parseArguments(args);
    expect(run).toThrow(EvalsError);
    expect(run).toThrow(named);
  });
});

describe('resolvePricing', () => {
  test.each([
    [{ ttl: '5m' }, 'claude-opus-4-8', 'anthropic-5m'],
    [{ ttl: '1h' }, 'claude-opus-4-8', 'anthropic-1h'],
    [{ ttl: 'none' }, 'claude-opus-4-8', 'anthropic-5m-endless'],
    [{ ttl: '5m', provider: 'openai' }, 'gpt-5.6-sol', 'openai-breakpoints'],
    [{ ttl: '5m', provider: 'none' }, 'claude-opus-4-8', 'no-cache'],
    [{ ttl: '5m', model: 'gpt-5.5' }, 'gpt-5.5', 'openai-implicit'],
  ] as const)('%j is %s under %s', (options, model, policy) => {
    const pricing = resolvePricing(options);
    expect([pricing.model.id, pricing.policy.name]).toEqual([model, policy]);
  });

  test.each([
    [{ ttl: '5m', model: 'claude-opus-9' }, 'unknown-model'],
    [{ ttl: '5m', model: 'claude-opus-4' }, undefined],
    [{ ttl: '5m', model: 'my-claude-opus-4-8' }, 'unknown-model'],
    [{ ttl: '5m', model: 'gpt-5.5', provider: 'anthropic' }, 'bad-arguments'],
  ] as const)('case 72: %j is priced as itself or refused', (options, code) => {
    const codeOf = () => {
      try {
        resolvePricing(options);
        return undefined;
      } catch (error) {
        return EvalsError.is(error) ? error.code : error;
      }
    };
    expect(codeOf()).toBe(code);
  });

  test('takes the lowest rates of several tiers for the bounds', () => {
    const { read, write, output } = resolvePricing({ ttl: '5m', model: 'gpt-5.6-sol' }).rates;
    expect(read * 1e6).toBeCloseTo(0.4);
    expect(write * 1e6).toBeCloseTo(5);
    expect(output * 1e6).toBeCloseTo(20);
  });
});

describe('checkWindow', () => {
  test.each([
    [1, 'bad-arguments'],
    [12_000, 'bad-arguments'],
    [13_000, undefined],
    [33_000, undefined],
  ])('a window of %i tokens has to leave room for a summary', (window, code) => {
    const codeOf = () => {
      try {
        checkWindow(window);
        return undefined;
      } catch (error) {
        return EvalsError.is(error) ? error.code : error;
      }
    };
    expect(codeOf()).toBe(code);
  });
});
