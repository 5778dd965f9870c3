import { isMostlyLost, lossText } from './losses.ts';
import type { RecordedReply } from './recorded-replies.ts';
import type { SessionFacts } from './session-facts.ts';

/** Why a thread is in no mean. */
export type LeftOutWhy = 'copy' | 'fork' | 'sub-agent' | 'short' | 'lossy';

/** A thread that is in no mean, and why. */
export interface LeftOut {
  readonly file: number;
  readonly thread: number;
  readonly session: string;
  readonly why: LeftOutWhy;
  /** The thread that stands for it, for a copy or a fork. */
  readonly of: string | null;
  readonly requests: number;
  /** Those that no other thread holds. */
  readonly ownRequests: number;
  /** What is said of it, without its name. */
  readonly text: string;
  /** Replayed and counted all the same, because nothing else is there. */
  readonly counted: boolean;
}

/** What all files together were billed, each reply once. */
export interface RecordedBills {
  readonly requests: number;
  readonly billedRequests: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  readonly unpricedTokens: number;
  /** Tokens without a known price by the model that was recorded. */
  readonly unpricedModels: Readonly<Record<string, number>>;
  /** The part of sub-agents. */
  readonly subAgents: {
    readonly threads: number;
    readonly requests: number;
    readonly dollars: number;
  };
  /** Replies that stood in another file as well. */
  readonly sharedRequests: number;
}

export interface Counted {
  readonly leftOut: readonly LeftOut[];
  readonly bills: RecordedBills;
}

interface Thread {
  readonly file: number;
  readonly thread: number;
  readonly session: string;
  readonly facts: SessionFacts;
  readonly replies: readonly RecordedReply[];
  readonly requests: number;
  readonly lacksStart: boolean;
}

/**
 * Which main threads count, so that a session, its copies, resumes and forks count as one: a parent stands for its forks, of others the longest. Sub-agents,
 * threads too short for anything to be cleared and sessions of which much is missing are in the bills and in no mean. The
 * order of the files decides nothing.
 */
export function countOnce(files: readonly SessionFacts[]): Counted {
  const threads = files
    .flatMap((facts, file) =>
      facts.mains.map(({ session, replies, lacksStart }, thread): Thread => {
        const requests = replies.filter(({ isMessage }) => isMessage).length;
        return { file, thread, session, facts, replies, requests, lacksStart };
      }),
    )
    .sort(byRank);
  const families = familiesOf(threads);
  const left = families.flatMap(({ shown, others }) => {
    const held = new Set(shown.replies.flatMap(keysOf));
    const why = reasonFor(shown);
    const rest = others.map((each) => {
      const own = each.replies.filter(
        (reply) => reply.isMessage && !keysOf(reply).some((key) => held.has(key)),
      ).length;
      return leftOut(each, own === 0 ? 'copy' : 'fork', { of: shown.session, own });
    });
    return [...(why === undefined ? [] : [leftOut(shown, why)]), ...rest];
  });
  const whys = families.map(({ shown }) => reasonFor(shown));
  const counted = whys.includes(undefined)
    ? undefined
    : IF_NOTHING_ELSE.find((why) => whys.includes(why));
  return {
    leftOut: left
      .map((each) => ({ ...each, counted: each.why === counted }))
      .sort((one, other) => one.file - other.file || one.thread - other.thread),
    bills: billsOf(files, families),
  };
}

function leftOut(
  { file, thread, session, facts, requests, lacksStart }: Thread,
  why: LeftOutWhy,
  { of = null, own = requests }: { readonly of?: string | null; readonly own?: number } = {},
): Omit<LeftOut, 'counted'> {
  const text = {
    copy: `holds nothing that ${of} does not`,
    fork: `a fork of ${of}, ${plural(own, 'request')} of its own`,
    'sub-agent': 'a sub-agent',
    short: `${plural(requests, 'request')}: nothing to clear`,
    lossy: lacksStart
      ? `a fork of ${facts.parent?.id}, whose file is not there`
      : lossText(facts.losses),
  }[why];
  return { file, thread, session, why, of, requests, ownRequests: own, text };
}

