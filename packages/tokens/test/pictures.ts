// Pictures with nothing but a header, and padding where the format allows it: real files as far as a size goes.

export interface PictureOptions {
  readonly width: number;
  readonly height: number;
  /** Bytes that make the file longer and the picture no larger. */
  readonly padding: number;
}

type Bytes = readonly number[];

const big = (value: number, length: number): Bytes =>
  Array.from({ length }, (_, index) => (value / 256 ** (length - 1 - index)) & 0xff);

const little = (value: number, length: number): Bytes => big(value, length).toReversed();

const ascii = (text: string): Bytes => [...text].map((char) => char.charCodeAt(0));

function base64(...parts: readonly (Bytes | Uint8Array)[]): string {
  return Buffer.concat(parts.map((part) => Uint8Array.from(part))).toString('base64');
}

/** The padding is an ancillary chunk after the header. */
export function png({ width, height, padding }: PictureOptions): string {
  const chunk = (type: string, data: Bytes | Uint8Array) => [
    big(data.length, 4),
    ascii(type),
    data,
    big(0, 4),
  ];
  const header = [...big(width, 4), ...big(height, 4), 8, 2, 0, 0, 0];
  return base64(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', header),
    ...chunk('teXt', new Uint8Array(padding)),
  );
}

const LONGEST_SEGMENT = 65_533;

/** The padding is a row of application segments before the frame, as cameras write them. */
export function jpeg({ width, height, padding }: PictureOptions): string {
  const segments: (Bytes | Uint8Array)[] = [];
  for (let left = padding; left > 0; left -= LONGEST_SEGMENT) {
    const length = Math.min(left, LONGEST_SEGMENT);
    segments.push([0xff, 0xe1, ...big(length + 2, 2)], new Uint8Array(length));
  }
  const frame = [0xff, 0xc0, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3];
  return base64([0xff, 0xd8], ...segments, frame, new Uint8Array(10));
}

export const gif = ({ width, height, padding }: PictureOptions): string =>
  base64(ascii('GIF89a'), little(width, 2), little(height, 2), new Uint8Array(padding));

export const webp = ({ width, height, padding }: PictureOptions): string =>
  base64(
    ascii('RIFF'),
    little(padding + 22, 4),
    ascii('WEBPVP8X'),
    little(10, 4),
    [0, 0, 0, 0],
    little(width - 1, 3),
    little(height - 1, 3),
    new Uint8Array(padding),
  );

export const pdf = (bytes: number): string => base64(ascii('%PDF-1.7\n'), new Uint8Array(bytes));
