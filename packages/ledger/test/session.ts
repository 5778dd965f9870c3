import type { Message, Origin } from '@varve/messages';
import { createLedger, type Ledger } from '../src/index.ts';

type FactType = ReturnType<Ledger['facts']>[number]['type'];

/** Tokens as one in four characters: any measure does. */
export const sizeOf = (text: string): number => Math.ceil(text.length / 4);

let count = 0;
const nextId = (): string => `m${++count}`;

export function says(text: string, origin?: Origin): Message {
  const content = [{ type: 'text', text }];
  return { id: nextId(), role: 'user', content, ...(origin !== undefined && { origin }) };
}

export function answers(text: string): Message {
  return { id: nextId(), role: 'assistant', content: [{ type: 'text', text }] };
}

interface Ran {
  readonly result?: string;
  readonly isError?: boolean;
}

/** A call and its result. */
export function runs(
  name: string,
  input: unknown,
  { result = 'ok', isError }: Ran = {},
): Message[] {
  const id = `call-${nextId()}`;
  const failed = isError === undefined ? {} : { is_error: isError };
  return [
    { id: nextId(), role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    {
      id: nextId(),
      role: 'user',
      origin: { kind: 'tool' },
      content: [{ type: 'tool_result', tool_use_id: id, content: result, ...failed }],
    },
  ];
}

export const bash = (command: string, ran?: Ran): Message[] => runs('Bash', { command }, ran);

export function ledgerOf(...messages: readonly (Message | readonly Message[])[]): Ledger {
  const ledger = createLedger();
  for (const message of messages.flat()) ledger.add(message as Message);
  return ledger;
}

/** Facts of a type, `key: value` each, in the order they came up. */
export function factsOf(ledger: Ledger, type: FactType): string[] {
  return ledger
    .facts()
    .filter((fact) => fact.type === type)
    .map(({ key, value }) => `${key}: ${value}`);
}

export function valuesOf(ledger: Ledger, type: FactType): string[] {
  return ledger
    .facts()
    .filter((fact) => fact.type === type)
    .map(({ value }) => value);
}
