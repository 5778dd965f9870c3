import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createWordReader,
  formatText,
  hashOf,
  isDailyLog,
  isOfTeam,
  linkKey,
  MEMORY_TYPES,
  parseText,
  relink,
  withoutSecrets,
} from '../src/files.ts';
import { ageInDays, ageText } from '../src/freshness.ts';
import { DAY_MS, fileText, NOW, newMemory, testMemory } from './support.ts';

/** What YAML reads as something else than text, by its types of 1.1 and its core schema of 1.2. */
const NO_TEXT: readonly RegExp[] = [
  /^(?:~|null|)$/i,
  /^(?:yes|no|true|false|on|off)$/i,
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-f_]+|\d[\d_]*)$/i,
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:e[-+]?\d+)?$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  /^\d{4}-\d{1,2}-\d{1,2}$/,
  /^(?:<<|=)$/,
];

/** A value of a header as YAML reads it, written from its specification and from no code of the package. */
function yamlText(value: string): string {
  if (value.startsWith('"')) return JSON.parse(value);
  const isPlain =
    !/^[\s\-?:,[\]{}#&*!|>'"%@`]/.test(value) && !/: |:$| #|\s$|[\r\n\u0085]/.test(value);
  if (!isPlain) throw new Error(`YAML does not read ${value} as it stands`);
  if (NO_TEXT.some((pattern) => pattern.test(value))) throw new Error(`${value} is no text`);
  return value;
}

const PIECES = [
  ...['-', ':', '#', ' ', '"', "'", 'a', '1', '[', '{', '&', '*', '!', '|', '>', '%', '@', '`'],
  ...[',', '?', '~', '.', 'e', '+', '=', '<', '\\', 'é', '日', 'x', '0', '_', 'n', '---', '\u2028'],
];
/** One line of odd pieces. */
const oddLine = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join('').trim() || 'x');

