import zlib, { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { HttpRequest } from '../core/http.ts';

/** The body of a request as text, unpacked where it can be. */
export function bodyText({ body, headers }: HttpRequest): string {
  const unpack = UNPACK.get(headers['content-encoding']?.trim().toLowerCase() ?? '');
  try {
    return decode(unpack ? unpack(body, { maxOutputLength: MOST_BYTES }) : body);
  } catch {
    // it is not what its header says, or much too large
    return decode(body);
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Twice what the largest body of a provider may have. */
const MOST_BYTES = 128 * 2 ** 20;

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const UNPACK = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  // by its object, so that a Node without it fails here and not at the import
  ['zstd', (bytes, options) => zlib.zstdDecompressSync(bytes, options)],
]);
