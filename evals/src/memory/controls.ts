import { randomFrom } from '../random.ts';
import { type Chain, type ChainSession, type ItemOf, itemsOf, truthsOf } from './chain.ts';
import { validAt } from './score.ts';
import { statementsOf } from './statements.ts';
import { holdsAny } from './words.ts';

/**
 * Writers and consolidations whose figures are known beforehand: if they do not come out as expected, the measurement is
 * wrong. The best of those that understand nothing are the floor that an extraction and a dream have to beat.
 */
export type FakeWriter = (chain: Chain, sessions?: readonly ChainSession[]) => readonly string[];

const saidBy = (
  sessions: readonly ChainSession[],
  isWanted: (text: string, origin: string) => boolean,
) =>
  sessions.flatMap(({ messages }) =>
    messages
      .filter(({ text, origin }) => isWanted(text, origin))
      .flatMap(({ text }) => statementsOf(text)),
  );

const CUES = [
  ...['always', 'never', 'must', 'prefer', 'please', 'remember', 'correction', 'change of plan'],
  ...['we are going to', 'we will', 'we use', 'tracked', 'moved to', 'due on', 'from now on'],
  ...['i am', "i'm", 'again', 'as i said', 'no longer', 'rule', 'right', 'joined'],
];
const CHANGES = [
  ...['correction', 'change of plan', 'moved to', 'from now on', 'forget', 'no longer', 'instead'],
  ...['rule is gone', 'again'],
];

export const FAKE_WRITERS = {
  nothing: () => [],
  'append everything': (_, sessions = _.sessions) => saidBy(sessions, () => true),
  'all user messages': (_, sessions = _.sessions) =>
    saidBy(sessions, (_text, origin) => origin === 'user'),
  'cue words': (_, sessions = _.sessions) =>
    saidBy(sessions, (text, origin) => origin === 'user' && holdsAny(text, CUES)),
  'first value wins': (_, sessions = _.sessions) =>
    saidBy(
      sessions,
      (text, origin) => origin === 'user' && holdsAny(text, CUES) && !holdsAny(text, CHANGES),
    ),
  ideal: (chain, sessions = chain.sessions) => [...idealMemory(chain, sessions).values()],
  'paid per statement': (chain, sessions = chain.sessions) => [
    ...idealMemory(chain, sessions).values(),
    ...validAt(chain.items, lastOf(sessions)).map(({ paraphrase }) => paraphrase),
    ...saidBy(sessions, (_text, origin) => origin === 'user' || origin === 'assistant'),
  ],
} as const satisfies Readonly<Record<string, FakeWriter>>;

const lastOf = (sessions: readonly ChainSession[]): number =>
  Math.max(0, ...sessions.map(({ id }) => id));

/** Knows the items, and takes the sessions in the order in which they come: what a later one says replaces the earlier. */
function idealMemory({ items }: Chain, sessions: readonly ChainSession[]): Map<string, string> {
  const memory = new Map<string, string>();
  const truths = truthsOf(items);
  for (const { id: session } of sessions) {
    for (const { id, end } of truths) if (end === session) memory.delete(id);
    for (const { id, from, statement } of truths) if (from === session) memory.set(id, statement);
  }
  return memory;
}

/** A statement of a memory, and when it came into it. */
export interface PlantedStatement {
  readonly text: string;
  readonly type: ItemOf<'durable'>['type'];
  readonly session: number;
}

/** All that is true at the end, all that is bad, and what was said twice, in its other words; by when it was planted. */
export function pollutedMemory({ items, sessions }: Chain): readonly PlantedStatement[] {
  const last = sessions.length;
  const types = new Map(items.flatMap((item) => ('type' in item ? [[item.id, item.type]] : [])));
  const typeOf = (id: string) => types.get(id) ?? 'project';
  const statements: PlantedStatement[] = [];
  for (const { id, from, end, statement } of truthsOf(items)) {
    if (from <= last) statements.push({ text: statement, type: typeOf(id), session: from });
    const again = itemsOf(items, 'repeated').find(
      ({ of, session }) => of === id && session >= from,
    );
    const valid = validAt(items, last).find((truth) => truth.id === id && truth.end === end);
    if (again !== undefined && valid !== undefined)
      statements.push({ text: valid.paraphrase, type: typeOf(id), session: again.session });
  }
  for (const kind of ['false', 'injected', 'forbidden'] as const)
    for (const { statement, session } of itemsOf(items, kind))
      statements.push({ text: statement, type: 'project', session });
  for (const { value, session } of itemsOf(items, 'secret'))
    statements.push({ text: `The key is ${value.join('')}.`, type: 'reference', session });
  return statements.sort((one, other) => one.session - other.session);
}

export type FakeDream = (statements: readonly string[], chain: Chain) => readonly string[];

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

const likeness = (one: string, other: string): number => {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common / Math.max(1, Math.min(left.size, right.size));
};

export const FAKE_DREAMS = {
  'do nothing': (statements) => statements,
  'delete everything': () => [],
  'delete a random half': (statements) => {
    const random = randomFrom(1);
    const drawn = statements.map((text) => ({ text, at: random() })).sort((a, b) => a.at - b.at);
    const kept = new Set(drawn.slice(0, statements.length / 2).map(({ text }) => text));
    return statements.filter((text) => kept.has(text));
  },
  'keep the newest 10': (statements) => statements.slice(-10),
  // of two that are alike the newer stays
  'merge by likeness': (statements) =>
    statements.filter(
      (text, at) => !statements.slice(at + 1).some((other) => likeness(text, other) >= 0.5),
    ),
  'one vague line': () => ['The user has wishes about tests, storage and answers.'],
  ideal: (_, { items, sessions }) =>
    validAt(items, sessions.length).map(({ statement }) => statement),
} as const satisfies Readonly<Record<string, FakeDream>>;
