import type { Material } from './content.ts';
import { envelope, formatBytes } from './envelope.ts';
import { FAILURE_TEXT, type StoreFailure } from './failure.ts';
import type { Settings } from './options.ts';
import type { Parcel } from './parcel.ts';
import { previewOf } from './preview/preview.ts';

interface ShownOptions {
  readonly query?: string | undefined;
}

/** What stands in the context in place of a result that was stored. */
export function storedText(
  material: Material,
  parcel: Parcel,
  { preview, readToolName, query }: Pick<Settings, 'preview' | 'readToolName'> & ShownOptions,
): string {
  const { handle, data, lines, hash } = parcel;
  const facts = { handle, bytes: data.length, lines, hash };
  if (material.binary !== undefined) {
    const notice = `The result is ${material.binary}, which cannot be shown as text. It was stored whole.`;
    return envelope(describe(material.binary, data.length), { ...facts, notice });
  }
  const { text, cutAtLine = 1 } = previewOf(material.text, { ...preview, query });
  const range = `{"handle":"${handle}","lines":[${cutAtLine},${cutAtLine + 99}]}`;
  const notice =
    `The result was too long to show and was stored whole; what a gap stands for can be read with ` +
    `${readToolName}, e.g. ${range} or {"handle":"${handle}","search":"text"}. Cut at line ${cutAtLine}.`;
  return envelope(text, { ...facts, notice });
}

interface TruncatedOptions extends ShownOptions {
  readonly reason: StoreFailure;
  readonly style: 'by-content' | 'head';
  /** Most UTF-16 units, the envelope included. */
  readonly maxChars: number;
}

/** What can be kept of a result that could not be stored, and what became of the rest. */
export function truncatedText(
  material: Material,
  parcel: Parcel,
  options: TruncatedOptions,
): string {
  const { reason, style, maxChars, query } = options;
  const { data, lines, hash } = parcel;
  const notice =
    `The result was too long to show and could not be stored: ${FAILURE_TEXT[reason]}. What a gap stands for is gone; ` +
    'if it is needed, ask for it again in smaller parts.';
  const facts = { bytes: data.length, lines, hash, notice };
  if (material.binary !== undefined) return envelope(describe(material.binary, data.length), facts);
  const room = Math.max(200, Math.floor(maxChars) - envelope('', facts).length);
  return envelope(previewOf(material.text, { maxChars: room, style, query }).text, facts);
}

const describe = (what: string, bytes: number): string => `${what}, ${formatBytes(bytes)}`;
