/** Text that no file holds: tool output, logs, hashes, pictures in letters. */
export interface Generators {
  readonly grep: () => string;
  readonly testReport: () => string;
  readonly diff: () => string;
  readonly log: () => string;
  readonly emoji: () => string;
  readonly base64: () => string;
  readonly hex: () => string;
}

/** What the generated output talks about. */
export interface GeneratorMaterial {
  readonly code: string;
  readonly prose: string;
  /** Paths of source files. */
  readonly paths: readonly string[];
}

export interface GeneratorOptions extends GeneratorMaterial {
  readonly seed: number;
  /** UTF-16 units of each text. */
  readonly units: number;
}

/** Seeded generators: the same seed and units give the same text. */
export function createGenerators(options: GeneratorOptions): Generators {
  const { units, code } = options;
  const random = createRandom(options.seed);
  const fill = (line: (index: number) => string): string => {
    const lines: string[] = [];
    for (let length = 0, index = 0; length < units; index++) {
      const next = line(index);
      lines.push(next);
      length += next.length + 1;
    }
    return lines.join('\n').slice(0, units);
  };
  return {
    grep: () => fill(grepLine(options, random)),
    testReport: () => fill(testLine(options, random)),
    diff: () => fill(diffHunk(options, random)),
    log: () => fill(() => logLine(random)),
    emoji: () => fill(() => emojiLine(random)),
    base64: () => fill((index) => base64Line(index, code, random)),
    hex: () => fill((index) => hexLine(index, code, random)),
  };
}

/** A small seeded generator (mulberry32). */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

const linesOf = (code: string): string[] =>
  code.split('\n').filter((line) => line.trim().length > 8 && line.length < 160);

function grepLine({ code, paths }: GeneratorMaterial, random: Random): () => string {
  const lines = linesOf(code);
  let path = random.pick(paths);
  return () => {
    if (random.below(6) === 0) path = random.pick(paths);
    return `${path}:${1 + random.below(900)}:${random.pick(lines)}`;
  };
}

function testLine({ prose, paths }: GeneratorMaterial, random: Random): () => string {
  const titles = prose.match(/(?<=[ \n])[a-z]+(?: [a-z]+){2,7}(?=[ .,\n])/g) ?? [];
  return () => {
    const file = random.pick(paths).replace(/\.\w+$/, '.test.ts');
    const kind = random.below(10);
    if (kind < 3) return ` ✓ ${file} (${1 + random.below(40)} tests) ${random.below(900)}ms`;
    if (kind < 8) return `   ✓ ${random.pick(titles)} ${random.below(90)}ms`;
    if (kind < 9) {
      const place = `${file}:${random.below(400)}:${random.below(60)}`;
      return ` FAIL  ${file} > ${random.pick(titles)}\nAssertionError: expected ${random.below(99)} to equal ${random.below(99)}\n    at ${place}`;
    }
    return ` Test Files  ${random.below(30)} passed (${random.below(30)})\n   Duration  ${random.below(9)}.${random.below(99)}s`;
  };
}

function diffHunk({ code, paths }: GeneratorMaterial, random: Random): () => string {
  const lines = code.split('\n').filter((line) => line.length < 160);
  return () => {
    const path = random.pick(paths);
    const from = random.below(lines.length - 20);
    const body = lines.slice(from, from + 6 + random.below(12)).map((line) => {
      const mark = random.pick([' ', ' ', ' ', '-', '+']);
      return `${mark}${line}`;
    });
    const at = 1 + random.below(500);
    const hash = () => hexOf(random, 7);
    return `diff --git a/${path} b/${path}\nindex ${hash()}..${hash()} 100644\n--- a/${path}\n+++ b/${path}\n@@ -${at},${body.length} +${at},${body.length} @@\n${body.join('\n')}`;
  };
}

const two = (value: number): string => String(value).padStart(2, '0');

function logLine(random: Random): string {
  const time = `2026-${two(1 + random.below(12))}-${two(1 + random.below(28))}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}.${String(random.below(1000)).padStart(3, '0')}Z`;
  const uuid = [8, 4, 4, 4, 12].map((length) => hexOf(random, length)).join('-');
  const level = random.pick(['INFO', 'INFO', 'WARN', 'DEBUG', 'ERROR']);
  const path = random.pick(['/api/users', '/api/orders', '/health', '/v1/messages']);
  return `${time} ${level} [worker-${random.below(16)}] request_id=${uuid} ${random.pick(['GET', 'POST'])} ${path}/${random.below(99_999)} status=${random.pick([200, 200, 404, 500])} duration_ms=${random.below(2_000)}`;
}

// What chats, commit messages and reports of tools are full of.
const POPULAR_EMOJI = Array.from(
  '😂❤😍🤣😊🙏💕😭😘👍😅👏😁🔥💔💖💙😢🤔😆🙄💪😉☺👌🤗💜😔😎😇🌹🎉💞✌✨😱😌🌸🙌😋💛🙂🤩😄😀😃💯👇😒✅❌⚠💡📝🔧🐛📦🔍⭐👀🚀🎯📌🔒🔑📊📈📁ℹ➡⬆🏗🧪⚡♻🚧🌍💬🤖☕✔',
);
const OTHER_EMOJI = [0x1f600, 0x1f400, 0x1f340, 0x1f680, 0x1f910, 0x2600];

function emojiLine(random: Random): string {
  const one = () => {
    const emoji =
      random.below(10) < 7
        ? random.pick(POPULAR_EMOJI)
        : String.fromCodePoint(random.pick(OTHER_EMOJI) + random.below(64));
    const extra = random.below(12);
    if (extra === 0) return `${emoji}\u{1f3fd}`;
    return extra < 3 ? `${emoji}\ufe0f` : emoji;
  };
  const line = Array.from({ length: 4 + random.below(20) }, one).join(random.pick(['', ' ']));
  return random.below(2) === 0
    ? `${line} ${random.pick(['done', 'all good here', 'ship it'])}`
    : line;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const lettersOf = (alphabet: string, random: Random, length: number): string =>
  Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');

/** Random bytes and bytes of text in turn: what is compressed, and what is not. */
function base64Line(index: number, code: string, random: Random): string {
  const length = 60 + random.below(3_000);
  return index % 2 === 0
    ? lettersOf(BASE64, random, length)
    : btoa(asciiSlice(code, length, random));
}

function asciiSlice(code: string, length: number, random: Random): string {
  const from = random.below(Math.max(1, code.length - length));
  return code.slice(from, from + length).replace(/[^\n -~]/g, '?');
}

const hexOf = (random: Random, length: number): string =>
  lettersOf('0123456789abcdef', random, length);

function hexLine(index: number, code: string, random: Random): string {
  if (index % 4 === 3) {
    const codes = [...asciiSlice(code, 48, random)].map((char) => char.charCodeAt(0));
    return codes.map((value) => value.toString(16).padStart(2, '0')).join('');
  }
  if (index % 3 === 0) return hexOf(random, 64);
  if (index % 3 === 1) return `${hexOf(random, 40)}  ${hexOf(random, 8)}`;
  const words = Array.from({ length: 8 }, () => hexOf(random, 4)).join(' ');
  return `${(index * 16).toString(16).padStart(8, '0')}: ${words}`;
}
