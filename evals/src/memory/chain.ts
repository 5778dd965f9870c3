import { z } from 'zod';
import { EvalsError } from '../error.ts';
import { isDate } from './dates.ts';
import { holds, holdsAny } from './words.ts';

/** The format of `evals/chains`; its README says what every field means. */
const text = z.string().min(1);
const id = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const session = z.int().positive();
const words = z.array(z.array(text).min(1)).min(1);
const alternatives = z.array(text).min(1);
const type = z.enum(['user', 'feedback', 'project', 'reference']);

/** What is not to be saved. */
export const CLAUSES = ['conventions', 'paths', 'git', 'fix', 'instructions', 'task'] as const;

const messageSchema = z.discriminatedUnion('origin', [
  z.strictObject({ origin: z.literal('user'), text }),
  z.strictObject({ origin: z.literal('assistant'), text }),
  z.strictObject({
    origin: z.literal('tool'),
    tool: text,
    input: z.record(z.string(), z.unknown()).optional(),
    text,
  }),
  z.strictObject({ origin: z.literal('agent'), agent: text, prompt: text.optional(), text }),
  z.strictObject({ origin: z.literal('recalled'), text }),
  z.strictObject({ origin: z.literal('instruction'), path: text, text }),
  z.strictObject({ origin: z.literal('synthetic'), text }),
]);
const fixtureSchema = z.strictObject({
  origin: z.literal('fixture'),
  path: text,
  start: z.int().nonnegative(),
  end: z.int().positive(),
});

const told = { words, without: alternatives.optional(), statement: text };
const kept = { ...told, paraphrase: text };
const planted = { id, session, ...told };

const itemSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...{ id, type, from: session, until: session.optional(), ...kept },
    kind: z.literal('durable'),
  }),
  z.strictObject({
    ...{ id, type, until: session.optional() },
    kind: z.literal('changed'),
    versions: z.array(z.strictObject({ from: session, ...kept })).min(2),
  }),
  z.strictObject({
    ...{ id, type, from: session, forgottenIn: session, ...kept },
    kind: z.literal('forgotten'),
  }),
  z.strictObject({
    ...planted,
    kind: z.literal('false'),
    source: z.enum(['assistant', 'guess']),
    truth: id.optional(),
  }),
  z.strictObject({
    ...planted,
    kind: z.literal('injected'),
    source: z.enum(['tool', 'agent']),
  }),
  z.strictObject({ id, session, kind: z.literal('secret'), value: z.array(text).min(1) }),
  z.strictObject({
    ...planted,
    kind: z.literal('forbidden'),
    clause: z.enum(CLAUSES),
  }),
  z.strictObject({
    ...{ id, session, of: id },
    kind: z.literal('repeated'),
    how: z.enum(['reworded', 'recalled']),
  }),
  z.strictObject({ id, session, of: id, kind: z.literal('relative'), words }),
]);

const turnSchema = z.strictObject({
  id,
  after: session,
  text,
  needs: z.array(id),
  acts: z.strictObject({ item: id, right: alternatives, wrong: alternatives }).optional(),
});

const chainSchema = z.strictObject({
  version: z.literal(1),
  name: id,
  about: text,
  heldBack: z.boolean().default(false),
  sessions: z
    .array(
      z.strictObject({
        id: session,
        date: z.iso.date(),
        messages: z.array(z.union([messageSchema, fixtureSchema])).min(1),
      }),
    )
    .min(1),
  items: z.array(itemSchema).min(1),
  turns: z.array(turnSchema).default([]),
});

/** A chain as its file says it, with parts of recorded sessions only named. */
export type ChainFile = Readonly<z.infer<typeof chainSchema>>;
export type FixtureMessage = z.infer<typeof fixtureSchema>;
export type ChainMessage = z.infer<typeof messageSchema>;
export type Item = z.infer<typeof itemSchema>;
export type ItemKind = Item['kind'];
export type ItemOf<Kind extends ItemKind> = Extract<Item, { kind: Kind }>;
export type Clause = ItemOf<'forbidden'>['clause'];
export type Turn = z.infer<typeof turnSchema>;

export interface ChainSession {
  readonly id: number;
  readonly date: string;
  readonly messages: readonly ChainMessage[];
}

