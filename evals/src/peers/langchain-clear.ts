import type { Message } from '@varve/messages';
import { requestFor } from '../strategies/request-for.ts';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { importLangChain, type LangChain, type LangChainMessage } from './langchain.ts';
import { createLangChainWriter, type LangChainLink, readLangChain } from './langchain-messages.ts';
import { createParked } from './parked.ts';

export interface LangChainClearOptions {
  readonly name: string;
  /** As in `ClearToolUsesEdit`; what is left out is its default. */
  readonly config: { readonly trigger?: object; readonly keep?: object };
  readonly parked: boolean;
}

/**
 * LangChain's `contextEditingMiddleware` with its `ClearToolUsesEdit`, asked before each model call. As in its agent, the
 * edit changes the list of messages in place, so that what it cleared stays cleared in the calls that follow.
 */
export async function loadLangChainClear(options: LangChainClearOptions): Promise<Strategy> {
  const langchain = await importLangChain();
  return {
    name: options.name,
    create(context) {
      const run = createRun(context, langchain, options);
      return options.parked ? createParked(run, { ...context, editsCalls: false }) : run;
    },
  };
}

function createRun(
  context: StrategyContext,
  langchain: LangChain,
  { config }: LangChainClearOptions,
): StrategyRun {
  const middleware = langchain.contextEditingMiddleware({
    edits: [new langchain.ClearToolUsesEdit(config)],
  });
  const write = createLangChainWriter(langchain);
  const reply = new langchain.AIMessage({ content: '', tool_calls: [] });
  const state: LangChainMessage[] = [];
  const links: LangChainLink[] = [];
  let shown: Message[] = [];
  return {
    add(message) {
      const link = write(message);
      links.push(link);
      shown.push(message);
      state.push(...link.parts);
    },
    async prepare() {
      const count = state.length;
      const call = { messages: state, model: {}, systemPrompt: '' };
      await middleware.wrapModelCall(call, async () => reply);
      if (state.length !== count) throw new Error('it removed messages instead of clearing them');
      shown = takeOver(links, state);
    },
    request: () => requestFor(context, shown),
  };
}

/** What the messages look like now; what was changed is taken as given from then on. */
function takeOver(links: LangChainLink[], state: readonly LangChainMessage[]): Message[] {
  let next = 0;
  return links.map((link, at) => {
    const parts = state.slice(next, next + link.parts.length);
    next += link.parts.length;
    const source = readLangChain(link, parts);
    if (source !== link.source) links[at] = { source, parts };
    return source;
  });
}
