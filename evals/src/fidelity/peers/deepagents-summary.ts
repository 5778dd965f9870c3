import { importLangChain, type LangChainMessage } from '../../peers/langchain.ts';
import { createLangChainWriter } from '../../peers/langchain-messages.ts';
import { importPeer } from '../../peers/peer-module.ts';
import { answering, type PeerSummariser, readKept } from './summariser.ts';

interface ModelRequest {
  readonly messages: readonly LangChainMessage[];
  readonly model: object;
  readonly state: object;
  readonly tools: readonly object[];
}

interface DeepAgents {
  readonly createSummarizationMiddleware: (options: object) => {
    readonly wrapModelCall: (
      request: ModelRequest,
      handler: (request: ModelRequest) => Promise<LangChainMessage>,
    ) => Promise<unknown>;
  };
}

/** The summarisation of deepagents, around a model call; it counts four characters as a token. */
export async function loadDeepAgentsSummary(): Promise<PeerSummariser> {
  const langchain = await importLangChain();
  const { createSummarizationMiddleware } = await importPeer<DeepAgents>({
    name: 'deepagents',
    install: 'deepagents langchain @langchain/core',
    functions: ['createSummarizationMiddleware'],
  });
  return {
    name: 'deepagents-summary',
    async run(messages, { summary, keepTokens }) {
      const write = createLangChainWriter(langchain);
      const links = messages.map((message) => write(message));
      const model = answering(summary);
      const { wrapModelCall } = createSummarizationMiddleware({
        ...{ model, backend: BACKEND, trigger: { type: 'tokens', value: 1 } },
        keep: { type: 'tokens', value: Math.max(0, Math.floor(keepTokens)) },
      });
      const own = links.flatMap(({ parts }) => parts);
      let sent: readonly LangChainMessage[] = own;
      // its name for a session is drawn by lot otherwise
      const state = { _summarizationSessionId: 'session' };
      await wrapModelCall({ messages: own, model, state, tools: [] }, async (request) => {
        sent = request.messages;
        return new langchain.AIMessage({ content: '', tool_calls: [] });
      });
      return readKept(links, sent);
    },
  };
}

/** Takes the file that the history is written to. */
const BACKEND = { write: async (path: string) => ({ path, filesUpdate: null }) };