/** A chain whose texts are all there. */
export interface Chain {
  readonly name: string;
  readonly about: string;
  readonly heldBack: boolean;
  readonly sessions: readonly ChainSession[];
  readonly items: readonly Item[];
  readonly turns: readonly Turn[];
}

/** Something that is true for a while. */
export interface Truth {
  /** Of the item. */
  readonly id: string;
  readonly kind: 'durable' | 'changed' | 'forgotten';
  readonly words: ItemOf<'durable'>['words'];
  readonly without: readonly string[] | undefined;
  readonly statement: string;
  readonly paraphrase: string;
  /** First session after which it is true. */
  readonly from: number;
  /** First session after which it is no longer. */
  readonly end: number;
}

/** What is true at some time; each version of what changes by itself. */
export const truthsOf = (items: readonly Item[]): readonly Truth[] => items.flatMap(truthsIn);

function truthsIn(item: Item): readonly Truth[] {
  const { id, kind } = item;
  if (kind === 'changed') {
    const last = item.until === undefined ? Number.POSITIVE_INFINITY : item.until + 1;
    return item.versions.map(({ from, words, without, statement, paraphrase }, at) => ({
      ...{ id, kind, words, without, statement, paraphrase, from },
      end: item.versions[at + 1]?.from ?? last,
    }));
  }
  if (kind !== 'durable' && kind !== 'forgotten') return [];
  const { from, words, without, statement, paraphrase } = item;
  const until = kind === 'durable' ? item.until : item.forgottenIn - 1;
  const end = until === undefined ? Number.POSITIVE_INFINITY : until + 1;
  return [{ id, kind, words, without, statement, paraphrase, from, end }];
}

export const itemsOf = <Kind extends ItemKind>(
  items: readonly Item[],
  kind: Kind,
): readonly ItemOf<Kind>[] => items.filter((item): item is ItemOf<Kind> => item.kind === kind);

