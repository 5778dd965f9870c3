import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { createEstimator } from '../src/index.ts';

const tiktoken = get_encoding('o200k_base');
const exact = (text: string): number => tiktoken.encode_ordinary(text).length;
const estimator = createEstimator();
const ratio = (text: string): number => estimator.text(text) / exact(text);

// Written for these tests: nothing in them was used to fit the estimator.
const TEXTS: Readonly<Record<string, string>> = {
  code: `export async function readLines(path: string, onLine: (line: string) => void): Promise<number> {
  let rest = '';
  let count = 0;
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      onLine(line);
      count += 1;
    }
  }
  if (rest.length > 0) onLine(rest);
  return count + Number(rest.length > 0);
}
`,
  Python: `class RingBuffer:
    """Keeps the newest items and forgets the rest."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self._items = [None] * capacity
        self._next = 0
        self._size = 0

    def push(self, item) -> None:
        self._items[self._next] = item
        self._next = (self._next + 1) % len(self._items)
        self._size = min(self._size + 1, len(self._items))
`,
  prose: `When the river rose in spring the whole village moved its animals to the upper fields. Nobody
thought of leaving; the water had come before, and it had always gone again. What was different this
year was the bridge, which had been rebuilt too low, so that every branch the flood carried got stuck
under it and the meadow behind the mill turned into a lake.`,
  'minified JSON': JSON.stringify(
    Array.from({ length: 30 }, (_, index) => ({
      id: index,
      name: `item ${index}`,
      tags: ['new', 'featured'],
      price: { amount: 1_000 + 37 * index, currency: 'EUR' },
      available: index % 3 > 0,
    })),
  ),
  'grep output': Array.from(
    { length: 40 },
    (_, index) =>
      `packages/server/src/routes/${index % 2 ? 'users' : 'orders'}.ts:${17 * index + 3}:    return response.status(404).send('not found');`,
  ).join('\n'),
  'a test report': Array.from(
    { length: 40 },
    (_, index) => ` ✓ test/parser/literals.test.ts > parses numbers (${index} ms)`,
  ).join('\n'),
};

const DENSE: Readonly<Record<string, string>> = {
  'a log': Array.from(
    { length: 30 },
    (_, index) =>
      `2026-05-${10 + (index % 20)}T08:${10 + index}:59.${100 + 7 * index}Z INFO [worker-${index % 4}] request_id=9f8e7d6c-5b4a-4392-8170-${String(918273645546 + 977 * index)} GET /api/items/${index * 31} status=200 duration_ms=${3 * index}`,
  ).join('\n'),
  hexadecimal: Array.from({ length: 40 }, (_, index) =>
    (0x9e3779b97f4a7c15n * BigInt(2 * index + 1)).toString(16),
  ).join('\n'),
  base64: btoa(
    Array.from({ length: 900 }, (_, index) =>
      String.fromCharCode(Math.imul(index + 1, 2_654_435_761) >>> 24),
    ).join(''),
  ),
};

