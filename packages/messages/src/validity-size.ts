import { isRecord } from '@varve/guards';
import type { RequestLike } from './check-request.ts';
import { walk } from './plain-value.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Report } from './violation.ts';

/** Counts what providers count whatever the tokens: the bytes of a request, and its images and documents. */
export function checkSize(request: RequestLike, profile: ProviderProfile, report: Report): void {
  const { maxRequestBytes = Infinity, maxMedia = Infinity } = profile;
  if (maxRequestBytes === Infinity && maxMedia === Infinity) return;
  const { atLeastBytes, media } = measure([request.head, request.messages]);
  if (atLeastBytes > maxRequestBytes) report('request-too-large');
  if (media > maxMedia) report('too-many-media');
}

/**
 * A request is never smaller than its texts, and a text never has fewer bytes than UTF-16 units: no text is read. A
 * document counts once here, its pages to the provider, which alone knows them.
 */
function measure(value: unknown): { readonly atLeastBytes: number; readonly media: number } {
  let atLeastBytes = 0;
  let media = 0;
  const restart = () => {
    atLeastBytes = 0;
    media = 0;
  };
  const count = (next: unknown): boolean => {
    if (typeof next === 'string') atLeastBytes += next.length;
    if (isRecord(next) && (next.type === 'image' || next.type === 'document')) media++;
    return false;
  };
  walk(value, count, restart);
  return { atLeastBytes, media };
}
