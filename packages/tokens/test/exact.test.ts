import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { afterAll, describe, expect, test } from 'vitest';
import { loadExactCounter } from '../src/exact.ts';

const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;

const folder = new URL('../src/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

const TEXTS: Readonly<Record<string, string>> = {
  'no text': '',
  'one letter': 'a',
  'one space': ' ',
  'one line break': '\r\n',
  prose: "Don't panic: WE'LL see what they've done. It's 12,345.67 km (approx.)\n\nNext §1.",
  'cased names': 'getElementByID XMLHttpRequest iPhone12Pro ABCdef ÀÉßtraße ǅungla ʰx',
  'contractions at odd places': "I'm YOU'RE 'so ''s x'ſ 'Ll l'L don'",
  'minified JSON': '{"a":[1,22,333,4444],"b":{"c":null,"d":"e\\n\\u00e9"}}',
  'grep output': 'src/a.ts:12:  const x = y ?? z; // why\nsrc/b.ts:340:export {};\n',
  'a unified diff':
    '@@ -1,3 +1,4 @@\n-old line\n+new line\n \tcontext\n\\ No newline at end of file\n',
  'a log line':
    '2026-03-04T05:06:07.089Z WARN [w-3] id=5f0c1c2e-93a1-4d9b-8a1f-0e4f7f1b2c3d 200 12ms',
  hexadecimal: 'deadbeef00ff 0xCAFE 5d41402abc4b2a76b9719d911017c592',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  Chinese: '编译器找不到模块“fs”的声明文件。请检查路径，然后重试！１２３',
  Japanese: 'このファイルは存在しません。もう一度やり直してください。ｶﾀｶﾅ',
  Korean: '파일을 찾을 수 없습니다. 경로를 확인한 다음 다시 시도하세요.',
  Russian: 'Не удалось найти файл; проверьте путь и повторите попытку — ещё раз.',
  Arabic: 'لم يتم العثور على الملف، تحقق من المسار وأعد المحاولة ٣٤٥',
  Hindi: 'फ़ाइल नहीं मिली। पथ जाँचें और फिर से प्रयास करें।',
  Thai: 'ไม่พบไฟล์ กรุณาตรวจสอบเส้นทาง',
  decomposed: 'e\u0301a\u0308 \u0301x U\u0308BER \u1100\u1161\u11a8',
  emoji: '😀😃 👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 ☀️ 1️⃣',
  'digits of many kinds': '٣٤٥ ½ Ⅻ 𝟙𝟚𝟛𝟜 12²',
  'white space of many kinds': 'a\u00a0b\u2003\u2003c\u3000d\u0085e\ufefff \t \n \r\n\n  x  ',
  'control characters': '\u0000\u0001 a\u0000b\u001b[31mred\u001b[0m\u007f',
  'box drawing': '├── src\n│   └── index.ts\n═══════════════╗ ▓▓▓░░',
  'slashes after signs': 'a //\n/*\r\n*/ https://x.y/z?a=b#c ...///\n//\n',
};

describe.each(ENCODINGS)('loadExactCounter (T3), %s', async (encoding) => {
  const counter = await loadExactCounter({ encoding });
  const tiktoken = get_encoding(encoding);
  afterAll(() => tiktoken.free());
  const expectEqual = (text: string) => {
    const expected = [...tiktoken.encode_ordinary(text)];
    expect(counter.count(text)).toBe(expected.length);
    expect(counter.encode(text)).toEqual(expected);
  };

  test.each(Object.entries(TEXTS))('counts %s as tiktoken does', (_, text) => {
    expectEqual(text);
    expectEqual(text.repeat(3));
    expectEqual(`x ${text}`);
  });

  test('counts every source file of this package as tiktoken does', () => {
    expect(sources.length).toBeGreaterThan(20);
    for (const [, text] of sources) expectEqual(text);
  });

  test.each([
    'a',
    ' ',
    '\n',
    '=',
    '😀',
    '\t',
    '\r\n',
    'ab',
    '的',
    '-=',
    'é',
    "'s",
    '\u0301',
    'A',
    '0',
  ])('counts a run of %j as tiktoken does', (unit) => {
    for (const length of [1, 2, 3, 7, 63, 64, 65, 500, 2_000]) expectEqual(unit.repeat(length));
    expectEqual(`x${unit.repeat(777)}y`);
  });

  test('counts texts longer than its window as tiktoken does, wherever the window cuts them', () => {
    const all = Object.values(TEXTS).join('\n');
    const long = all.repeat(Math.ceil(40_000 / all.length));
    for (const shift of [0, 1, 2, 3, 5]) expectEqual(`${'.'.repeat(shift)}${long}`);
    // A surrogate pair, a contraction, a number and a run of blanks across the first cut.
    for (const cut of ['😀😀😀', "it's it'll", '1234567', '      x', 'ABCDef', '\n\n\n\n']) {
      for (let at = 16_384 - cut.length; at <= 16_384; at++) {
        expectEqual(`${'hello world '.repeat(1_366).slice(0, at)}${cut} and more`);
      }
    }
  });

  test('any string counts as tiktoken counts it', () => {
    const piece = fc.oneof(
      fc.constantFrom(...Object.values(TEXTS)),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(..."aAé \n\r\t's1/.-的😀\u0301\u00a0ʰ") }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => expectEqual(pieces.join(''))),
    );
  });

  test('case 57: the names of special tokens count as the plain text they are', () => {
    const names = ['<|endoftext|>', '<|im_start|>', '<|fim_prefix|>', '<|endofprompt|>'];
    for (const name of [...names, '<|endofthing|>']) {
      expectEqual(name);
      expectEqual(`before${name}after ${name}\n`);
      expect(counter.count(name)).toBeGreaterThan(1);
    }
  });

  test('case 57: half surrogates count as U+FFFD', () => {
    for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800', '\ud83d \ude00', '😀\ud83d']) {
      expectEqual(text);
      expect(counter.count(text)).toBe(counter.count(text.replace(/\p{Surrogate}/gu, '\ufffd')));
    }
  });

  test.each(['a', ' ', '\n', '=', '😀', '的', 'ab'])(
    'encodes 100 KB of %j to tokens that spell it again',
    (unit) => {
      const text = unit.repeat(100_000 / unit.length);
      const ranks = counter.encode(text);
      expect(new TextDecoder().decode(tiktoken.decode(Uint32Array.from(ranks)))).toBe(text);
      expect(counter.count(text)).toBe(ranks.length);
    },
  );
});