function reasonFor({ facts, requests, lacksStart }: Thread): LeftOutWhy | undefined {
  if (facts.parent?.kind === 'sub-agent') return 'sub-agent';
  if (lacksStart || isMostlyLost(facts.losses)) return 'lossy';
  return requests < MIN_REQUESTS ? 'short' : undefined;
}

const IF_NOTHING_ELSE: readonly LeftOutWhy[] = ['short', 'sub-agent', 'lossy'];

/** With fewer there is no older result to clear. */
const MIN_REQUESTS = 3;

/** Threads that share replies; the first stands for all. */
interface Family {
  readonly shown: Thread;
  readonly others: readonly Thread[];
}

function familiesOf(threads: readonly Thread[]): readonly Family[] {
  const group = threads.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (group[root] !== root) root = group[root] as number;
    return root;
  };
  const join = (one: number, other: number): void => {
    const [low, high] = [rootOf(one), rootOf(other)].sort((left, right) => left - right);
    group[high as number] = low as number;
  };
  const holders = new Map<string, number[]>();
  for (const [at, { replies }] of threads.entries()) {
    for (const key of new Set(replies.filter(({ isMessage }) => isMessage).flatMap(keysOf))) {
      const known = holders.get(key);
      if (known) known.push(at);
      else holders.set(key, [at]);
    }
  }
  const said: (readonly [string, readonly number[]])[] = [];
  for (const [key, found] of holders) {
    if (key.startsWith(ID)) for (const other of found) join(found[0] as number, other);
    else said.push([key, found]);
  }
  const alike = new Map<string, number>();
  for (const [key, found] of said) {
    if (new Set(found.map(rootOf)).size === 1) continue;
    for (const [one, other] of pairsOf(found)) {
      if (rootOf(one) === rootOf(other)) continue;
      const [id, otherId] = [threads[one]?.facts.id, threads[other]?.facts.id];
      if (key.startsWith(OWN) && (id === null || id !== otherId)) continue;
      // the replies of a pair are counted by one kind of key, not a reply by each of its keys
      const pair = `${one} ${other} ${key.slice(0, key.indexOf(':'))}`;
      const shared = (alike.get(pair) ?? 0) + 1;
      alike.set(pair, shared);
      const both = [threads[one] as Thread, threads[other] as Thread];
      const least = key.startsWith(ASKED) ? leastAsked(both) : 0;
      if (shared >= Math.max(least, leastAlike(both))) join(one, other);
    }
  }
  for (const [at, { facts }] of threads.entries()) {
    const parent = facts.parent?.kind === 'fork' ? facts.parent.id : undefined;
    const found = threads.findIndex((each) => parent !== undefined && each.facts.id === parent);
    if (found !== -1) join(at, found);
  }
  const members = new Map<number, Thread[]>();
  for (const [at, thread] of threads.entries()) {
    const known = members.get(rootOf(at));
    if (known) known.push(thread);
    else members.set(at, [thread]);
  }
  return [...members.values()].map(([shown, ...others]) => ({ shown: shown as Thread, others }));
}

const pairsOf = (all: readonly number[]): (readonly [number, number])[] =>
  all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other] as const));

const hasIds = ({ replies }: Thread): boolean => replies.some(({ idKey }) => idKey !== null);

/** Two runs of one task may begin with the same words; so many replies do not come twice. */
const MIN_ALIKE = 3;

/** Replies that two threads share when one holds the other's; without ids a short one is held as a whole. */
const leastAlike = (both: readonly Thread[]): number =>
  both.some(hasIds) ? MIN_ALIKE : Math.min(MIN_ALIKE, ...both.map(({ requests }) => requests));

/** Sessions that a program wrote may have many replies alike, to the millisecond and the message before; of copies most are. */
const leastAsked = (both: readonly Thread[]): number =>
  Math.ceil(0.75 * Math.min(...both.map(({ requests }) => requests)));

const ID = 'id:';
const ASKED = 'asked:';
const OWN = 'own:';
/** What a program wrote may be alike to the millisecond: a session has a name as well, or was told the same before. */
const keysOf = ({ idKey, chainKey, ownKey, askedKey }: RecordedReply): readonly string[] => [
  ...(idKey === null ? [`said:${chainKey}`] : [`${ID}${idKey}`, `timed:${chainKey}`]),
  ...(ownKey === undefined ? [] : [`${OWN}${ownKey}`]),
  ...(askedKey === undefined ? [] : [`${ASKED}${askedKey}`]),
];

