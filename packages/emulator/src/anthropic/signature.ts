import { fingerprint } from '@varve/messages';

/** What a signature of this server says of its thinking block. */
export interface Signature {
  readonly model: string;
  /** Fingerprint of everything before the block except thinking. */
  readonly prefix: string;
  /** Fingerprint of the block's own text. */
  readonly text: string;
  /** Signature of the thinking block before this one, as a fingerprint; empty for the first. */
  readonly previous: string;
}

const MARK = 'emu1';

/** Signs thinking so that a later request can be checked without any memory of this one. */
export function sign({ model, prefix, text, previous }: Signature): string {
  const fields = [prefix, text, previous, model].join('.');
  return `${MARK}.${fields}.${fingerprint(`${MARK}.${fields}`)}`;
}

/** Undefined for a signature that is not of this server, or was altered. */
export function readSignature(signature: unknown): Signature | undefined {
  if (typeof signature !== 'string') return undefined;
  const [mark, prefix, text, previous, ...rest] = signature.split('.');
  const seal = rest.pop();
  if (mark !== MARK || prefix === undefined || text === undefined || previous === undefined) {
    return undefined;
  }
  const model = rest.join('.');
  const read = { model, prefix, text, previous };
  return seal !== undefined && sign(read) === signature ? read : undefined;
}
