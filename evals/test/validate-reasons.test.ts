import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runValidation, type Validation } from '../src/index.ts';
import { lossChances, type SeenRequest } from '../src/validate/loss-chances.ts';
import { formatValidation, markdownValidation } from '../src/validate/validation-text.ts';
import { codexLines } from './codex-files.ts';
import { temporaryFolder } from './files.ts';

const START = Date.UTC(2026, 5, 1, 9);
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

interface Request {
  /** Seconds since the start at which it was asked for. */
  readonly at: number;
  readonly read: number;
  readonly written: number;
  /** The provider's reason for reading less. */
  readonly miss?: object;
}

/** A session of Claude Code with these bills. */
function billedSession(requests: readonly Request[]): string {
  let parentUuid: string | null = null;
  const record = (type: string, at: number, message: object): string => {
    const uuid = `${type}-${at}`;
    const line = { type, uuid, parentUuid, sessionId: 's', timestamp: iso(at), message };
    parentUuid = uuid;
    return JSON.stringify(line);
  };
  return requests
    .flatMap(({ at, read, written, miss }) => [
      record('user', at, { role: 'user', content: `step ${at} `.repeat(400) }),
      record('assistant', at + 2, {
        ...{ id: `msg_${at}`, type: 'message', role: 'assistant', model: 'claude-opus-4-8' },
        content: [{ type: 'text', text: `done ${at}` }],
        stop_reason: 'end_turn',
        usage: {
          ...{ input_tokens: 2, output_tokens: 20 },
          ...{ cache_read_input_tokens: read, cache_creation_input_tokens: written },
        },
        diagnostics: miss === undefined ? null : { cache_miss_reason: miss },
      }),
    ])
    .join('\n');
}

/** What a provider says in sessions of its own: 20,000 tokens of the head are shared with others. */
const MISSES: readonly (readonly [word: string, read: number, kind: string])[] = [
  ['messages_changed', 24_000, 'agreed'],
  ['system_changed', 20_000, 'agreed'],
  ['tools_changed', 0, 'agreed'],
  ['tools_changed', 30_000, 'differs'],
  ['unavailable', 24_000, 'unknown'],
];

async function validated(text: string, name = 'a.jsonl'): Promise<Validation> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), text);
  return runValidation({ sessions: [folder] });
}

describe('the provider’s own reason for a miss (P5)', () => {
  test.each(MISSES)('%s with %i tokens read is %s', async (word, read, kind) => {
    const miss = { type: word, ...(kind !== 'unknown' && { cache_missed_input_tokens: 9_000 }) };
    const validation = await validated(
      billedSession([
        { at: 0, read: 20_000, written: 12_000 },
        { at: 10, read: 32_000, written: 3_000 },
        { at: 20, read: 35_000, written: 3_000 },
        { at: 30, read, written: 41_000 - read, miss },
        { at: 40, read: 41_000, written: 3_000 },
      ]),
    );
    expect(validation.sessions[0]?.diagnoses).toMatchObject([
      { request: 4, word, kind, missedTokens: kind === 'unknown' ? null : 9_000 },
    ]);
    const text = formatValidation(validation).replaceAll(/\s+/g, ' ');
    const given = kind === 'unknown' ? 0 : 1;
    expect(text).toContain(`The provider gave a reason for ${given} misses`);
    expect(text.includes(`request 4: the provider says ${word}`)).toBe(kind === 'differs');
    expect(markdownValidation(validation)).toContain('The provider gave a reason');
  });

  test('without a reason nothing is said', async () => {
    const whole = [0, 1, 2, 3].map((at) => ({ at: at * 10, read: at * 3_000, written: 3_000 }));
    const text = formatValidation(await validated(billedSession(whole)));
    expect(text).not.toContain('The provider gave a reason');
  });
});

