import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SECRET_KINDS } from '@varve/redact/testing';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../src/share.ts';
import {
  conversation,
  filesOf,
  readFile,
  rule,
  save,
  setup,
  temporaryFolder,
} from './memory-support.ts';

const SAID = 'Always answer in short sentences.';

/** Path tricks of POSIX and Windows, and names that are not memory. */
const paths = (outside: string): readonly string[] => [
  ...['../outside/new.md', '/etc/passwd', `${outside}/new.md`, 'dir/new.md', 'a/../../new.md'],
  ...['..\\outside\\new.md', 'C:\\new.md', 'c:new.md', '\\\\host\\share\\new.md', '//host/new.md'],
  ...['..%2foutside%2fnew.md', '%252e%252e/new.md', '．．/new.md', 'a／..／new.md', '~/new.md'],
  ...['nul.md', 'com1.txt.md', 'a.md:stream.md', 'a./new.md', 'ARCHIV~1/new.md', 'a\0.md', '?'],
  ...['x'.repeat(5_000), '.archive/new.md', '.inbox/new.md', '.tombstones.jsonl', 'MEMORY.md'],
  ...['team/../../new.md', 'link.md', 'new.txt', 'node_modules/new.md', '\u202Enew.md'],
];

describe('D7 124 an extraction in a hostile folder', () => {
  test('paths that a model makes up are answers; nothing is made, read or changed outside, and the good one is saved', async () => {
    const base = join(temporaryFolder(), 'base');
    const [path, outside] = [join(base, 'memory'), join(base, 'outside')];
    for (const folder of [path, outside]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(outside, 'secret.md'), 'Kept outside.');
    symlinkSync(outside, join(path, 'dir'));
    symlinkSync(join(outside, 'secret.md'), join(path, 'link.md'));
    const given = paths(outside);
    const { extraction, finished, sent, memory } = await setup(
      [
        given.map(readFile),
        given.map((each, at) =>
          save({ name: `Style ${at}`, type: 'feedback', path: each, statements: [rule(SAID, 1)] }),
        ),
        [save({ name: 'Style', type: 'feedback', statements: [rule(SAID, 1)] })],
      ],
      { path },
    );
    const { messages, user, answer } = conversation();
    user(SAID);
    answer('Good.');
    extraction.afterTurn(messages);
    await extraction.settle();
    expect(JSON.stringify(sent())).not.toContain('Kept outside');
    expect(JSON.stringify(sent().slice(1))).not.toContain(path);
    expect(finished()?.writes).toHaveLength(1);
    expect(readdirSync(outside)).toEqual(['secret.md']);
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('Kept outside.');
    expect(readdirSync(base).sort()).toEqual(['memory', 'outside']);
    expect(readdirSync(dirname(base))).toEqual(['base']);
    const files = (await memory.scan()).files.map((file) => file.path);
    expect(files).toHaveLength(1);
    for (const file of files) expect(file).toMatch(/^[a-z_0-9]+\.md$/);
  });

  test.each([
    'MEMORY.md',
    '.archive',
    '.inbox',
    '.tombstones.jsonl',
    '.index-lines.json',
    '.memdir.lock',
  ])(
    '123 a link in place of %s: saved or told as failed, nothing outside is touched',
    async (name) => {
      const base = temporaryFolder();
      const [path, outside] = [join(base, 'memory'), join(base, 'outside')];
      for (const folder of [path, outside]) mkdirSync(folder);
      const isFolder = ['.archive', '.inbox'].includes(name);
      if (!isFolder) writeFileSync(join(outside, 'file'), 'kept');
      symlinkSync(isFolder ? outside : join(outside, 'file'), join(path, name));
      const { extraction, events } = await setup(
        [[save({ name: 'Style', type: 'feedback', statements: [rule(SAID, 1)] })]],
        { path },
      );
      const { messages, user, answer } = conversation();
      user(SAID);
      answer('Good.');
      extraction.afterTurn(messages);
      await extraction.settle();
      expect(['finished', 'failed', 'dropped']).toContain(
        events.findLast(({ kind }) => /finished|failed|dropped/.test(kind))?.kind,
      );
      expect(readdirSync(outside)).toEqual(isFolder ? [] : ['file']);
      if (!isFolder) expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('kept');
    },
    30_000,
  );

  test('10,000 files, malformed ones and one of megabytes among them: the request stays small', async () => {
    const path = temporaryFolder();
    for (let at = 0; at < (isWhole ? 10_000 : 500); at++)
      writeFileSync(join(path, `m${at}.md`), at % 3 === 0 ? '---\nname: [}\n::::' : `Text ${at}.`);
    writeFileSync(join(path, 'large.md'), `---\nname: Large\n---\n${'word '.repeat(2_000_000)}`);
    const { extraction, finished, sent } = await setup(
      [[save({ name: 'Style', type: 'feedback', statements: [rule(SAID, 1)] })]],
      { path },
    );
    const { messages, user, answer } = conversation();
    user(SAID);
    answer('Good.');
    extraction.afterTurn(messages);
    await extraction.settle();
    expect(finished()?.writes).toHaveLength(1);
    expect(JSON.stringify(sent()[0]).length).toBeLessThan(200_000);
  }, 120_000);
});

test('137 208 no kind of secret that a user says reaches the model of an extraction, a file, an event or the history', async () => {
  const { extraction, path, sent, events } = await setup([
    SECRET_KINDS.slice(0, 40).map(({ make }, at) =>
      save({
        ...{ name: `Access ${at}`, type: 'reference', description: make(at).text },
        statements: [rule(`Access number ${at}: ${make(at).text}`, 1, make(at).text.slice(0, 150))],
      }),
    ),
  ]);
  const { messages, user, answer } = conversation();
  for (const [at, { make }] of SECRET_KINDS.entries()) user(`Remember this: ${make(at).text}`);
  answer('Good.');
  extraction.afterTurn(messages);
  await extraction.settle();
  const asked = JSON.stringify(sent()[0]);
  const kept = JSON.stringify([events, filesOf(path, { hidden: true })]);
  expect(asked.match(/\[redacted: /g)?.length).toBeGreaterThanOrEqual(SECRET_KINDS.length);
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const left = SECRET_KINDS.flatMap(({ name, make }, at) => {
    const { secret } = make(at);
    const forms = [secret, inJson(secret), inJson(inJson(secret))];
    return forms.some((form) => asked.includes(form) || kept.includes(form)) ? [name] : [];
  });
  expect(left).toEqual([]);
});
