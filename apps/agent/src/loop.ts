import { type Context, ContextError } from '@varve/context';
import { type Block, isText, type Message, toolUses } from '@varve/messages';
import type { Emit } from './events.ts';
import type { Hooks } from './hooks/hooks.ts';
import { reminder } from './prompt/reminder.ts';
import type { Reminder, ReminderTime } from './reminders/producers.ts';
import type { Rounds } from './rounds.ts';

/** What a person says: text, or text with images and files. */
export type Prompt = string | readonly Block[];

/** What a turn needs; `createSession` puts one together. */
export interface Agent {
  readonly context: Context;
  readonly hooks: Hooks;
  readonly rounds: Rounds;
  readonly limits: Limits;
  readonly emit: Emit;
  /** What the agent tells the model by itself before a request. */
  readonly reminders: { collect(at: ReminderTime): Promise<readonly Reminder[]> };
  /** What a person typed while the turn ran. */
  readonly steering: { take(): readonly Prompt[] };
  /** What goes on behind a turn, and never throws. */
  readonly background?: { turnDone(): void } | undefined;
}

/** Where a turn ends although the model would go on. */
export interface Limits {
  /** Requests of one turn. @default no limit */
  readonly turns?: number | undefined;
  /** Dollars of the session, earlier turns included. @default no limit */
  readonly dollars?: number | undefined;
}

/** How a turn ended. */
export type TurnEnd =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  /** The model refused to answer. */
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'turn-limit' | 'cost-limit' };

/**
 * One turn: from what a person said to the answer, with all the rounds of tools in between; without a prompt, from what the
 * reminders have to say, such as the answer of an agent.
 */
export async function runTurn(
  agent: Agent,
  prompt: Prompt | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { context, hooks, rounds, limits, emit, reminders, steering, background } = agent;
  const said = prompt && promptText(prompt);
  if (said !== undefined) {
    const asked = await hooks.promptSubmit(said, signal);
    if (asked.kind === 'blocked') return asked;
  }
  const remind = async (at: Pick<ReminderTime, 'turn' | 'prompt'>) => {
    for (const { text, told } of await reminders.collect({ ...at, limits, signal })) {
      await context.user(reminder(text), REMINDER);
      await told?.();
    }
  };
  await remind({ turn: 1, prompt: said }); // instructions come before the first prompt
  if (prompt !== undefined) await context.user(prompt, { signal });
  let cuts = 0;
  for (let turn = 1; turn <= (limits.turns ?? Number.POSITIVE_INFINITY); turn++) {
    if (limits.dollars !== undefined && context.usage().dollars >= limits.dollars)
      return COST_LIMIT;
    await remind({ turn });
    const reply = await answer(agent, signal); // stores, clears and compacts first, where it is time
    if (reply === undefined) return { kind: 'done', text: '' };
    emit({ kind: 'reply', message: reply });
    const calls = toolUses(reply);
    if (calls.length > 0) {
      for await (const outputs of rounds.run(calls, signal))
        emit({ kind: 'results', messages: await context.results(outputs) });
      const halt = hooks.takeHalt();
      if (halt !== undefined) return { kind: 'blocked', reason: halt };
      for (const message of steering.take()) await context.user(message);
      continue;
    }
    if (reply.response?.stopReason === 'refusal') return { kind: 'refused', text: textOf(reply) };
    if (reply.response?.stopReason === 'max_tokens' && cuts++ < MOST_CUTS) {
      await context.user(reminder(CUT), REMINDER);
      continue;
    }
    const stop = await hooks.stop(reply, { turn, signal });
    if (stop.kind === 'done') {
      background?.turnDone();
      return { kind: 'done', text: textOf(reply) };
    }
    await context.user(reminder(stop.reason), REMINDER);
  }
  return { kind: 'turn-limit' };
}

/**
 * After an abort: ends the calls that will get no result, so that the next prompt can follow, and keeps what had arrived of an
 * answer, which a person may have read.
 */
export async function interrupted(context: Context, arrived = ''): Promise<void> {
  await context.closeRound('Interrupted by the user.');
  if (arrived.trim() === '') return;
  await context.user(
    `The person interrupted your answer, of which this had arrived:\n\n${arrived}`,
    REMINDER,
  );
}

/** The next answer; undefined where the model had nothing to say, which ends a turn as well. */
async function answer(
  { context, hooks }: Agent,
  signal: AbortSignal,
): Promise<Message | undefined> {
  try {
    return await context.send({ signal });
  } catch (error) {
    if (ContextError.is(error) && error.code === 'empty-reply') return undefined;
    if (!signal.aborted) await hooks.stopFailure(error, signal);
    throw error;
  }
}

const promptText = (prompt: Prompt): string =>
  typeof prompt === 'string' ? prompt : textOf({ content: prompt });

export const textOf = ({ content }: Pick<Message, 'content'>): string =>
  content.flatMap((block) => (isText(block) ? [block.text] : [])).join('\n\n');

const REMINDER = { origin: { kind: 'reminder' } } as const;
const COST_LIMIT = { kind: 'cost-limit' } as const;
const MOST_CUTS = 3;
const CUT = 'Your answer reached its length limit and was cut. Go on from there in smaller steps.';
