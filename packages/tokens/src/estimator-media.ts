import type { ImageCost } from './estimator-family.ts';
import { type ImageSize, imageSize } from './image-size.ts';

/** A picture of unknown size, or a document: what many agents assume. A long document costs more than this, unseen. */
export const UNSIZED_MEDIA_TOKENS = 2_000;

/** Tokens of a picture from its size in pixels, or of one whose size is not known; the length of its encoding plays no part. */
export function imageTokens(cost: ImageCost, base64: string | undefined): number {
  if (cost.kind === 'fixed') return cost.tokens;
  const size = base64 === undefined ? undefined : imageSize(base64);
  if (cost.kind === 'tiles') return size === undefined ? UNSIZED_MEDIA_TOKENS : tiles(cost, size);
  return size === undefined ? Math.min(UNSIZED_MEDIA_TOKENS, cost.maxTokens) : patches(cost, size);
}

function patches(cost: ImageCost & { readonly kind: 'patches' }, size: ImageSize): number {
  const scale = Math.min(1, cost.longEdge / Math.max(size.width, size.height));
  const across = Math.ceil((size.width * scale) / cost.patch);
  const down = Math.ceil((size.height * scale) / cost.patch);
  return Math.min(across * down, cost.maxTokens);
}

function tiles(cost: ImageCost & { readonly kind: 'tiles' }, size: ImageSize): number {
  const fit = Math.min(1, cost.longEdge / Math.max(size.width, size.height));
  const scale = Math.min(fit, cost.shortEdge / Math.min(size.width, size.height));
  const across = Math.ceil((size.width * scale) / cost.tile);
  const down = Math.ceil((size.height * scale) / cost.tile);
  return cost.base + cost.perTile * across * down;
}
