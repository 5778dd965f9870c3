import { type Entry, type Message, toolResults, toolUses } from '@varve/messages';
import type { ImportedSession, ImportedThread } from '@varve/transcript/import';
import type { ReplayedThread, ReportSession } from '../report/report-schema.ts';
import { lossesOf } from './losses.ts';

interface Counts {
  readonly messages: number;
  readonly toolCalls: number;
  readonly toolResults: number;
}

/** What a report says of a session file: everything in it is counted, whether replayed or not. */
export function describeSession(
  imported: ImportedSession,
  {
    file,
    sizeOf,
    replayed,
  }: {
    readonly file: string;
    readonly sizeOf: (message: Message) => number;
    readonly replayed: readonly ReplayedThread[];
  },
): ReportSession {
  const { format, threads, unused, problems } = imported;
  const subAgents = threads.filter(({ kind }) => kind === 'sub-agent');
  const messages = threads.flatMap(({ entries }) => messagesOf(entries));
  return {
    file,
    format,
    ...countThreads(threads),
    subAgents: { threads: subAgents.length, ...countThreads(subAgents) },
    tokens: messages.reduce((sum, message) => sum + sizeOf(message), 0),
    unused: Object.fromEntries(Object.entries(unused).sort(byKey)),
    problems: problems.map(({ line, kind, text }) => ({ line, kind, text })),
    losses: lossesOf(imported),
    replayed: [...replayed],
  };
}

function countThreads(threads: readonly ImportedThread[]): Counts {
  const messages = threads.flatMap(({ entries }) => messagesOf(entries));
  const recorded = messages.filter((message) => message.origin?.kind !== 'synthetic');
  return {
    messages: recorded.length,
    toolCalls: sum(recorded.map((message) => toolUses(message).length)),
    toolResults: sum(recorded.map((message) => toolResults(message).length)),
  };
}

const messagesOf = (entries: readonly Entry[]): readonly Message[] =>
  entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const byKey = ([left]: [string, number], [right]: [string, number]): number =>
  left < right ? -1 : Number(left > right);
