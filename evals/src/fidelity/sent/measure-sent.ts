import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isThinking, type Message } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import { hashUnit } from '../../demand/vocabulary.ts';
import { EvalsError } from '../../error.ts';
import { loadStrategies } from '../../load-strategies.ts';
import { replayAndWait } from '../../replay/replay.ts';
import type { ThreadBackground } from '../../replay/replay-file.ts';
import { planSession, type SessionPlan } from '../../replay/session-plan.ts';
import { resolvePricing } from '../../resolve-pricing.ts';
import { importNamed, mainThreads } from '../../session/import-threads.ts';
import { rawHistory } from '../../session/raw-history.ts';
import type { SessionFile } from '../../session/session-files.ts';
import type { Strategy } from '../../strategy.ts';
import type { Fact } from '../facts/fact.ts';
import { momentsAt } from '../moments.ts';
import { askedOf, saidIn } from '../questions/left-of.ts';
import type { Question, QuestionPoint } from '../questions/load.ts';

export interface MeasureSentOptions {
  /** One for each main thread, in order; null for one that does not count. */
  readonly backgrounds: readonly (ThreadBackground | null)[];
  readonly strategies: readonly string[];
  /** Those of all sessions. */
  readonly points: readonly QuestionPoint[];
}

/** What one strategy's request holds at one place of a session. */
export interface SentRow {
  readonly session: string;
  readonly project: number;
  /** Index of the recorded reply that the request was sent for. */
  readonly place: number;
  readonly strategy: string;
  /** Of the request, without its head. */
  readonly tokens: number;
  /** Said facts that the whole conversation holds there, and how many of these the request does; none at a point of questions. */
  readonly said: { readonly facts: number; readonly kept: number } | null;
  /** Questions asked there, by id, and whether the request holds the answer of each. */
  readonly asked: Readonly<Record<string, boolean>>;
}

/** Replays the main threads of a file and looks at what is sent at five places of a long one, and at its points of questions. */
export async function measureSent(
  file: SessionFile,
  { backgrounds, strategies: names, points }: MeasureSentOptions,
): Promise<readonly SentRow[]> {
  const strategies = await loadStrategies(names);
  const digest = createHash('sha256')
    .update(await readFile(file.path))
    .digest('hex');
  const own = points.filter((point) => point.digest === digest);
  const rows: SentRow[] = [];
  const threads = mainThreads(await importNamed(file), file.name);
  for (const [at, { session, thread }] of threads.entries()) {
    const background = backgrounds[at];
    if (background == null) continue;
    const known = new Set(background.guessable);
    const plan = planSession(thread, resolvePricing({}), {
      isGuessable: (unit) => known.has(hashUnit(unit)),
    });
    const isMeant = ({ thread: id }: QuestionPoint) =>
      id === undefined ? at === 0 : id === thread.id;
    const places = placesOf(plan, own.filter(isMeant));
    const names = { session, project: background.project };
    rows.push(...(await lookAt(plan, strategies, places)).map((row) => ({ ...names, ...row })));
  }
  return rows;
}

export interface SentPlaces {
  /** Facts said before a reply; none where they are not looked for. */
  readonly facts: ReadonlyMap<number, readonly Fact[]>;
  readonly questions: ReadonlyMap<number, readonly Question[]>;
}

function placesOf(plan: SessionPlan, points: readonly QuestionPoint[]): SentPlaces {
  const facts = new Map<number, readonly Fact[]>();
  if (isLong(plan)) {
    for (const { place, facts: found } of momentsAt(plan.cuts, plan.recording))
      facts.set(
        place.messageIndex,
        found.filter(({ type }) => type === 'said'),
      );
  }
  const questions = new Map<number, readonly Question[]>();
  for (const point of points) {
    const place = replyOf(plan, point.messageIndex);
    questions.set(place, [...(questions.get(place) ?? []), ...point.questions]);
  }
  return { facts, questions };
}

/** In the recording, where rewinds and summaries have no part. Throws `stale-questions` where no request was sent for it. */
export function replyOf({ recording, thread }: SessionPlan, messageIndex: number): number {
  const id = rawHistory(thread as ImportedThread)[messageIndex]?.id;
  const place = recording.history.findIndex((message) => message.id === id);
  if (recording.replies.includes(place)) return place;
  const text = `Questions are asked at message ${messageIndex}, for which no request is sent in the replay of this session. Ask them at a reply.`;
  throw new EvalsError('stale-questions', text);
}

const LEAST_REQUESTS = 60;
const LEAST_PEAK_TOKENS = 100_000;

/** Sessions that are long enough for a strategy to matter. */
function isLong({ recording }: SessionPlan): boolean {
  const { history, replies, headSize, sizes } = recording;
  const sent = history.slice(0, replies.at(-1) ?? 0);
  const peak = sent.reduce((sum, message) => sum + sizes.message(message), headSize.tokens);
  return replies.length >= LEAST_REQUESTS && peak >= LEAST_PEAK_TOKENS;
}

/** The baseline comes first: what it holds is what can be kept. */
export async function lookAt(
  plan: SessionPlan,
  strategies: readonly Strategy[],
  { facts, questions }: SentPlaces,
): Promise<readonly Omit<SentRow, 'session' | 'project'>[]> {
  const sizeOf = plan.recording.sizes.message;
  const held = new Map<number, readonly Fact[]>();
  const rows: Omit<SentRow, 'session' | 'project'>[] = [];
  for (const [at, { name: strategy, ...rest }] of strategies.entries()) {
    await replayAndWait(plan, { name: strategy, ...rest }, (place, { messages: sent }) => {
      const [wanted, asked] = [facts.get(place), questions.get(place)];
      if (wanted === undefined && asked === undefined) return;
      const messages = sent.map(withoutThinking);
      const said = saidIn(messages, (at === 0 ? wanted : held.get(place)) ?? []);
      if (at === 0) held.set(place, [...said]);
      const answered = askedOf(messages, asked ?? []);
      rows.push({
        ...{ place, strategy },
        tokens: sent.reduce((sum, message) => sum + sizeOf(message), 0),
        said: wanted ? { facts: held.get(place)?.length ?? 0, kept: said.size } : null,
        asked: Object.fromEntries((asked ?? []).map(({ id }) => [id, answered.has(id)])),
      });
    });
  }
  return rows;
}

const bare = new WeakMap<Message, Message>();

/** What a text to read shows; always the same message, so that it is read once. */
function withoutThinking(message: Message): Message {
  const found = bare.get(message);
  if (found !== undefined) return found;
  const content = message.content.filter((block) => !isThinking(block));
  const made = content.length === message.content.length ? message : { ...message, content };
  bare.set(message, made);
  return made;
}
