import { createCompaction, SUMMARY_PROMPT_VERSION, type Summarize } from '@varve/compact';
import type { Message, Request } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';
import { defaultSummaries } from '../../default-paths.ts';
import { requestName } from '../../fidelity/compactors/answered.ts';
import { readSummaries } from '../../fidelity/recorded-summaries.ts';
import { SUMMARY_TOKENS } from '../../replay/forced-compaction.ts';
import type { Strategy, StrategyContext } from '../../strategy.ts';
import { createGated, type Gate, NO_PASSAGE, type Passage } from '../gated.ts';
import { AT_ONCE, passageOf } from './compaction-gate.ts';
import { createOwnCalls } from './own-calls.ts';

/** Where recorded summaries lie. @default those of the project's own sessions */
export interface FullCompactOptions {
  readonly summaries?: string | undefined;
}

/**
 * `createCompaction` of `@varve/compact` with its defaults. Where somebody recorded a model's answer to exactly the request
 * that would be sent now, it compacts there, and with that answer. At the threshold of the window nobody answers: a reply
 * of the usual length that says nothing stands in, so that what is left is the least a checked summary can hold. Either
 * way the call is priced as one of a model.
 */
export const createFullCompact = ({ summaries }: FullCompactOptions = {}): Strategy => ({
  name: 'full-compact',
  create: (context) => createGated(context, { gates: [createGate(context, summaries)] }),
});

const fullCompact: Strategy = createFullCompact();
export default fullCompact;

function createGate({ policy, model }: StrategyContext, folder = defaultSummaries()): Gate {
  const { text: sizeOf } = createEstimator({ family: model.tokenizer });
  const writer = createWriter(sizeOf, folder);
  const mark = (request: Request): Request => placeMarkers(request, { policy });
  const compactor = createCompaction({ summarize: writer.summarize, mark, wait: AT_ONCE });
  return {
    calls: writer.take,
    observe(entry, view) {
      compactor.observe(entry, view);
      if (entry.type === 'message') writer.add(entry.message);
    },
    async pass(context) {
      const due = compactor.plan(context);
      writer.mayStandIn(due.kind === 'work');
      if (due.kind === 'work') return passageOf(compactor, due);
      if (!(await writer.mayBeRecorded())) return NO_PASSAGE;
      const now = compactor.planNow(context, { trigger: 'auto', reason: 'summary-recorded' });
      const passage = now.kind === 'work' ? await passageOf(compactor, now) : NO_PASSAGE;
      return isAnswered(passage) ? passage : NO_PASSAGE;
    },
  };
}

/** Answers requests for summaries: as recorded, or with a stand-in where it may. */
function createWriter(sizeOf: (text: string) => number, folder: string) {
  const { made, take } = createOwnCalls();
  const logged = new Map<string, Message>();
  const recorded = readSummaries(folder).then((all) =>
    all.filter(({ prompt }) => prompt === SUMMARY_PROMPT_VERSION),
  );
  recorded.catch(() => {}); // whoever waits for it hears of it
  let standsIn = false;
  const find = async ({ head, messages }: Request): Promise<string | undefined> => {
    const plain = messages.map((message) => asLogged(message, logged.get(message.id)));
    const name = requestName({ head, messages: plain });
    return (await recorded).find(({ request }) => request === name)?.text;
  };
  const summarize: Summarize = async (request) => {
    const found = await find(request);
    if (found === undefined && !standsIn) throw new Error('Nobody recorded an answer to this.');
    const text = found ?? emptySummary(sizeOf);
    made({ request, outputTokens: sizeOf(text), isStandIn: found === undefined });
    return { content: [{ type: 'text', text }], stopReason: 'end_turn' };
  };
  return {
    ...{ summarize, take },
    add: (message: Message) => void logged.set(message.id, message),
    mayStandIn(may: boolean) {
      standsIn = may;
    },
    /** Cheap: whether some recording was made after so many messages. */
    mayBeRecorded: async () =>
      (await recorded).some(({ messageIndex }) => messageIndex === logged.size),
  };
}

/** The message that was logged, where the view still holds it as it was. */
const asLogged = (message: Message, logged: Message | undefined): Message =>
  logged?.content === message.content ? logged : message;

/** A heading, and words that nothing can be found in, as many as a summary has tokens. */
function emptySummary(sizeOf: (text: string) => number): string {
  const words = Math.round((SUMMARY_TOKENS / sizeOf('word '.repeat(SAMPLE))) * SAMPLE);
  return `<summary>\n## Summary\n${'word '.repeat(words - 3)}</summary>`;
}

const SAMPLE = 1_000;

/** Whether it holds a summary that somebody answered with, and not the ledger's. */
const isAnswered = ({ entries }: Passage): boolean =>
  entries.some((entry) => entry.type === 'edit' && entry.receipt?.engine === 'summary');
