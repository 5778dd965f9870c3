import { type Entry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readEntries, TranscriptError } from '../src/index.ts';
import { collect, userEntry } from './support.ts';

type EntryOnLine = ReturnType<typeof readEntries> extends AsyncIterable<infer Item> ? Item : never;
type LogProblem = Parameters<
  NonNullable<NonNullable<Parameters<typeof readEntries>[1]>['onProblem']>
>[0];

const encoder = new TextEncoder();
const [a, b, c] = ['a', 'b', 'c'].map((id) => userEntry(id, `text of ${id}`)) as [
  Entry,
  Entry,
  Entry,
];
const [lineA, lineB, lineC] = [a, b, c].map(serializeEntry) as [string, string, string];

async function read(text: string | Uint8Array, damage: 'throw' | 'report' = 'throw') {
  const problems: LogProblem[] = [];
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  const onProblem = (problem: LogProblem) => problems.push(problem);
  const items = await collect(readEntries([bytes], { file: 'log.jsonl', onProblem, damage }));
  return {
    ids: items.map(({ entry }) => entry.id).join(''),
    kinds: problems.map(({ kind }) => kind),
    problems,
    items,
  };
}

describe('readEntries', () => {
  test.each([
    ['an empty file', '', '', []],
    ['one entry', `${lineA}\n`, 'a', []],
    ['blank lines between entries', `${lineA}\n\n  \n${lineB}\n`, 'ab', []],
    ['a last entry without line end', `${lineA}\n${lineB}`, 'ab', ['missing-line-end']],
    ['a torn last line', `${lineA}\n${lineB.slice(0, 30)}`, 'a', ['torn-tail']],
    ['a file that is one torn line', lineA.slice(0, 9), '', ['torn-tail']],
    [
      'case 86: CRLF line ends and a byte order mark',
      `\uFEFF${lineA}\r\n${lineB}\r\n`,
      'ab',
      ['byte-order-mark'],
    ],
    ['case 83: glued records', `${lineA}${lineB}\n${lineC}\n`, 'abc', ['glued-records']],
    [
      'glued records with a torn end',
      `${lineA}${lineB}{"id"`,
      'ab',
      ['glued-records', 'torn-tail'],
    ],
    ['a duplicated line', `${lineA}\n${lineA}\n${lineB}\n`, 'ab', ['duplicate-entry']],
    ['NUL bytes before an entry', `${lineA}\n\0\0\0${lineB}\n`, 'ab', ['nul-padding']],
    ['a tail of NUL bytes', `${lineA}\n\0\0\0\0`, 'a', ['nul-padding']],
  ])('reads %s', async (_what, text, ids, kinds) => {
    expect(await read(text)).toMatchObject({ ids, kinds });
  });

  test.each([
    ['half a record in the middle', `${lineA}\n${lineB.slice(0, 30)}\n${lineC}\n`, 2],
    [
      'a record with a torn one glued before it',
      `${lineA}\n${lineB.slice(0, 30)}${lineC}\n${lineA}\n`,
      2,
    ],
    ['JSON that is no entry', `${lineA}\n{"type":"message"}\n`, 2],
    ['words', 'hello\n', 1],
  ])('refuses %s with file and line', async (_what, text, line) => {
    const error = await read(text).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toSatisfy(TranscriptError.is);
    expect(error).toMatchObject({ code: 'damaged-line', file: 'log.jsonl', line });
  });

  test('reports damage and reads on where it is told to', async () => {
    const { ids, kinds } = await read(`${lineA}\nbroken\n${lineB}\n`, 'report');
    expect({ ids, kinds }).toEqual({ ids: 'ab', kinds: ['damaged-line'] });
  });

  test.each([
    ['words', 'hello'],
    ['words beyond ASCII', 'é'],
    ['a list', '[1, 2]'],
    ['half of an object', '{"a":'],
    ['an object that is no entry', '{"a":1}'],
    ['words behind an entry', `${lineC} x`],
    ['an entry in a list', `[${lineC}]`],
    ['half of a list', '[1,'],
    ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe)],
  ])('%s is damage, reported where that is asked for and refused where not', async (_, line) => {
    const bytes = Buffer.concat(
      [`${lineA}\n`, line, `\n${lineB}\n`].map((part) => Buffer.from(part as string)),
    );
    const start = lineA.length + 1;
    const length = Buffer.from(line as string).length;
    expect(await read(bytes, 'report')).toMatchObject({
      ids: 'ab',
      problems: [{ kind: 'damaged-line', line: 2, start, bytes: length }],
    });
    await expect(read(bytes)).rejects.toMatchObject({ code: 'damaged-line', line: 2 });
  });

  test.each([' ', '\t', ' \r', '\u00a0', '\u2003 ', ' \ufeff'])(
    '%j is a blank line',
    async (blank) => {
      for (const damage of ['report', 'throw'] as const) {
        const found = await read(`${lineA}\n${blank}\n ${lineB} \t\n`, damage);
        expect(found).toMatchObject({ ids: 'ab', kinds: [] });
      }
    },
  );

  // In a file that is no log each line was parsed and an error made of it: 20 times as long as for a blank one.
  test.each(['a', 'é', '[1,', '{"a":', '{"a":[', '`'])(
    'a line of %j that is none is looked at and not parsed',
    async (line) => {
      const parse = vi.spyOn(JSON, 'parse');
      onTestFinished(() => parse.mockRestore());
      const parsedIn = async (text: string) => {
        parse.mockClear();
        await collect(readEntries([encoder.encode(text)], { damage: 'report' }));
        return parse.mock.calls.length;
      };
      expect(await parsedIn(`${line}\n`.repeat(100))).toBe(0);
      expect(await parsedIn('{"a"}\n'.repeat(100))).toBeGreaterThanOrEqual(100);
    },
  );

  test('case 86: keeps line separators, NUL, quotes and byte order marks inside values', async () => {
    const entry = userEntry('x', 'one\ntwo\r\nthree\u2028four\u2029five\uFEFFsix\0seven"eight\\');
    const { items, kinds } = await read(`${serializeEntry(entry)}\n`);
    expect({ entry: items[0]?.entry, kinds }).toEqual({ entry, kinds: [] });
  });

  test('reads one line of 50 MB', async () => {
    const entry = userEntry('x', 'y'.repeat(50_000_000));
    const { ids } = await read(`${serializeEntry(entry)}\n${lineA}\n`);
    expect(ids).toBe('xa');
  });

  test('case 82: any cut in the last record leaves the ones before it readable', async () => {
    const bytes = encoder.encode(
      `${lineA}\n${lineB}\n${serializeEntry(userEntry('z', 'ünïcödé 🦊'))}\n`,
    );
    const lastStart = encoder.encode(`${lineA}\n${lineB}\n`).length;
    for (let end = lastStart; end < bytes.length - 1; end++) {
      expect(await read(bytes.slice(0, end))).toMatchObject({
        ids: 'ab',
        kinds: end === lastStart ? [] : ['torn-tail'],
        problems: end === lastStart ? [] : [{ start: lastStart, bytes: end - lastStart }],
      });
    }
  });

  test('reads the same however the bytes are cut into chunks', async () => {
    const text = `\uFEFF${lineA}\r\n${lineB}${lineC}\n\n${serializeEntry(userEntry('d', '🦊🧊'))}\n{"torn`;
    const bytes = encoder.encode(text);
    const whole = await read(bytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const edges = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
        const problems: LogProblem[] = [];
        const onProblem = (problem: LogProblem) => problems.push(problem);
        const items = await collect(readEntries(chunks, { onProblem }));
        expect(items.map(({ entry }) => entry)).toEqual(whole.items.map(({ entry }) => entry));
        expect(problems).toEqual(whole.problems);
      }),
    );
  });

  // Lines are read when they are asked for, out of the chunk they stand in: what a call gets must not hang on where it ends.
  const LINES = [
    lineA,
    lineB,
    `${lineA}${lineC}`,
    serializeEntry(userEntry('d', '🦊 ünï\u2028cödé')),
    '{"type":"message"}',
    '{"id":"e","at":',
    'words',
    'é',
    '',
    ' \t',
    '\0\0',
    `\0${lineC}`,
    `\uFEFF${lineB}`,
    Uint8Array.of(0xff, 0xfe),
    Uint8Array.from([
      ...encoder.encode(lineC.slice(0, -6)),
      0xe2,
      0x82,
      ...encoder.encode(lineC.slice(-6)),
    ]),
    encoder.encode(serializeEntry(userEntry('f', 'a \uFFFD that was there'))),
  ] as const;

  test('entries, problems and the error are the same for all cuts of any lines', async () => {
    const line = fc.constantFrom(...LINES);
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 8 });
    const input = fc.record({
      lines,
      tail: fc.option(line, { nil: undefined }),
      cuts: fc.array(fc.nat(1_500), { maxLength: 12 }),
      damage: fc.constantFrom('throw', 'report'),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ lines, tail, cuts, damage }) => {
        const bytes = Buffer.concat([...lines.flat(), tail ?? ''].map((part) => Buffer.from(part)));
        const inOne = await outcomeOf([bytes], damage);
        const edges = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        const chunks = edges
          .slice(1)
          .map((end, index) => new Uint8Array(bytes.subarray(edges[index], end)));
        expect(await outcomeOf(chunks, damage)).toEqual(inOne);
        for (const { entry, start, end } of inOne.items) {
          expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(entry);
        }
      }),
    );
  });

  async function outcomeOf(chunks: readonly Uint8Array[], damage: 'throw' | 'report') {
    const [problems, items]: [LogProblem[], EntryOnLine[]] = [[], []];
    const onProblem = (problem: LogProblem) => problems.push(problem);
    try {
      for await (const item of readEntries(chunks, { onProblem, damage })) items.push(item);
      return { problems, items };
    } catch (error) {
      const { code, line } = error as TranscriptError;
      return { problems, items, code, line, message: (error as Error).message };
    }
  }
});

