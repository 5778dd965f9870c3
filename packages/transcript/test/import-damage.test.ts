import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importSession } from '../src/import.ts';
import { TranscriptError } from '../src/index.ts';
import {
  fixtureText,
  importText,
  jsonLines,
  mainEntries,
  messagesOf,
  problemKinds,
} from './import-support.ts';

const text = fixtureText('claude-code/session.jsonl');
const lines = text.trimEnd().split('\n');
const sound = await importText(text);
const count = lines.length;

const change = (index: number, with_: (line: string) => string): string =>
  lines.map((line, at) => (at === index ? with_(line) : line)).join('\n');

const half = (line = ''): string => line.slice(0, line.length / 2);
const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value);

const added = (session: typeof sound): string[] => {
  const known = new Set(problemKinds(sound));
  return problemKinds(session).filter((kind) => !known.has(kind));
};

describe('importSession of a damaged copy (V2)', () => {
  test.each([
    { damage: 'CRLF line ends', copy: lines.join('\r\n'), problems: [] },
    { damage: 'a byte order mark', copy: `\uFEFF${text}`, problems: ['byte-order-mark @1'] },
    { damage: 'blank lines', copy: text.replaceAll('\n', '\n\n  \n'), problems: undefined },
    { damage: 'no last line end', copy: lines.join('\n'), problems: [] },
    {
      damage: 'NUL padding at the end',
      copy: `${text}${'\0'.repeat(4096)}`,
      problems: [`nul-padding @${count + 1}`],
    },
    {
      damage: 'NUL padding before a record',
      copy: change(4, (line) => `\0\0\0${line}`),
      problems: ['nul-padding @5'],
    },
    {
      damage: 'a duplicated line',
      copy: change(4, (line) => `${line}\n${line}`),
      problems: undefined,
    },
    {
      damage: 'two records on one line',
      copy: change(4, (line) => `${line}${lines[5]}`).replace(`\n${lines[5]}\n`, '\n'),
      problems: undefined,
    },
    {
      damage: 'half a record before a whole one',
      copy: change(4, (line) => `${half(lines[5])}${line}`),
      problems: ['torn-record @5'],
    },
    {
      damage: 'NULs between half a record and a whole one',
      copy: change(4, (line) => `${half(lines[5])}\0\0${line}`),
      problems: ['torn-record @5'],
    },
  ])('loses nothing to $damage', async ({ copy, problems }) => {
    const session = await importText(copy);
    expect(mainEntries(session)).toEqual(mainEntries(sound));
    if (problems !== undefined) expect(added(session)).toEqual(problems);
  });

  test.each([
    { damage: 'a truncated last line', copy: text.slice(0, -40), problem: `torn-record @${count}` },
    { damage: 'a truncated line', copy: change(4, half), problem: 'torn-record @5' },
    {
      damage: 'a truncated line with NULs behind it',
      copy: change(4, (line) => `${half(line)}\0\0`),
      problem: 'torn-record @5',
    },
    {
      damage: 'a line that is no JSON',
      copy: change(4, () => 'Segmentation fault'),
      problem: 'bad-json @5',
    },
    { damage: 'a number', copy: change(4, () => '17'), problem: 'not-a-record @5' },
    { damage: 'a list', copy: change(4, (line) => `[${line}]`), problem: 'not-a-record @5' },
    {
      damage: 'NULs inside a record',
      copy: change(4, (line) => `${half(line)}\0\0\0${line.slice(line.length / 2 + 3)}`),
      problem: 'torn-record @5',
    },
  ])('names the line of $damage and reads the others', async ({ copy, problem }) => {
    const session = await importText(copy);
    expect(added(session)).toContain(problem);
    const ids = new Set(messagesOf(session).map(({ id }) => id));
    const lost = messagesOf(sound).filter(({ id }) => !ids.has(id));
    expect(lost.length).toBeLessThanOrEqual(1);
  });

  test('drops a duplicated line and says so', async () => {
    const session = await importText(change(4, (line) => `${line}\n${line}`));
    expect(added(session)).toContain('duplicate-record @6');
  });

  test('case 83: whole records with something between them, before and behind', async () => {
    const [first, second, ...others] = lines;
    const copy = `one${first}two${second}three\n${others.join('\n')}`;
    const session = await importText(copy);
    expect(mainEntries(session)).toEqual(mainEntries(sound));
    const kinds = ['glued-records @1', 'bad-json @1', 'bad-json @1'];
    expect(problemKinds(session).slice(0, 3)).toEqual(kinds);
  });

  test.each(['{', '['])('a first line that is cut off after its %s', async (bracket) => {
    const session = await importText([bracket, ...lines.slice(1)].join('\n'));
    expect(added(session)[0]).toBe('torn-record @1');
    expect(messagesOf(session).length).toBeGreaterThanOrEqual(messagesOf(sound).length - 1);
  });

  test('a line that is cut off after a comma holds back no line after it', async () => {
    const end = (lines[4] ?? '').indexOf(',', 30) + 1;
    const session = await importText(change(4, (line) => line.slice(0, end)));
    expect(added(session)).toContain('torn-record @5');
    expect(messagesOf(session).length).toBeGreaterThanOrEqual(messagesOf(sound).length - 1);
  });

  test('case 83: two and three records glued on one line', async () => {
    const glued = await importText(`${lines.slice(0, 3).join('')}\n${lines.slice(3).join('')}`);
    expect(mainEntries(glued)).toEqual(mainEntries(sound));
    expect(glued.problems.filter(({ kind }) => kind === 'glued-records')).toHaveLength(2);
  });

  test('case 83: whole records and half of one on a line', async () => {
    const session = await importText(`${lines.join('\n')}${half(lines[4])}`);
    expect(mainEntries(session)).toEqual(mainEntries(sound));
    expect(added(session)).toEqual([`glued-records @${count}`, `torn-record @${count}`]);
  });

  test('case 86: raw line ends inside a string', async () => {
    const records = [
      { role: 'user', content: 'What does it say?' },
      { role: 'assistant', content: 'one\ntwo\nthree' },
      { role: 'user', content: 'Thanks.' },
    ];
    const session = await importText(jsonLines(records).replaceAll('\\n', '\n'));
    expect(messagesOf(session)[1]?.content).toEqual([{ type: 'text', text: 'one\ntwo\nthree' }]);
    expect(problemKinds(session)).toEqual(['raw-newline @2']);
  });

  test('case 86: raw line ends in a text of lines that are JSON themselves', async () => {
    const content = 'one\n2\n{}\n"four"\n[5]\nnull';
    const records = [
      { role: 'assistant', content: 'x' },
      { role: 'user', content },
    ];
    const session = await importText(jsonLines(records).replaceAll('\\n', '\n'));
    expect(messagesOf(session).at(-1)?.content).toEqual([
      { type: 'text', text: content.replaceAll('\\"', '"') },
    ]);
  });

  test('case 86: line ends, separators and marks inside values come through, with BOM and CRLF around them', async () => {
    const value = 'a\nb\r\nc\u2028d\u2029e\uFEFFf\0g"h\\';
    const records = [
      { role: 'user', content: value },
      { role: 'assistant', content: value },
    ];
    const copy = `\uFEFF${jsonLines(records).replaceAll('\n', '\r\n')}`;
    const session = await importText(copy);
    expect(messagesOf(session).map(({ content }) => content[0]?.text)).toEqual([value, value]);
  });

  test('case 49: half a surrogate pair becomes U+FFFD, the length stays', async () => {
    const copy =
      '{"role":"user","content":"\\ud83d and \\ude00"}\n{"role":"assistant","content":"\\ud83d\\ude00"}';
    const session = await importText(copy);
    expect(messagesOf(session).map(({ content }) => content[0]?.text)).toEqual([
      '\uFFFD and \uFFFD',
      '\u{1F600}',
    ]);
    expect(problemKinds(session)).toEqual(['lone-surrogate @1']);
  });

  test('bytes that are not UTF-8 are replaced and reported', async () => {
    const bytes = utf8('{"role":"user","content":"caf?"}\n');
    bytes[bytes.indexOf(63)] = 0xe9;
    const session = await importText(bytes);
    expect(messagesOf(session)[0]?.content[0]?.text).toBe('caf\uFFFD');
    expect(problemKinds(session)).toEqual(['bad-utf8 @1']);
  });

  test('case 89: a compaction that names a record that is missing', async () => {
    const base = { sessionId: 's', version: '2.1.0', isSidechain: false };
    const say = (uuid: string, parentUuid: string | null, role: 'user' | 'assistant') => ({
      ...base,
      type: role,
      uuid,
      parentUuid,
      message:
        role === 'user'
          ? { role, content: uuid }
          : { role, id: `m-${uuid}`, model: 'm', content: [{ type: 'text', text: uuid }] },
    });
    const boundary = {
      ...base,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'x',
      parentUuid: null,
      logicalParentUuid: 'gone',
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    };
    const summary = { ...say('summary', 'x', 'user'), isCompactSummary: true };
    const session = await importText(
      jsonLines([
        say('a', null, 'user'),
        say('b', 'a', 'assistant'),
        boundary,
        summary,
        say('c', 'summary', 'user'),
        say('d', 'c', 'assistant'),
      ]),
    );
    expect(problemKinds(session)).toEqual(['broken-link @3']);
    expect(
      mainEntries(session).flatMap((entry) =>
        entry.type === 'edit' && entry.edit.kind === 'replace-span'
          ? [entry.edit.fromId, entry.edit.toId, entry.edit.with[0]?.id]
          : [],
      ),
    ).toEqual(['a', 'm-b', 'summary']);
    expect(
      messagesOf(session)
        .slice(-2)
        .map(({ id }) => id),
    ).toEqual(['c', 'm-d']);
  });
});

