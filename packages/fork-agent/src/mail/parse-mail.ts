import { isRecord } from '@varve/guards';
import type { Mail } from './mail.ts';

/** Mail from JSON that somebody else may have written; undefined where it is none. */
export function parseMail(json: string): Mail | undefined {
  const value = parse(json);
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

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