describe('what readEntries returns is an async generator like any', () => {
  const lines = `${lineA}\n${lineB}\n`;

  /** Chunks of a file that is open until the reading is over. */
  function watched(...texts: string[]) {
    const state = { isOpen: false, asked: 0 };
    async function* chunks() {
      state.isOpen = true;
      try {
        for (const text of texts) {
          state.asked += 1;
          yield encoder.encode(text);
        }
      } finally {
        await new Promise(setImmediate);
        state.isOpen = false;
      }
    }
    return { state, chunks: chunks() };
  }

  test('calls that do not wait for one another get the entries in order, then the end', async () => {
    const { state, chunks } = watched(lines, `${lineC}\n`);
    const entries = readEntries(chunks);
    const results = await Promise.all(Array.from({ length: 5 }, () => entries.next()));
    expect(results.map(({ value }) => value?.entry.id)).toEqual([
      'a',
      'b',
      'c',
      undefined,
      undefined,
    ]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
    expect(state.isOpen).toBe(false);
  });

  test('a call out of onProblem gets the next entry', async () => {
    const asked: Promise<IteratorResult<EntryOnLine>>[] = [];
    const entries = readEntries([encoder.encode(`${lineA}\n\0${lineB}\n${lineC}\n`)], {
      onProblem: () => asked.push(entries.next()),
    });
    const found = [await entries.next(), await entries.next(), ...(await Promise.all(asked))];
    expect(found.map(({ value }) => value?.entry.id)).toEqual(['a', 'b', 'c']);
  });

  test.each(['break', 'throw of the reader', 'damage', 'return()', 'throw()'])(
    '%s closes the chunks before it is seen, and asks for no more of them',
    async (how) => {
      const { state, chunks } = watched(how === 'damage' ? `${lineA}\nx\n` : lines, lineC);
      const entries = readEntries(chunks);
      const use = async () => {
        if (how === 'return()' || how === 'throw()') {
          await entries.next();
          if (how === 'return()') await entries.return(undefined);
          else await entries.throw(new Error('enough'));
        }
        for await (const _ of entries) {
          if (how === 'break') break;
          if (how === 'throw of the reader') throw new Error('enough');
        }
      };
      const error = await use().catch((reason: Error) => reason.message);
      if (how === 'break' || how === 'return()') expect(error).toBeUndefined();
      else expect(error).toMatch(how === 'damage' ? 'not a log entry' : 'enough');
      expect(state).toEqual({ isOpen: false, asked: 1 });
      expect(await entries.next()).toEqual({ done: true, value: undefined });
    },
  );

  test('what was not begun opens nothing', async () => {
    const { state, chunks } = watched(lines);
    const entries = readEntries(chunks);
    await entries.return(undefined);
    expect(await collect(entries)).toEqual([]);
    expect(state.asked).toBe(0);
  });

  test('a line behind the one that was asked for is not read yet', async () => {
    const problems: LogProblem[] = [];
    const onProblem = (problem: LogProblem) => problems.push(problem);
    const entries = readEntries([encoder.encode(`${lineA}\n\0\n${lineB}\n`)], { onProblem });
    await entries.next();
    expect(problems).toEqual([]);
    await entries.next();
    expect(problems).toMatchObject([{ kind: 'nul-padding', line: 2 }]);
  });
});
