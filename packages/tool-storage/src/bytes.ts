/** `encoding: 'binary'` where the bytes are no text in any way we know. */
export interface DecodedBytes {
  readonly encoding:
    | 'utf-8'
    /** Some bytes are not UTF-8; each stands as U+FFFD. */
    | 'utf-8-damaged'
    | 'utf-16le'
    | 'utf-16be'
    | 'windows-1252'
    | 'binary';
  readonly text: string;
}

/** What a decision about text or binary looks at, in characters or bytes. */
const SAMPLE = 8_192;
/** Random bytes have one control character in ten, text in any encoding close to none. */
const MAX_CONTROLS = 0.05;
/** Stray NULs are known of terminals; data and UTF-16 without a mark have many more. */
const MAX_NULS = 0.2;

/** Reads bytes as text: by byte-order mark, as UTF-8, as Western single bytes; a few NULs do not make a text binary. */
export function decodeBytes(bytes: Uint8Array): DecodedBytes {
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    if (hasMark(bytes, encoding))
      return { encoding, text: new TextDecoder(encoding).decode(bytes) };
  }
  if (magicOf(bytes) !== undefined) return BINARY;
  const text = asUtf8(bytes);
  if (text !== undefined) return isBinaryText(text) ? BINARY : { encoding: 'utf-8', text };
  const damaged = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (isMostlyUtf8(damaged)) return { encoding: 'utf-8-damaged', text: damaged };
  const sample = new TextDecoder('windows-1252').decode(bytes.subarray(0, SAMPLE));
  if (isBinaryText(sample)) return BINARY;
  return { encoding: 'windows-1252', text: new TextDecoder('windows-1252').decode(bytes) };
}

/** Whether a string is bytes that somebody decoded: by the share of control and replacement characters, escapes aside. */
export function isBinaryText(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  const rest = sample.replaceAll('\0', '').replace(COLOURS, '');
  if (sample.split('\0').length - 1 > Math.max(FEW, sample.length * MAX_NULS)) return true;
  const controls = rest.match(CONTROL)?.length ?? 0;
  return controls > Math.max(FEW, rest.length * MAX_CONTROLS);
}

/** So many control characters are no sign of anything, however short the text. */
const FEW = 8;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is sought
const COLOURS = /\x1b\[[0-?]*[ -/]*[@-~]/g;
const CONTROL = /[^\P{Cc}\t\n\r\f\b]|\ufffd/gu;

/** What the bytes are, e.g. `PNG image`; `undefined` for no known beginning. */
export function magicOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
}

const MAGIC: readonly (readonly [string, string])[] = [
  ['\x89PNG\r\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['\x7fELF', 'ELF program'],
  ['\0asm', 'WebAssembly module'],
  ['SQLite format 3\0', 'SQLite database'],
];

function hasMark(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const [low, high] = encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff];
  return bytes[0] === low && bytes[1] === high;
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined; // invalid, or too long for a string
    throw error;
  }
}

/** More characters beyond ASCII that came out right than bytes that did not. */
function isMostlyUtf8(text: string): boolean {
  const sample = text.slice(0, SAMPLE * 8);
  const wrong = sample.match(/\ufffd/g)?.length ?? 0;
  const right = sample.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return wrong < right && !isBinaryText(text);
}

const BINARY: DecodedBytes = { encoding: 'binary', text: '' };
