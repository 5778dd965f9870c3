/** Width and height of a picture, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size out of a PNG, GIF, WebP or JPEG picture in base64, from its first bytes (for JPEG: from the heads of its
 * segments), so that the cost does not grow with the picture. `undefined` where it cannot be found.
 */
export function imageSize(base64: string): ImageSize | undefined {
  const size = readSize((index) => byteAt(base64, index));
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

type ByteAt = (index: number) => number;

const SIGNATURES = {
  png: [0x89, 0x50, 0x4e, 0x47],
  gif: [0x47, 0x49, 0x46, 0x38],
  riff: [0x52, 0x49, 0x46, 0x46],
  jpeg: [0xff, 0xd8],
};

function readSize(at: ByteAt): ImageSize | undefined {
  const starts = (signature: readonly number[]) =>
    signature.every((byte, index) => at(index) === byte);
  if (starts(SIGNATURES.png)) return { width: big(at, 16, 4), height: big(at, 20, 4) };
  if (starts(SIGNATURES.gif)) return { width: little(at, 6, 2), height: little(at, 8, 2) };
  if (starts(SIGNATURES.riff)) return webpSize(at);
  return starts(SIGNATURES.jpeg) ? jpegSize(at) : undefined;
}

function webpSize(at: ByteAt): ImageSize | undefined {
  switch (String.fromCharCode(at(12), at(13), at(14), at(15))) {
    case 'VP8 ':
      return { width: little(at, 26, 2) & 0x3fff, height: little(at, 28, 2) & 0x3fff };
    case 'VP8L': {
      const bits = little(at, 21, 4);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: little(at, 24, 3) + 1, height: little(at, 27, 3) + 1 };
    default:
      return undefined;
  }
}

const MOST_SEGMENTS = 1_000;
const FRAME_MARKERS: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

function jpegSize(at: ByteAt): ImageSize | undefined {
  let segment = SIGNATURES.jpeg.length;
  for (let count = 0; count < MOST_SEGMENTS && at(segment) === 0xff; count++) {
    if (FRAME_MARKERS.has(at(segment + 1))) {
      return { height: big(at, segment + 5, 2), width: big(at, segment + 7, 2) };
    }
    segment += 2 + big(at, segment + 2, 2);
  }
  return undefined;
}

const big = (at: ByteAt, index: number, length: number): number => {
  let value = 0;
  for (let offset = 0; offset < length; offset++) value = value * 0x100 + at(index + offset);
  return value;
};

const little = (at: ByteAt, index: number, length: number): number => {
  let value = 0;
  for (let offset = length - 1; offset >= 0; offset--) value = value * 0x100 + at(index + offset);
  return value;
};

/** One byte of what the base64 stands for; 0 beyond its end. */
function byteAt(base64: string, index: number): number {
  const digit = Math.floor(index / 3) * 4 + (index % 3);
  const shift = 2 * (index % 3);
  const high = sextet(base64.charCodeAt(digit)) << (2 + shift);
  return (high | (sextet(base64.charCodeAt(digit + 1)) >> (4 - shift))) & 0xff;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const sextet = (code: number): number =>
  Number.isNaN(code) ? 0 : Math.max(0, ALPHABET.indexOf(String.fromCharCode(code)));
