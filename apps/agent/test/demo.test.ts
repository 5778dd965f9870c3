import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { workbench } from './support.ts';

test('--demo plays a session with several layers in view, needs no key and leaves nothing behind', async () => {
  const { run, folder, root } = await workbench({});
  const temporary = mkdtempSync(join(tmpdir(), 'varve-demo-test-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const env = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined };
  const startedAt = performance.now();
  const { code, stdout, stderr } = await run(['--demo'], { env: { ...env, TMPDIR: temporary } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  for (const part of [
    '[tool-storage]',
    '[compact: over-threshold]',
    'read from the cache',
    'Cache lost, by cause',
    'Next compaction: at',
  ])
    expect(stdout).toContain(part);
  expect(stdout).toContain('all 4,000 prices are right');
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(root)).toEqual(['project']);
});
