import { isToolResult, type Message } from '@varve/messages';
import type { LangChainMessage } from '../../peers/langchain.ts';
import type { LangChainLink } from '../../peers/langchain-messages.ts';

/** What a peer leaves of messages when its model answers with `summary`. */
export interface PeerSummariser {
  readonly name: string;
  run(messages: readonly Message[], options: PeerRun): Promise<PeerResult>;
}

export interface PeerRun {
  readonly summary: string;
  /** Of the newest messages, which the peer keeps as they are; counted as the peer counts. */
  readonly keepTokens: number;
  readonly sizeOf: (message: Message) => number;
}

export interface PeerResult {
  /** What it puts in place of the rest; undefined where it left everything. */
  readonly text: string | undefined;
  readonly kept: readonly Message[];
}

/** Our messages of which the peer kept all, or some, parts; the rest of its list is what it wrote. */
export function readKept(
  links: readonly LangChainLink[],
  left: readonly LangChainMessage[],
): PeerResult {
  const own = new Set(links.flatMap(({ parts }) => parts));
  const there = new Set(left);
  const text = left
    .filter((message) => !own.has(message))
    .map(({ content }) => content)
    .find((content): content is string => typeof content === 'string' && content !== '');
  const kept = links.flatMap(({ source, parts }) => {
    const count = parts.filter((part) => there.has(part)).length;
    if (count === 0) return [];
    return count === parts.length ? [source] : [partOf(source, parts, there)];
  });
  return { text, kept };
}

/** Parts of a message are its results, one by one, and then its words. */
function partOf(
  source: Message,
  parts: readonly LangChainMessage[],
  there: ReadonlySet<LangChainMessage>,
): Message {
  let next = 0;
  const isThere = (at: number): boolean => there.has(parts[at] as LangChainMessage);
  const content = source.content.filter((block) =>
    isThere(isToolResult(block) ? next++ : parts.length - 1),
  );
  return { ...source, content };
}

/** A model that knows one answer. */
export const answering = (summary: string) => ({
  invoke: async () => ({ content: summary, text: summary }),
});