test('P366: a clock that runs backwards gives no negative seconds', async () => {
  const times = [0, 100, 200, 150, 250, 350, 300, 400];
  const validation = await validated(
    billedSession(
      times.map((at, place) => ({
        at,
        read: place === 3 || place === 6 ? 0 : 3_000 * place,
        written: place === 3 || place === 6 ? 3_000 * place : 3_000,
      })),
    ),
  );
  const found = validation.sessions.flatMap(({ unexplained }) => unexplained);
  expect(found.length).toBeGreaterThan(0);
  for (const { gapSeconds } of found) expect(gapSeconds ?? 0).toBeGreaterThanOrEqual(0);
  expect(formatValidation(validation)).not.toMatch(/-\d+ s after/);
});

test('a session whose price is off says why', async () => {
  const validation = await validated(
    billedSession([
      { at: 0, read: 20_000, written: 12_000 },
      { at: 10, read: 32_000, written: 3_000 },
      { at: 20, read: 0, written: 38_000 },
      { at: 30, read: 0, written: 41_000 },
    ]),
  );
  expect(validation.sessions[0]?.reason).toMatch(/losses of the cache without a cause in the file/);
  const text = formatValidation(validation).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/off by more than 5 %, and why: a\.jsonl -\d/);
});

describe('cache lives are chances (P367)', () => {
  const MINUTE = 60_000;
  const chances = lossChances();
  const missed = (model: string, minutes: number): number =>
    chances.missAfter({ model, idleMs: minutes * MINUTE });

  test('of gpt-5.4 most is gone after ten idle minutes, of gpt-5.5 after an hour; never all or nothing', () => {
    expect(missed('gpt-5.4', 1)).toBe(0);
    expect(missed('gpt-5.4', 11)).toBeGreaterThan(0.75);
    expect(missed('gpt-5.4', 11)).toBeLessThan(0.95);
    expect(missed('gpt-5.5', 11)).toBeLessThan(0.5);
    expect(missed('gpt-5.5', 90)).toBeGreaterThan(0.5);
    expect(missed('claude-opus-4-8', 90)).toBe(0); // its lifetimes are published rules
  });

  test('a gateway’s name for a model has its chances', () => {
    expect(missed('openai/gpt-5.4', 11)).toBe(missed('gpt-5.4', 11));
  });

  test('sessions that are given take the place of what was measured', () => {
    const seen = Array.from({ length: 40 }, (_, at): SeenRequest => {
      return { model: 'gpt-5.4', age: 50, idleMs: 20 * MINUTE, lostShare: at % 4 === 0 ? 1 : 0 };
    });
    const own = lossChances(seen);
    expect(own.missAfter({ model: 'gpt-5.4', idleMs: 30 * MINUTE })).toBeCloseTo(0.27, 1);
    expect(own.missAfter({ model: 'gpt-5.5', idleMs: 30 * MINUTE })).toBe(0.25);
  });

  test('Codex sessions are scored with chances from the others, one left out', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'one.jsonl'), codexLines('one').join('\n'));
    const alone = await runValidation({ sessions: [folder] });
    expect(alone.sessions[0]?.leftOneOut).toBeNull();
    writeFileSync(join(folder, 'two.jsonl'), codexLines('two').join('\n'));
    const both = await runValidation({ sessions: [folder] });
    expect(both.sessions.map(({ leftOneOut }) => leftOneOut?.costErrorShare)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(both.formats[0]?.leftOneOut?.costErrorMedian).toEqual(expect.any(Number));
  });
});

describe('losses of OpenAI’s caches that nothing in the file explains', () => {
  test('a session that loses little is soon expected to lose little', async () => {
    // one turn with a hundred requests
    const lines = codexLines('calm', { turns: 100 }).filter(
      (line, place) => place < 5 || !/"role":"user"|turn_context/.test(line),
    );
    const [session] = (await validated(lines.join('\n'))).sessions;
    expect(session?.costErrorShare).toBeLessThan(0.055);
  });

  test('a price that is too high because fewer came than on average says so', async () => {
    const short = await validated(codexLines('short', { turns: 20 }).join('\n'));
    const reasons = short.sessions.map(({ costErrorShare, reason }) => [costErrorShare, reason]);
    expect(reasons).toEqual([
      [expect.any(Number), expect.stringMatching(/where such sessions lose \d+K on average/)],
    ]);
  });
});
