import { describe, expect, test } from 'vitest';
import { gate } from '../examples/ci-gate.ts';

const PROMPT = 'You review code. '.repeat(300);

describe('an agent loop of the AI SDK, unmodified, behind a gate', () => {
  test('passes with a stable prompt', async () => {
    expect(await gate(() => PROMPT)).toBeGreaterThan(0.7);
  });

  test('fails with a prompt that counts its steps, and the reason is named', async () => {
    let step = 0;
    await expect(gate(() => `Step ${step++}. ${PROMPT}`)).rejects.toThrow(
      /at least 70\.0 % over 6 requests, but it is 0\.0 %\. Tokens lost by cause: system-changed \d+/,
    );
  });
});
