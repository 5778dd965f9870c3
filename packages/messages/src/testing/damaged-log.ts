import * as fc from 'fast-check';
import type { Block, Entry, Message } from '../types.ts';
import { validLog } from './valid-log.ts';

/** One thing that went wrong with a log on its way. */
export type DamageKind = keyof typeof DAMAGES;

export interface DamagedLog {
  readonly entries: readonly Entry[];
  /** What was done to a valid log, in this order; may be without effect on a short one. */
  readonly damages: readonly DamageKind[];
}

/** A valid log after one to three damages: entries lost, doubled, swapped or cut off, blocks emptied, ids wrong. */
export function damagedLog(): fc.Arbitrary<DamagedLog> {
  const kinds = Object.keys(DAMAGES) as DamageKind[];
  const damage = fc.record({ kind: fc.constantFrom(...kinds), place: fc.nat() });
  return fc
    .tuple(validLog(), fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([log, done]) => ({
      entries: done.reduce<readonly Entry[]>(
        (entries, { kind, place }) =>
          entries.length === 0 ? entries : DAMAGES[kind](entries, place % entries.length),
        log,
      ),
      damages: done.map(({ kind }) => kind),
    }));
}

type Damage = (entries: readonly Entry[], index: number) => readonly Entry[];

const DAMAGES = {
  'lost-entry': (entries, index) => entries.toSpliced(index, 1),
  'lost-tail': (entries, index) => entries.slice(0, index),
  'lost-start': (entries, index) => entries.slice(index),
  'doubled-entry': (entries, index) => entries.toSpliced(index, 0, entries[index] as Entry),
  'swapped-entries': (entries, index) =>
    entries.toSpliced(index, 2, ...entries.slice(index, index + 2).reverse()),
  'emptied-message': (entries, index) => withMessage(entries, index, () => ({ content: [] })),
  'emptied-text': (entries, index) =>
    withMessage(entries, index, ({ content }) => ({
      content: [...content, { type: 'text', text: '' }],
    })),
  'wrong-call-id': (entries, index) =>
    withMessage(entries, index, ({ content }) => ({ content: content.map(otherCall) })),
  'empty-id': (entries, index) => withMessage(entries, index, () => ({ id: '' })),
  'half-surrogate': (entries, index) =>
    withMessage(entries, index, ({ content }) => ({
      content: [...content, { type: 'text', text: 'cut \uD83D' }],
    })),
} satisfies Record<string, Damage>;

/** Damages the first message at or behind `index`. */
function withMessage(
  entries: readonly Entry[],
  index: number,
  change: (message: Message) => Partial<Message>,
): readonly Entry[] {
  const found = entries.findIndex((entry, at) => at >= index && entry.type === 'message');
  const entry = entries[found];
  if (entry?.type !== 'message') return entries;
  return entries.with(found, { ...entry, message: { ...entry.message, ...change(entry.message) } });
}

function otherCall(block: Block): Block {
  if (block.type === 'tool_result') return { ...block, tool_use_id: 'nobody' };
  return block.type === 'tool_use' ? { ...block, id: '' } : block;
}