describe('D1 a header that is written', () => {
  const write = (name: string) =>
    formatText({ name, description: 'd', type: 'user', modified: 'm' }, 'b');

  test.each([
    ...['1e3', '0x1F', '0o17', '12:30', '1:2:3', 'yes', '2026-11-30', '1_000', '.5'],
    ...['null', 'a: b', 'a #b', '- a', '"a"', "'a'", 'a:', '@a', '1.5E-3', '='],
  ])('%j is read by YAML as this text', (name) => {
    const line = write(name).split('\n')[1] ?? '';
    expect(yamlText(line.slice('name: '.length))).toBe(name);
    expect(parseText(write(name)).header.name).toBe(name);
  });

  test('any name and description are read by YAML, and here, as they were', () => {
    fc.assert(
      fc.property(oddLine, oddLine, fc.constantFrom(...MEMORY_TYPES), (name, description, type) => {
        const text = formatText({ name, description, type, modified: 'm' }, 'b');
        const [fence, ...lines] = text.split('\n');
        expect(fence).toBe('---');
        const read = lines.slice(0, 3).map((line) => yamlText(line.replace(/^[a-z]+: /, '')));
        expect(read).toEqual([name, description, type]);
        expect(parseText(text).header).toMatchObject({ name, description, type });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('D1 D4 a header that is read', () => {
  test('a name and a description that are too long end with a word, and with no half of a character', async () => {
    const { memory } = testMemory({
      'a.md': fileText('valve '.repeat(100), 'It is.', { description: 'pump '.repeat(400) }),
      'b.md': fileText('😀'.repeat(300), 'It is.'),
    });
    const { files } = await memory.scan();
    const [a, b] = ['a.md', 'b.md'].map((path) => files.find((each) => each.path === path));
    expect([a?.name.endsWith(' valve'), a?.description.endsWith(' pump')]).toEqual([true, true]);
    expect(b?.name.isWellFormed()).toBe(true);
  });

  const words = fc.array(
    fc.constantFrom('the', 'port', '# not', '#', 'a: b', "it's", '"q"', '- c', '---', '日本', '\\'),
    { minLength: 2, maxLength: 12 },
  );

  test('a text in quotes is read however it is folded, with lines that look like comments', () => {
    fc.assert(
      fc.property(
        words,
        fc.constantFrom('"', "'"),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (parts, mark, lineEnd, isNested) => {
          const inside = parts.map((part) =>
            mark === '"' ? JSON.stringify(part).slice(1, -1) : part.replaceAll("'", "''"),
          );
          const head = `name: ${mark}${inside.join('\n  ')}${mark}\n  # a comment\n`;
          const type = isNested ? 'metadata:\n  type: user\n  mine: 1\n' : 'type: user\nmine: 1\n';
          const text = `---\n${head}${type}---\n\nBody.\n`.replaceAll('\n', lineEnd);
          const read = parseText(text);
          expect(read.header).toMatchObject({ name: parts.join(' '), type: 'user' });
          expect(read.shape).toBe(isNested ? 'metadata' : 'flat');
          expect(read.body).toBe(`Body.${lineEnd}`);
          const kept = isNested ? 'metadata:\n  mine: 1\n' : 'mine: 1\n';
          expect(read.foreign.join('')).toBe(`  # a comment\n${kept}`.replaceAll('\n', lineEnd));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(['"', "'"])('a text in %s that does not end takes no key below it', (mark) => {
    const { header, foreign } = parseText(
      `---\nname: ${mark}open\n  # still\ntype: user\nmine: 1\n---\n\nBody.\n`,
    );
    expect(header.type).toBe('user');
    expect(foreign).toContain('mine: 1\n');
  });

  test('both shapes, read and written again, say the same; unknown keys stay', () => {
    const flat =
      '---\nname: N\ndescription: D\ntype: user\nmodified: 2026-11-02T10:00:00Z\nmine: [1]\n---\n\nB\n';
    const nested =
      '---\nname: N\ndescription: D\nmetadata:\n  node_type: memory\n  type: user\n  modified: 2026-11-02T10:00:00Z\nmine: [1]\n---\n\nB\n';
    const header = {
      name: 'N',
      description: 'D',
      type: 'user',
      modified: '2026-11-02T10:00:00Z',
    } as const;
    expect(formatText(header, 'B\n', parseText(flat))).toBe(flat);
    const written = formatText(header, 'B\n', parseText(nested));
    expect(parseText(written).header).toEqual(parseText(flat).header);
    expect(written).toContain('metadata:\n  node_type: memory\nmine: [1]\n');
    expect(formatText(header, 'B\n', parseText(written))).toBe(written);
  });
});

describe('links', () => {
  test.each([
    ['See [[a]].', 'See [[x]].'],
    ['See [[ a ]] and [[b]].', 'See [[x]] and [[b]].'],
    ['[[a|the `a`]] [[a#part]]', '[[x|the `a`]] [[x#part]]'],
    ['`[[a]]` [[a]] `[[a]]`', '`[[a]]` [[x]] `[[a]]`'],
    ['a ` alone [[a]]', 'a ` alone [[x]]'],
    ['[[a `b]] and `c', '[[a `b]] and `c'],
    ['[[[a]]] [[a]', '[[[x]]] [[a]'],
    ['[[a\n]]', '[[a\n]]'],
  ])('%j becomes %j', (text, wanted) => {
    expect(relink(text, (target) => (target === 'a' ? 'x' : undefined))).toBe(wanted);
  });

  test('what stands for nothing in a replacement is taken as it is', () => {
    expect(relink('[[a]]', () => '$& $1')).toBe('[[$& $1]]');
  });

  test('dead links are those that are changed: check and relink see the same ones', async () => {
    const parts = ['[[a]]', '[[b|`c`]]', '`', '[[', ']]', ' ', '\n', '|', '`[[d]]`', 'x'];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), async (pieces) => {
        const body = `Text. ${pieces.join('')}`;
        const changed: string[] = [];
        expect(relink(body, (target) => void changed.push(target))).toBe(body);
        const { memory } = testMemory({ 'm.md': `---\nname: M\n---\n${body}` });
        const { findings } = await memory.check();
        const dead = findings.filter(({ kind }) => kind === 'dead-link');
        expect([...new Set(dead.map(({ detail }) => detail))]).toEqual([...new Set(changed)]);
      }),
    );
  });

  test('links have one key where they name one file', () => {
    expect(linkKey('Build_Cache.md')).toBe(linkKey(' build-cache '));
    expect(linkKey('re\u0301sume\u0301')).toBe(linkKey('RÉSUMÉ'));
    expect(linkKey('a.md.txt')).not.toBe(linkKey('a'));
  });
});

test('D10 D13 paths of the team and of logs of a day, and what only looks like them', () => {
  const logs = ['logs/2026/11/2026-11-30.md', 'LOGS/2026/11/2026-11-30.MD'];
  const none = [
    ...['logs/2026/11/2026-12-30.md', 'logs/2026/11/2025-11-30.md', 'a/logs/2026/11/2026-11-30.md'],
    ...['logs/2026/11/2026-11-30.md/x.md', 'logs/2026/2026-11-30.md', 'logs2026/11/2026-11-30.md'],
  ];
  expect([...logs, ...none].filter(isDailyLog)).toEqual(logs);
  const team = ['team/a.md', 'Team/deep/a.md', 'TEAM/MEMORY.md'];
  expect([...team, 'team.md', 'teams/a.md', 'x/team/a.md', 'team'].filter(isOfTeam)).toEqual(team);
});

test('D6 days are whole periods of 24 hours, counted one by one', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5 * DAY_MS, max: 40 * DAY_MS }), (elapsed) => {
      let days = 0;
      for (let left = elapsed - DAY_MS; left >= 0; left -= DAY_MS) days++;
      expect(ageInDays(NOW - elapsed, NOW)).toBe(days);
    }),
  );
  expect(ageInDays(undefined, NOW)).toBeUndefined();
  expect([0, 1, 2, undefined].map(ageText)).toEqual([
    ...['today', 'yesterday', '2 days ago', 'age not known'],
  ]);
});

test('226 the hash is the one that a file is read with, and no two texts share it', async () => {
  const text = 'Zeile 1\r\n日本 \u{1f980}\n';
  const { memory } = testMemory({ 'a.md': text });
  expect((await memory.read('a.md'))?.hash).toBe(hashOf(text));
  const texts = [text, text.trim(), text.normalize('NFD'), `${text} `, '', text.replace('\r', '')];
  expect(new Set(texts.map(hashOf)).size).toBe(new Set(texts).size);
});

test('words have one number where they have one stem, in their order', () => {
  const stem = (word: string): string => {
    const text = word.toLowerCase();
    if (text.length <= 4 || !/^[a-z]+$/.test(text)) return text;
    const ending = ['ations', 'ation', 'ings', 'ing', 'ies', 'ied', 'ers', 'er', 'ed', 'es'];
    const found = [...ending, 'ly', 's'].find((each) => text.endsWith(each));
    if (found === undefined) return text;
    return text.slice(0, -found.length) + (found === 'ies' || found === 'ied' ? 'y' : '');
  };
  const word = fc
    .tuple(
      fc.constantFrom('build', 'Kiln', 'deploy', 'quer', 'PORT', 'x1', '5432', 'zebra', 'gate'),
      fc.constantFrom('', 's', 'er', 'ers', 'ing', 'ed', 'ies', 'ation', 'ly'),
    )
    .map((parts) => parts.join(''));
  const reader = createWordReader();
  const numbers = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 20 }),
      fc.constantFrom(' ', '-', '. ', '/', ' — ', '\n'),
      (list, between) => {
        const read = reader.stemsOf(`the ${list.join(between)} of it`);
        expect(read).toHaveLength(list.length);
        for (const [at, each] of list.entries()) {
          const key = stem(each);
          const known = numbers.get(key);
          if (known === undefined) expect([...numbers.values()]).not.toContain(read[at]);
          numbers.set(key, known ?? (read[at] as number));
          expect([key, read[at]]).toEqual([key, numbers.get(key)]);
        }
        const { stems, times } = reader.count(list.join(between));
        const counted = new Map<number, number>();
        for (const each of read) counted.set(each, (counted.get(each) ?? 0) + 1);
        expect(new Map([...stems].map((each, at) => [each, times[at]]))).toEqual(counted);
      },
    ),
  );
});

