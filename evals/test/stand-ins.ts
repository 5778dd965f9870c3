import type { ContextCompaction } from '@varve/context';
import { createFork } from '@varve/fork-agent';
import { createLedger, ledgerNotes, renderLedger } from '@varve/ledger';
import { type Block, fingerprint, type Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import {
  createSessionMemory,
  memoryNotes,
  type RunFork,
  type SessionMemory,
} from '@varve/session-memory';
import { DEFAULT_TEMPLATE, parseTemplate } from '@varve/session-memory/template';
import { createEstimator } from '@varve/tokens';
import type { SettingInput } from '../src/strategies/context-strategy.ts';

// Written anew, beside those of the strategies: what stands for a model in the conversation that a test drives.

type Summarize = Extract<ContextCompaction['summarize'], (...given: never) => unknown>;

/** What those need that stand for a model, which is not there. */
export type Input = Pick<SettingInput, 'model' | 'onCall' | 'context'>;

const sizesOf = ({ model }: Pick<Input, 'model'>) => createEstimator({ family: model.tokenizer });

/** Words in which nothing can be found, 6,000 tokens of them. */
const emptyWords = (input: Input, less = 0): string =>
  'word '.repeat(Math.round(6e6 / sizesOf(input).text('word '.repeat(1_000))) - less);

/** Answers with a text, whatever it is asked. */
const saying =
  ({ onCall }: Input, textOf: (request: Request) => string): Summarize =>
  async (request) => {
    onCall({ request, outputTokens: 0 });
    return { content: [{ type: 'text', text: textOf(request) }], stopReason: 'end_turn' };
  };

/** A summary that says nothing. */
export const emptySummary = (input: Input): Summarize =>
  saying(input, () => `<summary>\n## Summary\n${emptyWords(input, 3)}</summary>`);

/** Of a stretch, between a lead and a question, the facts in a fifth of its tokens. */
export const factsOfStretch = (input: Input): Summarize =>
  saying(input, ({ messages }) => {
    const stretch = messages.slice(1, -1);
    const ledger = createLedger();
    for (const message of stretch) ledger.add(message);
    const { text: sizeOf } = sizesOf(input);
    const budgetTokens = Math.floor(
      sizeOf(JSON.stringify(stretch.map(({ content }) => content))) * 0.2,
    );
    const facts = renderLedger(ledger, { budgetTokens, sizeOf }).text;
    return `<summary>\n${facts || 'Nothing of this stretch is needed.'}\n</summary>`;
  });

/**
 * A provider whose block says nothing, and that gives none where the output has no room for it; undefined where the model has no
 * compaction on demand.
 */
export function emptyBlock(input: Input): ContextCompaction['byProvider'] {
  const { provider, serverFeatures } = input.model;
  if (provider !== 'anthropic' || !serverFeatures.includes('on-demand-compaction'))
    return undefined;
  const content = emptyWords(input);
  const seal = fingerprint(content);
  return {
    provider: 'anthropic',
    async call(request) {
      input.onCall({ request, outputTokens: 0 });
      const isCut = sizesOf(input).text(content) > request.maxOutputTokens;
      if (isCut) return { content: [], stopReason: 'max_tokens' };
      const block = { type: 'compaction', content, encrypted_content: seal, signature: seal };
      return { content: [block], stopReason: 'compaction' };
    },
  };
}

const TEMPLATE = parseTemplate(DEFAULT_TEMPLATE);

/** Notes by a ledger, each section that changes written as a whole by a child of the conversation. */
export function ledgerMemory(input: Input): SessionMemory {
  const { text: sizeOf } = sizesOf(input);
  const ledger = createLedger();
  const written = (): readonly string[] => {
    const { sections } = TEMPLATE;
    const bodies = ledgerNotes(ledger, { sections, sizeOf });
    return sections.map(({ heading, guidance }, at) => {
      const body = bodies[at];
      return `${heading}\n${guidance}\n${body ? `${body}\n` : ''}`;
    });
  };
  const edits = (): Block[] => {
    const now = (memory.snapshot().notes ?? TEMPLATE.text).split(/\n(?=# )/);
    return written().flatMap((section, at): Block[] => {
      const [old, text] = [now[at]?.trimEnd() ?? '', section.trimEnd()];
      if (old === text) return [];
      const change = { file_path: 'notes.md', old_string: old, new_string: text };
      return [{ type: 'tool_use', id: `edit-${at}`, name: 'Edit', input: change }];
    });
  };
  const runFork: RunFork = async ({ view, runTool, ...run }) => {
    const sent = input.context().lastRequest()?.request as Request;
    const { tools } = sent.head;
    const hasEdit = tools.some(({ name }) => name === 'Edit');
    const head = hasEdit ? sent.head : { ...sent.head, tools: [...tools, { name: 'Edit' }] };
    let turns = 0;
    const client: ModelClient = {
      provider: 'test',
      stream: (request) =>
        createModelStream(async function* () {
          const markers = request.markers.filter(({ at }) => at !== 'tools' || tools.length > 0);
          input.onCall({ request: { ...request, head: sent.head, markers }, outputTokens: 0 });
          const content = turns++ === 0 ? edits() : [];
          const stopReason = content.length > 0 ? ('tool_use' as const) : ('end_turn' as const);
          const usage = { input_tokens: 0, output_tokens: 0 };
          const response = { id: `notes-${turns}`, model: head.model, content, stopReason, usage };
          yield { type: 'response-end', response } as const;
        }),
    };
    const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
    const fork = createFork({ client, parent: { ...sent, head, messages }, tools: runTool });
    const { stopReason, error: cause } = await fork.run(run);
    const isDone = stopReason === 'end' || stopReason === 'empty';
    return isDone ? { kind: 'done' } : { kind: 'failed', reason: stopReason, cause };
  };
  const memory = createSessionMemory({ file: memoryNotes('notes.md'), runFork, sizeOf });
  return {
    ...memory,
    observe(entry, view) {
      ledger.observe(entry, view);
      memory.observe(entry, view);
    },
  };
}
