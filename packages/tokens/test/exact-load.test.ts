import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadExactCounter } from '../src/exact.ts';
import { TokensError } from '../src/index.ts';

const error = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('loadExactCounter (T3)', () => {
  test('takes a vocabulary from elsewhere', async () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
    const words = [...bytes, 'ab', 'abab'].map((word) => btoa(word)).join(' ');
    const loadVocabulary = async () => ({ bpe_ranks: `! 0 ${words}` });
    const counter = await loadExactCounter({ encoding: 'o200k_base', loadVocabulary });
    expect(counter.encoding).toBe('o200k_base');
    expect(counter.encode('ababab abab')).toEqual([257, 256, 0x20, 257]);
    expect(counter.count('ababab abab')).toBe(4);
  });

  test.each([
    ['is no list of tokens', '{"a":1}'],
    ['has something else than base64 in it', '! 0 YQ== Y*=='],
    ['is empty', ''],
    ['cannot spell every byte', '! 0 YQ== Yg=='],
  ])('rejects a vocabulary that %s', async (_, ranks) => {
    const loadVocabulary = async () => ({ bpe_ranks: ranks });
    const reason = await error(loadExactCounter({ encoding: 'o200k_base', loadVocabulary }));
    expect(TokensError.is(reason) && reason.code).toBe('vocabulary-invalid');
  });

  test('says how to install the vocabulary where it is missing', async () => {
    const folder = await mkdtemp(`${tmpdir()}/varve-tokens-`);
    try {
      await cp(fileURLToPath(new URL('../src', import.meta.url)), `${folder}/src`, {
        recursive: true,
      });
      await writeFile(`${folder}/package.json`, '{"type":"module"}');
      // the packages of ours that it is built on, and no vocabulary
      await mkdir(`${folder}/node_modules`);
      const ours = fileURLToPath(new URL('../node_modules/@varve', import.meta.url));
      await symlink(ours, `${folder}/node_modules/@varve`);
      const script = `import { loadExactCounter } from '${folder}/src/exact.ts';
        await loadExactCounter({ encoding: 'o200k_base' }).catch((e) => console.log(e.code, e.message));`;
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
      });
      expect(stdout).toContain('vocabulary-missing');
      expect(stdout).toContain('npm install tiktoken');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('refuses an encoding it does not have', async () => {
    const encoding = 'p50k_base' as 'o200k_base';
    await expect(loadExactCounter({ encoding })).rejects.toThrow(TypeError);
    await expect(loadExactCounter({ encoding })).rejects.toThrow(
      "Expected `encoding` to be one of 'o200k_base', 'cl100k_base', got `p50k_base`",
    );
    const options = { encoding: 'o200k_base', loadVocabulary: 'x' } as never;
    await expect(loadExactCounter(options)).rejects.toThrow(
      'Expected `loadVocabulary` to be a function, got `string`',
    );
    await expect(loadExactCounter(undefined as never)).rejects.toThrow(
      'Expected `options` to be an object',
    );
  });

  test('stops where the signal is aborted, before and while loading', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const loadVocabulary = async () => {
      controller.abort();
      return { bpe_ranks: '! 0 YQ==' };
    };
    const options = { encoding: 'o200k_base', loadVocabulary, signal } as const;
    await expect(loadExactCounter(options)).rejects.toThrow('aborted');
    await expect(loadExactCounter(options)).rejects.toHaveProperty('name', 'AbortError');
  });
});