const isDamaged = ({ facts, lacksStart }: Thread): boolean =>
  lacksStart || isMostlyLost(facts.losses);

const depth = ({ session }: Thread): number => session.split('/').length;

/**
 * Those that stand for others first: conversations before sub-agents, whole ones before damaged and short ones, a parent before its
 * forks, the longest, the one in the agent's own place, the one in the outer folder.
 */
function byRank(one: Thread, other: Thread): number {
  const rank = ({ facts }: Thread): number =>
    facts.parent === null ? 0 : facts.parent.kind === 'fork' ? 1 : 2;
  return (
    Number(rank(one) === 2) - Number(rank(other) === 2) ||
    Number(isDamaged(one)) - Number(isDamaged(other)) ||
    Number(one.requests < MIN_REQUESTS) - Number(other.requests < MIN_REQUESTS) ||
    rank(one) - rank(other) ||
    other.requests - one.requests ||
    one.facts.losses.droppedRecords - other.facts.losses.droppedRecords ||
    Number(other.facts.isInPlace ?? false) - Number(one.facts.isInPlace ?? false) ||
    depth(one) - depth(other) ||
    (one.session < other.session ? -1 : 1)
  );
}

/** Each reply once. */
function billsOf(files: readonly SessionFacts[], families: readonly Family[]): RecordedBills {
  const seen = new Map<string, Counter>();
  const counters: Counter[] = [];
  let shared = 0;
  const count = (
    reply: RecordedReply,
    {
      keys,
      isAgent,
      copyOf,
    }: { keys: readonly string[]; isAgent: boolean; copyOf?: Counter | undefined },
  ): Counter => {
    const known = keys.map((key) => seen.get(key)).find((each) => each !== undefined) ?? copyOf;
    const counter = known ?? { reply, isAgent };
    if (known === undefined) counters.push(counter);
    else if (reply.isMessage) shared += 1;
    // a fork's copy may carry no bill, and one that is damaged not the model that it was of
    if (worthOf(reply) > worthOf(counter.reply)) counter.reply = reply;
    for (const key of keys) if (!seen.has(key)) seen.set(key, counter);
    return counter;
  };
  for (const [at, { shown, others }] of families.entries()) {
    for (const { replies, facts } of [shown, ...others]) {
      const isAgent = facts.parent?.kind === 'sub-agent';
      for (const reply of replies) count(reply, { keys: keysIn(reply, at), isAgent });
    }
  }
  // Two of one file may be asked the same and say the same: they are no copies of each other. So the file with most of a kind has them all.
  const alike = agentReplies(files, families);
  const found = new Map<string, Counter[]>();
  for (const { key, holders } of byBill(alike)) {
    const own: Counter[] = [];
    for (const replies of holders)
      for (const [at, reply] of replies.entries()) {
        const copyOf = replies === holders[0] ? undefined : own[at];
        const counter = count(reply, { keys: idsIn(reply), isAgent: true, copyOf });
        if (replies === holders[0]) own.push(counter);
      }
    found.set(key, [...(found.get(key) ?? []), ...own]);
  }
  for (const { key, holders } of alike) {
    const own = found.get(key) ?? [];
    for (const replies of holders) {
      const unbilled = replies.filter(({ bill }) => bill === null);
      const first = replies.length - unbilled.length;
      for (const [at, reply] of unbilled.entries()) {
        const copyOf = own[first + at];
        own[first + at] = count(reply, { keys: idsIn(reply), isAgent: true, copyOf });
      }
    }
  }
  const agentFiles = families.filter(({ shown }) => shown.facts.parent?.kind === 'sub-agent');
  const inFiles = files.reduce((sum, { agents }) => sum + agents.length, 0);
  return { ...summed(counters, agentFiles.length + inFiles), sharedRequests: shared };
}

const worthOf = ({ bill }: RecordedReply): number =>
  bill === null ? 0 : bill.unpricedTokens > 0 ? 1 : 2;

interface Counter {
  reply: RecordedReply;
  readonly isAgent: boolean;
}