test('208 a text without its secrets has none when it is read again, and one without any is the same', () => {
  const secrets = [`ghp_${'a1B2'.repeat(9)}`, 'AKIA7QWERTYUIOPASDFG', 'password: hunter2-Zeta9'];
  const plain = ['the port', '\n', '| a | b |', '**x**', 'token: settings.fromEnv(NAME)', '# T'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...secrets, ...plain), { maxLength: 8 }), (parts) => {
      const text = parts.join(' ');
      const masked = withoutSecrets(text);
      for (const secret of ['ghp_a1B2', 'AKIA7QWERTY', 'hunter2-Zeta9'])
        expect(masked).not.toContain(secret);
      expect(withoutSecrets(masked)).toBe(masked);
      if (!parts.some((part) => secrets.includes(part))) expect(masked).toBe(text);
    }),
  );
});

describe('hostile text', () => {
  const long = (piece: string, chars = 65_536): string =>
    piece.repeat(Math.ceil(chars / piece.length));
  const texts = [
    ...[
      '[[a]] `b` ',
      '[[a',
      '[[a|`b` ',
      '[[[[',
      '`',
      '<!--',
      '<!-- -->\n',
      '---\n',
      '\uFEFF',
      '\n',
    ],
    ...['---\nname: "', 'password ', '| a ', '**', '\u200B', '\uD800', '日', 'a\u0301', ': ', '\0'],
  ].map((piece) => long(piece));
  texts.push(long('[[a]] `b` ', 262_144));
  const heads = [
    ...[' #', 'a:', '"\n', "''\n", ' "a\n', '- \n', ' a\\\n', '\tx: y\n', 'metadata:\n'].map(
      (piece) => long(piece),
    ),
    `x\nmetadata:\n${long('  type: "x\n', 262_144)}`,
    Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}metadata:\n`).join(''),
  ].map((inside) => `---\nname: ${inside}\n---\nBody.`);
  const open = ['"', "'"].map((mark) => `---\nname: ${mark}${long('\n  # a')}\ntype: user\n---\nB`);

  test.each([...texts, ...heads, ...open].map((text) => [text.slice(0, 16), text] as const))(
    '%j without end is read, written and searched at once',
    async (_, text) => {
      const started = performance.now();
      const parsed = parseText(text);
      const header = { name: 'N', description: 'D', type: 'user' } as const;
      const next = formatText(header, parsed.body, parsed);
      expect(parseText(next).header).toMatchObject(header);
      expect(relink(text, () => undefined)).toBe(text);
      createWordReader().count(text);
      withoutSecrets(text);
      expect(performance.now() - started).toBeLessThan(4_000);
      const { memory } = testMemory({ 'a.md': text });
      expect((await memory.scan()).files).toHaveLength(1);
      expect((await memory.check()).files).toBe(1);
      const basis = (await memory.read('a.md'))?.hash;
      const saved = await memory.save(newMemory('N', 'New.', { path: 'a.md', basis }));
      expect(saved.kind).toBe('saved');
    },
    20_000,
  );
});