const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: TEXTS.prose as string,
  'simplified Han':
    '春天河水上涨的时候，全村的人都把牲口赶到高处的田里。没有人想过要离开，因为大水以前也来过，每次最后都会退去。今年不同的是那座桥，它修得太低了，洪水带来的树枝都卡在桥下，磨坊后面的草地变成了一片湖。请先运行测试，然后修改配置文件中的端口号。',
  'traditional Han':
    '春天河水上漲的時候，全村的人都把牲口趕到高處的田裡。沒有人想過要離開，因為大水以前也來過，每次最後都會退去。今年不同的是那座橋，它修得太低了，洪水帶來的樹枝都卡在橋下，磨坊後面的草地變成了一片湖。',
  Kana: 'はるになってかわのみずがふえると、むらのひとたちはみんな、どうぶつをたかいところへつれていきました。だれもにげようとはおもいませんでした。ファイルのダウンロードにはサーバーへのアクセスがひつようです。',
  Japanese:
    '春になって川の水が増えると、村の人たちは皆、家畜を高い場所にある畑へ連れて行きました。誰も逃げようとは思いませんでした。設定ファイルを変更してから、もう一度テストを実行してください。',
  Hangul:
    '봄이 되어 강물이 불어나자 마을 사람들은 모두 가축을 높은 곳에 있는 밭으로 옮겼다. 아무도 떠날 생각을 하지 않았다. 설정 파일을 수정한 다음 테스트를 다시 실행해 주세요.',
  Cyrillic:
    'Когда весной поднялась река, вся деревня увела скот на верхние поля. Никто и не думал уезжать: вода приходила и раньше и всегда уходила. Сначала запустите тесты, затем измените номер порта в файле настроек.',
  emoji: '😀😃😄 👍🎉🚀 ❤️🔥 🙏😂🤣 👀✨💯 🐛🔧✅ 🤔😅😎',
  'decomposed Latin':
    "Quand la rivière monta au printemps, le village entier mena ses bêtes aux prés d'en haut. L'année où tout a changé, le pont était trop bas.".normalize(
      'NFD',
    ),
  'decomposed Hangul': '봄이 되어 강물이 불어나자 마을 사람들은 모두 떠났다.'.normalize('NFD'),
};

describe('createEstimator().text (T2)', () => {
  test.each([
    ['', 0, 0],
    ['a', 1, 2],
    ['\n', 1, 1],
    ['hello', 1, 2],
    ['hello world', 2, 3],
    ['-'.repeat(1_000), 10, 30],
    [' '.repeat(1_000), 10, 50],
  ])('%j is %i to %i tokens', (text, least, most) => {
    expect(estimator.text(text)).toBeGreaterThanOrEqual(least);
    expect(estimator.text(text)).toBeLessThanOrEqual(most);
  });

  const SIGNS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

  test.each(oneIn(4, SIGNS))(
    'a long run of %s is not free: it is never counted below half',
    (sign) => {
      for (const length of [100, 1_000, 20_000])
        expect(ratio(sign.repeat(length))).toBeGreaterThan(0.5);
    },
  );

  // A short text repeats itself, so its error is larger than that of whole files.
  test.each(Object.entries(TEXTS))('%s is close to the exact count, rather above it', (_, text) => {
    expect(ratio(text)).toBeGreaterThan(0.9);
    expect(ratio(text)).toBeLessThan(1.2);
  });

  test.each(Object.entries(DENSE))('%s is within a quarter of the exact count', (_, text) => {
    expect(ratio(text)).toBeGreaterThan(0.8);
    expect(ratio(text)).toBeLessThan(1.25);
  });

  test.each(Object.entries(SCRIPTS))('case 56: %s is never counted far too low', (_, text) => {
    expect(ratio(text)).toBeGreaterThan(0.9);
    expect(ratio(text)).toBeLessThan(1.35);
  });

  test('case 56: a surrogate pair counts once, by its code point', () => {
    expect(estimator.text('😀'.repeat(50))).toBeLessThan(50 * 2.5);
    expect(estimator.text('𠀀'.repeat(50))).toBeLessThan(50 * 4);
  });

  test('case 102: one line of 3 MB counts as exactly as many short ones', () => {
    const line = (TEXTS['minified JSON'] as string).repeat(1_200);
    expect(line.length).toBeGreaterThan(3_000_000);
    const each = estimator.text(TEXTS['minified JSON'] as string);
    expect(estimator.text(line) / (1_200 * each)).toBeCloseTo(1, 1);
  });

  test('any string is a whole number of tokens, none only where there is no text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const tokens = estimator.text(text);
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens > 0 || text === '').toBe(true);
      }),
    );
  });

  test('text that is appended never lowers the count, and adds about its own', () => {
    const text = fc.oneof(
      fc.constantFrom(...Object.values(TEXTS), ...Object.values(SCRIPTS)),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(text, text, (first, second) => {
        const both = estimator.text(first + second);
        expect(both).toBeGreaterThanOrEqual(estimator.text(first));
        const apart = estimator.text(first) + estimator.text(second);
        expect(Math.abs(both - apart)).toBeLessThanOrEqual(5 + 0.02 * apart);
      }),
    );
  });
});