describe('importSession of long lines (V2)', () => {
  const long = 'x'.repeat(60_000_000);
  const records = [
    { role: 'user', content: 'Print it all.' },
    { role: 'assistant', content: long },
    { role: 'user', content: 'Thanks.' },
  ];

  test('case 87: reads a line of 60 MB', async () => {
    const session = await importText(jsonLines(records));
    expect(messagesOf(session)[1]?.content[0]?.text).toHaveLength(60_000_000);
    expect(session.problems).toEqual([]);
  });

  test('drops a line above the limit, names it, and reads the others', async () => {
    const session = await importText(jsonLines(records), { maxLineBytes: 1_000_000 });
    expect(messagesOf(session).map(({ id }) => id)).toEqual(['message-1', 'message-2']);
    expect(problemKinds(session)).toEqual(['line-too-long @2']);
    expect(session.problems[0]?.text).toContain('60000');
  });
});

describe('importSession of a document that is one JSON value (V2)', () => {
  const document = fixtureText('opencode/session.json');

  test.each([
    { damage: 'indented', copy: document },
    { damage: 'on one line', copy: JSON.stringify(JSON.parse(document)) },
    { damage: 'with BOM and CRLF', copy: `\uFEFF${document.replaceAll('\n', '\r\n')}` },
    { damage: 'with NULs behind it', copy: `${document}\0\0\0` },
    { damage: 'with a stray word behind it', copy: `${document}\nKilled` },
    { damage: 'with a stray word on its last line', copy: `${document.trimEnd()}Killed` },
  ])('reads one $damage', async ({ copy }) => {
    const { format, threads } = await importText(copy);
    expect({ format, threads }).toEqual(
      await importText(document).then(({ format, threads }) => ({ format, threads })),
    );
  });

  test.each([
    { damage: 'cut off', copy: document.slice(0, -300), code: 'torn-document', line: 1 },
    {
      damage: 'cut off on its one line',
      copy: JSON.stringify(JSON.parse(document)).slice(0, -300),
      code: 'torn-document',
      line: 1,
    },
    {
      damage: 'with a hole',
      copy: document.replace('"role": "assistant",', '"role" "assistant",'),
      code: 'torn-document',
      line: 1,
    },
  ])('refuses one $damage with file, line and reason', async ({ copy, code, line }) => {
    const error = await importText(copy, { name: 'bees.json' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, file: 'bees.json', line });
    expect(TranscriptError.is(error) && error.message).toMatch(/^bees\.json:1: .*cut off/);
  });
});