/** Replies that were asked for and said alike, of each file that holds any; that with most of them first. */
interface Alike {
  readonly key: string;
  readonly holders: readonly (readonly RecordedReply[])[];
}

/** Those of sub-agents within files, by family. */
function agentReplies(
  files: readonly SessionFacts[],
  families: readonly Family[],
): readonly Alike[] {
  return alikeOf(
    files.map(({ agents }, at) => ({
      place: families.findIndex(({ shown, others }) =>
        [shown, ...others].some(({ file }) => file === at),
      ),
      replies: agents.flatMap(({ replies }) => replies),
    })),
    ({ place }, { chainKey }) => `${place} ${chainKey}`,
  );
}

/** Those with one bill, the largest bills first. */
function byBill(alike: readonly Alike[]): readonly Alike[] {
  const groups = alike.flatMap(({ key, holders }) => {
    const billed = holders.map((replies) => ({
      replies: replies.filter(({ bill }) => bill !== null),
    }));
    return alikeOf(billed, (_, { bill }) => JSON.stringify(bill)).map((group) => ({
      key,
      holders: group.holders,
      bill: group.key,
    }));
  });
  const tokens = ({ holders }: Alike): number => {
    const bill = holders[0]?.[0]?.bill ?? NO_BILL;
    return bill.promptTokens + bill.outputTokens;
  };
  const name = ({ key, bill }: (typeof groups)[number]): string => `${key} ${bill}`;
  return groups.sort(
    (one, other) => tokens(other) - tokens(one) || (name(one) < name(other) ? -1 : 1),
  );
}

function alikeOf<F extends { readonly replies: readonly RecordedReply[] }>(
  files: readonly F[],
  keyOf: (file: F, reply: RecordedReply) => string,
): readonly Alike[] {
  const groups = new Map<string, Map<F, RecordedReply[]>>();
  for (const file of files)
    for (const reply of file.replies) {
      const key = keyOf(file, reply);
      const holders = groups.get(key) ?? new Map<F, RecordedReply[]>();
      groups.set(key, holders.set(file, [...(holders.get(file) ?? []), reply]));
    }
  return [...groups].map(([key, holders]) => ({
    key,
    holders: [...holders.values()].sort(
      (one, other) =>
        other.length - one.length || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1),
    ),
  }));
}

const idsIn = ({ idKey }: RecordedReply): readonly string[] => (idKey === null ? [] : [idKey]);

/** By its id wherever it stands; by what was said so far, or by its own record, only among threads that belong together. */
const keysIn = (reply: RecordedReply, place: number): readonly string[] => [
  ...idsIn(reply),
  `${place} ${reply.chainKey}`,
  ...(reply.ownKey === undefined ? [] : [`${place} ${reply.ownKey}`]),
];

function summed(
  counters: readonly Counter[],
  agentThreads: number,
): Omit<RecordedBills, 'sharedRequests'> {
  const unpricedModels = new Map<string, number>();
  const bills = counters.map(({ reply: { bill, model, covers }, isAgent }) => {
    if (bill !== null && bill.unpricedTokens > 0)
      unpricedModels.set(model, (unpricedModels.get(model) ?? 0) + bill.unpricedTokens);
    return {
      ...(bill ?? NO_BILL),
      billed: bill === null ? 0 : (covers ?? 1),
      isTotal: covers !== undefined,
      isAgent,
    };
  });
  const sum = (of: (bill: (typeof bills)[number]) => number): number =>
    // from the smallest, so that the order of files moves no digit
    bills
      .map(of)
      .sort((left, right) => left - right)
      .reduce((total, each) => total + each, 0);
  return {
    requests: sum(({ isTotal }) => Number(!isTotal)),
    billedRequests: sum(({ billed }) => billed),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    dollars: sum(({ dollars }) => dollars),
    unpricedTokens: sum(({ unpricedTokens }) => unpricedTokens),
    unpricedModels: Object.fromEntries(
      [...unpricedModels].sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
    subAgents: {
      threads: agentThreads,
      requests: sum(({ isAgent }) => Number(isAgent)),
      dollars: sum(({ isAgent, dollars }) => (isAgent ? dollars : 0)),
    },
  };
}

const NO_BILL = { promptTokens: 0, outputTokens: 0, dollars: 0, unpricedTokens: 0 };

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
