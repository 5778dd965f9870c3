import type { Message } from '@varve/messages';
import type { Compactor } from '../compactor.ts';
import type { LeftAfter } from '../recorded-compactions.ts';
import { loadDeepAgentsSummary } from './deepagents-summary.ts';
import { loadLangChainSummary } from './langchain-summary.ts';
import type { PeerSummariser } from './summariser.ts';

const LOADERS = [loadLangChainSummary, loadDeepAgentsSummary];

/** Throws `missing-peer` where a package is not installed. */
export const loadSummarisers = (): Promise<readonly PeerSummariser[]> =>
  Promise.all(LOADERS.map((load) => load()));

/** What is compared where no model writes a summary: what the peer keeps beside an empty one. */
export const PEER_COMPACTORS: readonly string[] = [
  'langchain-summary+empty',
  'deepagents-summary+empty',
];

export async function findPeerCompactor(name: string): Promise<Compactor | undefined> {
  if (!PEER_COMPACTORS.includes(name)) return undefined;
  const summarisers = await loadSummarisers();
  const summariser = summarisers.find((each) => name === `${each.name}+empty`);
  return summariser && emptied(name, summariser);
}

function emptied(name: string, summariser: PeerSummariser): Compactor {
  return {
    name,
    create({ sizeOf }) {
      let messages: readonly Message[] = [];
      return {
        add(message) {
          messages = [...messages, message];
        },
        async compact(budgetTokens) {
          const left = await fitted(summariser, messages, { summary: '', budgetTokens, sizeOf });
          messages = left.messages;
          return left;
        },
      };
    },
  };
}

/** The peer with a summary that a model wrote for the same messages, in no more tokens than ours took. */
export async function peersAnswered(
  messages: readonly Message[],
  options: FittedOptions,
): Promise<readonly LeftAfter[]> {
  const summarisers = await loadSummarisers();
  return Promise.all(
    summarisers.map(async (summariser) => ({
      name: summariser.name,
      ...(await fitted(summariser, messages, options)),
    })),
  );
}

interface FittedOptions {
  readonly summary: string;
  readonly budgetTokens: number;
  readonly sizeOf: (message: Message) => number;
}

/** Each counts tokens in its own way: what it is told to keep is made smaller until all fits, or it keeps no less. */
async function fitted(
  summariser: PeerSummariser,
  messages: readonly Message[],
  { summary, budgetTokens, sizeOf }: FittedOptions,
) {
  const total = (list: readonly Message[]): number =>
    list.reduce((sum, message) => sum + sizeOf(message), 0);
  if (total(messages) <= budgetTokens) return { messages, synthesised: [] };
  let keepTokens = budgetTokens;
  for (let attempt = 1; ; attempt++) {
    const { text, kept } = await summariser.run(messages, { summary, keepTokens, sizeOf });
    const written = text === undefined ? [] : [writtenMessage(text, messages)];
    const left = [...written, ...kept];
    const size = total(left);
    if (size <= budgetTokens || attempt === MOST_ATTEMPTS) {
      // the frame around it is the peer's and names its own files
      return { messages: left, synthesised: summary === '' ? [] : [summary] };
    }
    keepTokens *= Math.min(0.9, Math.max(0.3, budgetTokens / size));
  }
}

const MOST_ATTEMPTS = 8;

const writtenMessage = (text: string, messages: readonly Message[]): Message => ({
  id: `peer-${messages.at(-1)?.id}`,
  role: 'user',
  origin: { kind: 'summary', by: 'peer' },
  content: [{ type: 'text', text }],
});
