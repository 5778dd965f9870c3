import { isRecord } from '@varve/guards';
import { ForkError } from '../error.ts';
import type { Mail } from './mail.ts';

/** Mail from JSON that somebody else may have written; undefined where it is none. */
export function parseMail(json: string): Mail | undefined {
  const value = attempt(() => JSON.parse(json));
  if (!isRecord(value) || !isRecord(value.body)) return undefined;
  const { id, from, to, body } = value;
  if (typeof id !== 'string' || typeof from !== 'string' || typeof to !== 'string')
    return undefined;
  const fields = Object.hasOwn(BODIES, String(body.kind)) ? BODIES[String(body.kind)] : undefined;
  const isWhole = fields && Object.entries(fields).every(([name, type]) => fits(body[name], type));
  return isWhole ? (value as unknown as Mail) : undefined;
}

type FieldType = 'string' | 'boolean' | 'string?';

const BODIES: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = {
  text: { text: 'string', summary: 'string' },
  'shutdown-request': { reason: 'string?' },
  'shutdown-response': { requestId: 'string', accepted: 'boolean', reason: 'string?' },
  'plan-approval-request': { plan: 'string' },
  'plan-approval-response': { requestId: 'string', approved: 'boolean', feedback: 'string?' },
};

const fits = (value: unknown, type: FieldType): boolean =>
  type === 'string?' ? value === undefined || typeof value === 'string' : typeof value === type;

/** The JSON of a mail. Throws `bad-mail` for what `parseMail` would not read back: it could only be put aside. */
export function mailJson(mail: Mail): string {
  const json = attempt(() => JSON.stringify(mail));
  if (typeof json === 'string' && parseMail(json)) return json;
  const text =
    'Mail needs `id`, `from` and `to` as text, and a `body` of a kind that exists with its fields; it was not delivered.';
  throw new ForkError('bad-mail', text);
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}
