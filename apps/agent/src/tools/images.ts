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
