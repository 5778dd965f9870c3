/** Kinds of images that every provider takes, by the ending of their files. */
export const IMAGES: Readonly<Record<string, string>> = {
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};
export const IMAGE_TYPES: readonly string[] = [...new Set(Object.values(IMAGES))];
/** A larger one, in base64, is refused. */
export const MOST_IMAGE_BYTES = 3_750_000;

/** How files of such an image begin, one letter a byte; a stop is any byte. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/jpeg': ['\u00ff\u00d8\u00ff'],
  'image/png': ['\u0089PNG\r\n\u001a\n'],
  'image/webp': ['RIFF....WEBP'],
};

/** What kind of image it is by what it holds, whatever its name: a provider refuses a request with another one in it. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const fits = (wanted: string) =>
    [...wanted].every((sign, at) => sign === '.' || sign === start[at]);
  return IMAGE_TYPES.find((type) => BEGINNINGS[type]?.some(fits));
}
