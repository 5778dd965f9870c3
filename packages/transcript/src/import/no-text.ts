/** How files begin that have to be unpacked before they can be read, and how that is done. */
const PACKED: readonly (readonly [start: readonly number[], text: string])[] = [
  [[0x1f, 0x8b], 'packed with gzip: unpack it first (gunzip, or tar -xzf)'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive: unpack it first (unzip)'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'packed with Zstandard: unpack it first (unzstd)'],
  [[0x42, 0x5a, 0x68], 'packed with bzip2: unpack it first (bunzip2)'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'packed with xz: unpack it first (unxz)'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive: unpack it first (7z x)'],
];

/** As many bytes of the start of a file as {@link noText} looks at. */
export const START_BYTES = 8;

/** What to do about a file that nothing can be made of. */
export const RESTORE = 'take it from a backup, or leave it out';

/** Why a file that begins with these bytes is no text in UTF-8, and what to do; undefined where the start does not tell. */
export function noText(start: Uint8Array): string | undefined {
  const packed = PACKED.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (packed !== undefined) return `the file is ${packed[1]}`;
  return isUtf16(start)
    ? 'the text is in UTF-16: save it in UTF-8 (iconv -f UTF-16 -t UTF-8)'
    : undefined;
}

/** By its mark, or by a NUL beside each of the first letters. */
function isUtf16([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return first === 0
    ? second > 0 && third === 0 && fourth > 0
    : second === 0 && third > 0 && fourth === 0;
}