describe('importSession of what is no session (V2)', () => {
  test.each([
    { what: 'an empty file', copy: '', code: 'empty' },
    { what: 'blank lines', copy: '\n \n\r\n', code: 'empty' },
    { what: 'NUL bytes alone', copy: '\0\0\0\0', code: 'not-text' },
    { what: 'a byte order mark alone', copy: '\uFEFF', code: 'empty' },
    { what: 'prose', copy: 'Dear diary,\ntoday\n', code: 'not-text' },
    {
      what: 'a picture',
      copy: Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256),
      code: 'not-text',
    },
    {
      what: 'UTF-16',
      copy: Uint8Array.from(
        [...'\uFEFF{"role":"user"}'].flatMap((char) => [
          char.charCodeAt(0) & 255,
          char.charCodeAt(0) >> 8,
        ]),
      ),
      code: 'not-text',
    },
    { what: 'other JSON', copy: '{"name":"left-pad","version":"1.0.0"}', code: 'unknown-format' },
    { what: 'a list of numbers', copy: '[1,2,3]', code: 'unknown-format' },
    { what: 'an empty list', copy: '[]', code: 'unknown-format' },
    {
      what: 'JSON lines of another kind',
      copy: jsonLines(Array.from({ length: 2000 }, (_, at) => ({ level: 'info', at }))),
      code: 'unknown-format',
    },
    {
      what: 'a session without messages',
      copy: jsonLines([
        { type: 'session', id: 'x', cwd: '/tmp', timestamp: '2026-01-01T00:00:00Z' },
      ]),
      code: 'no-messages',
    },
    {
      what: 'titles alone',
      copy: jsonLines([{ type: 'summary', summary: 'A title', leafUuid: 'x' }]),
      code: 'no-messages',
    },
  ])('refuses $what', async ({ copy, code }) => {
    const error = await importText(copy, { name: 'odd.jsonl' }).catch((reason: unknown) => reason);
    expect(TranscriptError.is(error)).toBe(true);
    expect(error).toMatchObject({ code, file: 'odd.jsonl' });
  });

  test('passes on what the source of the bytes throws', async () => {
    const { importSession } = await import('../src/import.ts');
    async function* failing() {
      yield utf8(lines[0] as string);
      throw new RangeError('the disk is gone');
    }
    await expect(importSession(failing(), { name: 'x' })).rejects.toThrow('the disk is gone');
  });
});

