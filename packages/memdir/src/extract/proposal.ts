import { isRecord, listOf, numberOf, textOf } from '@varve/guards';
import { type Statement, withoutEndLabel, withoutLabel } from '../evidence/statements.ts';
import { MEMORY_TYPES, type MemoryType } from '../header.ts';
import { withoutSecrets } from '../secrets.ts';

/** A statement that a model would add or remove, and the words of the user that it names for it. */
export interface Claim {
  readonly part: Statement['part'];
  readonly text: string;
  readonly turn: number | undefined;
  readonly quote: string;
}

/** What a model asks to be written. */
export interface Proposal {
  readonly path: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  readonly statements: readonly Claim[];
  readonly remove: readonly Claim[];
}

/** Reads the input of a save, whatever is in it; a text says what is wrong with it. */
export function parseProposal(input: unknown): Proposal | string {
  if (!isRecord(input))
    return 'The call has no input that can be read: give name, description, type and statements.';
  const name = flat(input.name);
  const description = flat(input.description);
  const type = MEMORY_TYPES.find((each) => each === textOf(input.type).toLowerCase());
  if (name === '') return 'It has no name: give a few words by which the topic is recognised.';
  if (description === '') return 'It has no description: say in one line what it states.';
  if (type === undefined) return `Its type has to be one of ${MEMORY_TYPES.join(', ')}.`;
  const statements = claimsOf(input.statements);
  const remove = claimsOf(input.remove);
  if (statements === undefined || remove === undefined || statements.length + remove.length === 0)
    return 'It has no statements that can be read: each needs part, text, turn and quote.';
  const path = textOf(input.path).trim();
  return { path: path === '' ? undefined : path, name, description, type, statements, remove };
}

/** Undefined where one of them is none. */
function claimsOf(given: unknown): readonly Claim[] | undefined {
  const list = listOf(given);
  const claims = list.flatMap((each): Claim[] => {
    if (!isRecord(each) || flat(each.text) === '') return [];
    const part = PARTS.find((known) => known === each.part) ?? 'rule';
    const turn = numberOf(each.turn);
    const text = withoutEndLabel(flat(each.text));
    // Its label is written with it, and not twice.
    const told = part === 'rule' ? text : withoutLabel(text) || text;
    return [{ part, text: told, turn, quote: textOf(each.quote).trim() }];
  });
  return claims.length === list.length ? claims : undefined;
}

const PARTS: readonly Statement['part'][] = ['rule', 'why', 'apply'];

/** On one line: what begins a new one in a file begins a header, a heading or a fence. No secret goes on from here. */
const flat = (value: unknown): string =>
  withoutSecrets(textOf(value).normalize('NFC').replace(/\s+/g, ' ').trim());
