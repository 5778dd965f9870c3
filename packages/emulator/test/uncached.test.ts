import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../src/index.ts';

const PROMPT = 'You fix failing tests. ';

/** Two requests of one conversation through the provider's own SDK; `repeats` is how long the system prompt is. */
async function reportOf({ repeats, marked, openai = false }: Case) {
  const emulator = await startEmulator({ replies: ['Reading it.', 'Done.'] });
  onTestFinished(() => emulator.close());
  const system = PROMPT.repeat(repeats);
  const turns = [
    [{ role: 'user' as const, content: 'Fix it.' }],
    [
      { role: 'user' as const, content: 'Fix it.' },
      { role: 'assistant' as const, content: 'Reading it.' },
      { role: 'user' as const, content: 'And the other one.' },
    ],
  ];
  for (const messages of turns) {
    if (openai) {
      const client = new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: 'any' });
      const all = [{ role: 'system' as const, content: system }, ...messages];
      await client.chat.completions.create({ model: 'gpt-5.5', messages: all });
      continue;
    }
    const client = new Anthropic({ baseURL: emulator.url, apiKey: 'any' });
    const cached = { cache_control: { type: 'ephemeral' as const } };
    const block = { type: 'text' as const, text: system, ...(marked && cached) };
    const request = { model: 'claude-opus-5-5', max_tokens: 1_000, system: [block], messages };
    await client.messages.create(request);
  }
  return { emulator, report: emulator.report() };
}

interface Case {
  readonly repeats: number;
  readonly marked: boolean;
  readonly openai?: boolean;
}

/** Siblings looked for: no marker, a prefix that is too short, a provider without markers, and one that is cached. */
describe('N348: the report of an emulator says why nothing was cached', () => {
  test.each<[string, Case, string]>([
    ['no request carries a marker', { repeats: 800, marked: false }, 'no-marker'],
    ['the marked prefix is below the minimum', { repeats: 40, marked: true }, 'below-minimum'],
    ['a provider without markers', { repeats: 40, marked: false, openai: true }, 'below-minimum'],
  ])('%s', async (_name, given, cause) => {
    const { emulator, report } = await reportOf(given);
    expect(report.hitRate).toBe(0);
    expect(report.breaks).toEqual([expect.objectContaining({ requestIndex: 1, cause })]);
    expect(Object.keys(report.lostTokens)).toEqual([cause]);
    expect(() => emulator.expectHitRate(0.1)).toThrow(`Tokens lost by cause: ${cause} `);
  });

  test('what is cached has no cause', async () => {
    const { report } = await reportOf({ repeats: 800, marked: true });
    expect(report).toMatchObject({ breaks: [], lostTokens: {} });
    expect(report.hitRate).toBeGreaterThan(0.4);
  });
});