describe('a file that nothing can be made of says what it is and what to do', () => {
  const whole = utf8(jsonLines([{ role: 'user', content: 'Mend it.' }]));
  const utf16 = (order: 'le' | 'be', text: string): Uint8Array =>
    Uint8Array.from(
      [...text].flatMap((char) => {
        const bytes = [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8];
        return order === 'le' ? bytes : bytes.reverse();
      }),
    );
  const zip = Uint8Array.from([0x50, 0x4b, 3, 4, 10, 0, 0, 0, 0x38, 10, 0x7b, 0x7d, 0xff]);
  const [meta = '', ...rest] = fixtureText('codex/session.jsonl').split('\n');

  test.each([
    ['zeros', new Uint8Array(400), 'not-text', /nothing but NUL bytes .* take it from a backup/],
    ['gzip', gzipSync(whole), 'not-text', /packed with gzip: unpack it first \(gunzip/],
    ['gzip in small pieces', gzipSync(whole), 'not-text', /packed with gzip/, 1],
    ['ZIP', zip, 'not-text', /a ZIP archive: unpack it first \(unzip\)/],
    ['Zstandard', zstdCompressSync(whole), 'not-text', /Zstandard: unpack it first/],
    ['UTF-16 with a mark', utf16('le', '\uFEFF{"role":"user"}'), 'not-text', /in UTF-16: save it/],
    ['UTF-16, big end first', utf16('be', '\uFEFF{}'), 'not-text', /in UTF-16: save it/],
    ['UTF-16 without a mark', utf16('le', '{"role":"user"}\n7'), 'not-text', /in UTF-16: save it/],
    [
      'random bytes with a number on a line',
      utf8('\u0001x\n7\n\u0002'),
      'not-text',
      /nothing .* is JSON/,
    ],
    ['half of one record', utf8(meta.slice(0, 90)), 'torn-document', /no whole record: take it/],
    [
      'the first record cut, and what does not tell its agent',
      utf8(`{"type":"session","id":"x\n${jsonLines([{ kind: 'note', n: 1 }])}`),
      'torn-document',
      /the beginning is cut off or damaged/,
    ],
    [
      'records of an agent, and the messages damaged',
      utf8([meta, ...rest.map((line) => line.slice(0, 20))].join('\n')),
      'torn-document',
      /a codex session that is cut off or damaged/,
    ],
  ])('%s', async (_, copy, code, reason, piece = copy.length) => {
    async function* pieces() {
      for (let at = 0; at < copy.length; at += piece) yield copy.subarray(at, at + piece);
    }
    const error = await importSession(pieces(), { name: 'odd' }).catch((why: unknown) => why);
    expect(error).toMatchObject({ code, message: expect.stringMatching(reason) });
  });

  test('JSON of another kind with a damaged record behind it is of no format', async () => {
    const copy = `${jsonLines([{ level: 'info' }])}\n{"level":"in`;
    await expect(importText(copy)).rejects.toMatchObject({ code: 'unknown-format' });
  });
});

test('a message that stands for a missing beginning is a problem, once for a thread', async () => {
  const middle = lines.slice(lines.findIndex((line) => line.includes('"type":"assistant"')));
  const session = await importText(middle.join('\n'));
  expect(messagesOf(session)[0]?.id).toBe('missing-start');
  expect(problemKinds(session).filter((kind) => kind.startsWith('missing-start'))).toHaveLength(1);
  expect(problemKinds(sound).join()).not.toContain('missing-start');
});

test('OpenHands: words of nobody known are lost, and no role is invented', async () => {
  const task = (source: unknown) =>
    JSON.stringify({
      instance_id: 'a',
      history: [
        { id: 1, source: 'user', action: 'message', args: { content: 'Mend it.' } },
        { id: 2, source, action: 'message', args: { content: 'Whose words?' } },
        { id: 3, source: 'agent', action: 'message', args: { content: 'Mended.' } },
      ],
    });
  for (const source of [7, null, undefined, 'USER', 'environment']) {
    const session = await importText(task(source));
    expect(messagesOf(session).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(JSON.stringify(messagesOf(session))).not.toContain('Whose words?');
    expect(session.unused).toMatchObject({ 'message/unknown': 1 });
  }
});
