import { type Entry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LogProblem, readEntries, TranscriptError } from '../src/index.ts';
import { collect, userEntry } from './support.ts';

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

  // In a file that is no log an error was made for each line: 20 times as long as for a blank one.
  test.each(['a', 'é', '[1,', '{"a":', '{"a":[', '`'])(
    'a line of %j that is none takes about as long as a blank one',
    async (line) => {
      const millisecondsFor = async (unit: string) => {
        const bytes = encoder.encode(`${unit}\n`.repeat(20_000));
        let best = Number.POSITIVE_INFINITY;
        for (let run = 0; run < 4; run++) {
          const start = process.cpuUsage();
          await collect(readEntries([bytes], { damage: 'report' }));
          const { user, system } = process.cpuUsage(start);
          best = Math.min(best, (user + system) / 1_000);
        }
        return best;
      };
      expect(await millisecondsFor(line)).toBeLessThan(8 * (await millisecondsFor('')) + 20);
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
});
