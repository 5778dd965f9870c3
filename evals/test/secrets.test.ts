import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_KINDS } from '@varve/redact/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { main } from '../src/main.ts';
import { temporaryFolder, writeSession } from './files.ts';
import { generatedSteps, type Step } from './sessions.ts';

const usage = { input_tokens: 40, output_tokens: 9, cache_read_input_tokens: 9_000 };

/** Each kind of secret where a session may hold one: said by a person, in a command, in its output, in what was edited. */
function withSecrets(): { readonly steps: readonly Step[]; readonly secrets: readonly string[] } {
  const made = oneIn(3, SECRET_KINDS).map(({ make }, at) => make(at + 1));
  const steps = made.flatMap(({ text }, at): Step[] => [
    { user: `For step ${at} remember: ${text}` },
    {
      call: ['Bash', { command: `deploy ${text}` }],
      result: `ERROR: exit code 1\n${text}\n`,
      usage,
    },
    {
      call: ['Write', { file_path: `/srv/${at}.env`, content: text }],
      result: 'File created successfully.',
    },
    { say: `Step ${at} is done with ${text}` },
  ]);
  return { steps, secrets: made.map(({ secret }) => secret) };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** L325; siblings looked for: the report as text, JSON and Markdown, of each command that judges sessions. */
describe('L325: no secret of a session stands in a report', () => {
  test.each([
    ['replay', ['--strategy', 'keep-all,layers,ledger-compact']],
    ['validate', ['validate']],
    ['fidelity', ['fidelity', '--strategy', 'ledger-compact']],
  ])('%s', async (_name, flags) => {
    const folder = temporaryFolder();
    const { steps, secrets } = withSecrets();
    const rest = generatedSteps({ seed: 1, calls: 20, lines: 20, project: 'Alpha' });
    writeSession(folder, 'alpha.jsonl', [...steps, ...rest]);
    const out = temporaryFolder();
    const printed: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      const spy = vi
        .spyOn(stream, 'write')
        .mockImplementation((text) => printed.push(`${text}`) > 0);
      onTestFinished(() => spy.mockRestore());
    }
    const code = await main([...flags, '--sessions', folder, '--out', out]);
    expect(code, printed.join('')).toBe(0);
    const written = [printed.join(''), ...filesOf(out).map((path) => readFileSync(path, 'utf8'))];
    expect(written.join('').length).toBeGreaterThan(1_000);
    const found = secrets.filter((secret) => written.some((text) => text.includes(secret)));
    expect(found).toEqual([]);
  });
});
