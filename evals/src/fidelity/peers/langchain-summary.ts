import { importLangChain, type LangChainMessage } from '../../peers/langchain.ts';
import { createLangChainWriter } from '../../peers/langchain-messages.ts';
import { importPeer } from '../../peers/peer-module.ts';
import { answering, type PeerSummariser, readKept } from './summariser.ts';

type BeforeModel = (
  state: { readonly messages: LangChainMessage[] },
  runtime: object,
) => Promise<{ readonly messages: readonly LangChainMessage[] } | undefined>;

interface Summarising {
  readonly summarizationMiddleware: (options: object) => {
    readonly beforeModel: BeforeModel | { readonly hook: BeforeModel };
  };
}

/** LangChain's `summarizationMiddleware`, asked before a model call; it counts tokens as everything here does. */
export async function loadLangChainSummary(): Promise<PeerSummariser> {
  const langchain = await importLangChain();
  const { summarizationMiddleware } = await importPeer<Summarising>({
    name: 'langchain',
    install: 'langchain @langchain/core',
    functions: ['summarizationMiddleware'],
  });
  return {
    name: 'langchain-summary',
    async run(messages, { summary, keepTokens, sizeOf }) {
      const write = createLangChainWriter(langchain);
      const links = messages.map((message) => write(message));
      const sizes = new Map<object, number>();
      for (const { source, parts } of links) {
        for (const part of parts) sizes.set(part, sizeOf(source) / parts.length);
      }
      const { beforeModel } = summarizationMiddleware({
        model: answering(summary),
        trigger: { tokens: 1 },
        keep: { tokens: Math.max(0, keepTokens) },
        tokenCounter: (list: readonly object[]) =>
          list.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0),
      });
      const hook = typeof beforeModel === 'function' ? beforeModel : beforeModel.hook;
      const state = { messages: links.flatMap(({ parts }) => parts) };
      const left = await hook(state, { context: {} });
      return left ? readKept(links, left.messages) : { text: undefined, kept: messages };
    },
  };
}
