import type { ContextCompaction } from '@varve/context';
import { fingerprint, isToolUse, type Request } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import type { Strategy } from '../../strategy.ts';
import { contextStrategy, type SettingInput } from '../context-strategy.ts';
import { promptTokens } from '../prompt-tokens.ts';
import { summaryWords } from './full-compact.ts';
import { ledgerAlone } from './ledger-compact.ts';

/**
 * At the threshold of the window the provider compacts (Anthropic, "Compaction on demand"), and its block goes back as it came.
 * No provider is there: a block of the usual length that says nothing stands in, the least favourable case, because nothing can
 * be added to what is signed. Models that have no such compaction compact as `ledger-compact` does; that of OpenAI is left out.
 */
const providerCompact: Strategy = contextStrategy('provider-compact', (input) => ({
  layers: [],
  compaction: { ...ledgerAlone(input), byProvider: providerStandIn(input) },
}));

export default providerCompact;

/**
 * Stands for Anthropic's compaction on demand (beta `compact-2026-09-04`): one signed block and `compaction` as the reason to stop,
 * nothing billed beside the iteration that wrote it, nothing at all where `max_tokens` cuts the summary. It is billed as a request of
 * its own that reads the cache of the conversation; what the provider's own prompt adds is not public, and not counted.
 */
export function providerStandIn({
  model,
  sizeOf,
  onCall,
}: Pick<SettingInput, 'model' | 'sizeOf' | 'onCall'>): ContextCompaction['byProvider'] {
  if (model.provider !== 'anthropic' || !model.serverFeatures.includes(FEATURE)) return undefined;
  const { text: textSize } = createEstimator({ family: model.tokenizer });
  const content = 'word '.repeat(summaryWords(textSize));
  const seal = fingerprint(content);
  const block = { type: 'compaction', content, encrypted_content: seal, signature: seal };
  return {
    provider: 'anthropic',
    async call(request) {
      refuse(request);
      const outputTokens = Math.min(textSize(content), request.maxOutputTokens);
      onCall({ request, outputTokens, isStandIn: true });
      const inputTokens = promptTokens(request, { sizeOf });
      const bill = { input_tokens: inputTokens, output_tokens: outputTokens };
      const usage = { input_tokens: 0, output_tokens: 0 };
      const iterations = [{ type: 'compaction', ...bill }];
      const isCut = outputTokens < textSize(content);
      if (isCut) return { content: [], stopReason: 'max_tokens', usage, iterations };
      return { content: [block], stopReason: 'compaction', usage, iterations };
    },
  };
}

const FEATURE = 'on-demand-compaction';

/** What the API answers with a 400. */
function refuse({ messages, head: { params }, server = {} }: Request): void {
  const { type } = Object(server.compaction) as { readonly type?: unknown };
  const { format } = Object(params.output_config) as { readonly format?: unknown };
  const { type: choice } = Object(params.tool_choice) as { readonly type?: unknown };
  const blocks = messages.flatMap(({ content }) => content);
  const faults = {
    'not asked for': type !== 'summarize',
    'beside context management': 'context_management' in { ...server, ...params },
    'beside stop sequences': 'stop_sequences' in params,
    'beside an output format': format !== undefined,
    'beside a forced tool': choice === 'any' || choice === 'tool',
    'unanswered calls':
      messages.at(-1)?.role === 'assistant' && messages.at(-1)?.content.some(isToolUse),
    'nothing to summarise': blocks.every((each) => each.type === 'compaction'),
    'a block that does not come first': blocks.slice(1).some((each) => each.type === 'compaction'),
  };
  for (const [fault, isThere] of Object.entries(faults)) {
    if (isThere) throw new Error(`The provider refuses to compact: ${fault}.`);
  }
}
