import { codeOf } from '@varve/guards';
import { redact } from '@varve/redact';

/** A text on one line for a person or a model, in which no sign is hidden: escapes and marks of direction are written out. */
export const shown = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\P{C}]|[^\P{Z} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** The same of several lines, for a person who is to decide: all that is there is seen, and nothing hides what stands before it. */
export const visible = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[^\P{Z} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** What was thrown, in words; of a request that was refused, what the provider says, without secrets. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const refusal = refusalIn(thrown);
  return refusal === undefined ? thrown.message : `${thrown.message} It says: ${refusal}`;
}

function refusalIn(thrown: Error): string | undefined {
  const { cause } = thrown;
  if (!(cause instanceof Error)) return undefined;
  return codeOf(thrown) === 'invalid-request'
    ? shown(redact(cause.message)).slice(0, MOST_REFUSAL_CHARS)
    : refusalIn(cause);
}

const MOST_REFUSAL_CHARS = 500;