/** Reads a file of `evals/chains`. Throws `bad-chain` with everything that is wrong with its form. */
export function parseChain(json: string, name: string): ChainFile {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new EvalsError('bad-chain', `${name} is no JSON.`, { cause });
  }
  const parsed = chainSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${nameOfPlace(value, path)}: ${message}`,
    );
    throw badChain(name, faults);
  }
  const faults = faultsOfForm(parsed.data, name);
  if (faults.length > 0) throw badChain(name, faults);
  return parsed.data;
}

export const badChain = (name: string, faults: readonly string[]): EvalsError =>
  new EvalsError(
    'bad-chain',
    `${name} is no chain that can be measured:\n  ${faults.join('\n  ')}`,
  );

/** `items[3] "staging-port" versions[0].words`: the id says more than the place. */
function nameOfPlace(value: unknown, path: readonly PropertyKey[]): string {
  const [list, at, ...rest] = path;
  if (typeof at !== 'number') return path.map(String).join('.');
  const each = (value as Record<PropertyKey, { readonly id?: unknown }[]>)[list as string]?.[at];
  const named = each?.id === undefined ? '' : ` "${String(each.id)}"`;
  return `${String(list)}[${at}]${named} ${rest.map(String).join('.')}`.trim();
}

function faultsOfForm(chain: ChainFile, name: string): readonly string[] {
  const faults: string[] = [];
  if (chain.name !== name) faults.push(`its name is ${chain.name}, that of its file ${name}`);
  for (const [at, { id, date }] of chain.sessions.entries()) {
    if (id !== at + 1) faults.push(`sessions[${at}]: its id is ${id}, not ${at + 1}`);
    const before = chain.sessions[at - 1]?.date ?? date;
    if (date < before) faults.push(`sessions[${at}]: ${date} is before ${before}`);
  }
  for (const [list, each] of [
    ['items', chain.items],
    ['turns', chain.turns],
  ] as const) {
    const seen = new Set<string>();
    for (const { id } of each) {
      if (seen.has(id)) faults.push(`${list}: two have the id "${id}"`);
      seen.add(id);
    }
  }
  return [...faults, ...faultsOfReferences(chain)];
}

function faultsOfReferences({ sessions, items, turns }: ChainFile): readonly string[] {
  const faults: string[] = [];
  const last = sessions.length;
  const isTrue = new Set(truthsOf(items).map(({ id }) => id));
  const expectSession = (owner: string, at: number | undefined) => {
    if (at !== undefined && at > last) faults.push(`"${owner}": there is no session ${at}`);
  };
  const expectTrue = (owner: string, id: string | undefined) => {
    if (id !== undefined && !isTrue.has(id))
      faults.push(`"${owner}": there is no durable, changed or forgotten item "${id}"`);
  };
  for (const item of items) {
    if ('session' in item) expectSession(item.id, item.session);
    if (item.kind === 'false') expectTrue(item.id, item.truth);
    if (item.kind === 'repeated' || item.kind === 'relative') expectTrue(item.id, item.of);
    if (item.kind === 'secret' && item.value.join('').length < 8)
      faults.push(`"${item.id}": a secret has 8 characters or more`);
  }
  for (const { id, from, end } of truthsOf(items)) {
    expectSession(id, from);
    if (Number.isFinite(end)) expectSession(id, end - 1);
    if (end <= from)
      faults.push(`"${id}": it ends before it begins, or its versions are in no order`);
  }
  for (const { id, after, needs, acts } of turns) {
    expectSession(id, after);
    for (const each of needs) expectTrue(id, each);
    expectTrue(id, acts?.item);
  }
  return faults;
}

/** Puts the values of the chain's secrets where its texts name them. Other braces are what somebody wrote. */
export function withSecrets(chain: Chain): Chain {
  const values = new Map(
    itemsOf(chain.items, 'secret').map(({ id, value }) => [id, value.join('')]),
  );
  const filled = (given: string): string =>
    given.replace(/\{\{([^{}]*)\}\}/g, (whole, id: string) => values.get(id) ?? whole);
  const sessions = chain.sessions.map((each) => ({
    ...each,
    messages: each.messages.map((message) => ({ ...message, text: filled(message.text) })),
  }));
  return { ...chain, sessions };
}

/** What is wrong with what a chain says: items that do not stand in its sessions. */
export function faultsOfTexts({ sessions, items }: Chain): readonly string[] {
  const faults: string[] = [];
  const textsIn = (at: number, origins: readonly ChainMessage['origin'][]): readonly string[] =>
    (sessions[at - 1]?.messages ?? [])
      .filter(({ origin }) => origins.includes(origin))
      .map(({ text }) => text);
  for (const { id, from, words: groups } of truthsOf(items)) {
    const said = textsIn(from, ['user', 'assistant']).join('\n\n');
    for (const group of groups) {
      if (!group.every(isDate) && !holdsAny(said, group))
        faults.push(`"${id}": nobody says ${group.join(' | ')} in session ${from}`);
    }
  }
  for (const item of items) {
    if (item.kind === 'secret') {
      const texts = textsIn(item.session, ORIGINS);
      if (!texts.some((each) => each.includes(item.value.join(''))))
        faults.push(`"${item.id}": no text of session ${item.session} holds {{${item.id}}}`);
    } else if (item.kind === 'false' || item.kind === 'injected' || item.kind === 'forbidden') {
      const texts = textsIn(item.session, SOURCES[item.kind === 'forbidden' ? 'any' : item.source]);
      if (!texts.some((each) => holds(each, { words: item.words })))
        faults.push(
          `"${item.id}": its words stand together in no text of session ${item.session} by its source`,
        );
    } else if (item.kind === 'relative') {
      if (!textsIn(item.session, ['user', 'assistant']).some((each) => holds(each, item)))
        faults.push(`"${item.id}": nobody says its words in session ${item.session}`);
    } else if (item.kind === 'repeated' && item.how === 'recalled') {
      const texts = textsIn(item.session, ['recalled']);
      const versions = truthsOf(items).filter(({ id }) => id === item.of);
      if (!texts.some((each) => versions.some((version) => holds(each, version))))
        faults.push(`"${item.id}": no recalled text of session ${item.session} holds "${item.of}"`);
    }
  }
  return faults;
}

const ORIGINS: readonly ChainMessage['origin'][] = [
  ...(['user', 'assistant', 'tool', 'agent', 'recalled', 'instruction', 'synthetic'] as const),
];
const SOURCES = {
  assistant: ['assistant'],
  guess: ['assistant', 'user'],
  tool: ['tool'],
  agent: ['agent'],
  any: ORIGINS,
} as const;
