import { isRecord, recordOf } from '@varve/guards';
import { isToolResult, type Usage } from '@varve/messages';
import { anthropicUsage } from './anthropic-usage.ts';
import { type BillPlace, readBill } from './bills.ts';
import { contentOf } from './claude-code-record.ts';
import { stopReasonOf } from './claude-code-reply.ts';
import type { CreateImporter } from './importer.ts';
import { type JsonRecord, textOf, words, wordsOf } from './json.ts';
import { addSystem, createPlain, type Place } from './plain.ts';
import { createTakenAway } from './roo-condensing.ts';
import { summaryMessage } from './summary-message.ts';
import type { ThreadBuilder } from './thread.ts';

/** Messages of Anthropic's API. */
export const createAnthropicMessages: CreateImporter = (context) => {
  const taken = createTakenAway();
  return createPlain(context, {
    fields: words(
      'role content id model stop_reason usage created_at timestamp ts modelInfo metrics isSummary condenseId condenseParent isTruncationMarker truncationId truncationParent',
    ),
    add(thread, message, stand) {
      const { role } = message;
      const content = contentOf(message.content);
      if (role === 'system') return addSystem(thread, { content, place: stand, context });
      if (role !== 'user' && role !== 'assistant') return false;
      if (taken.standsFor(message)) {
        taken.add(thread, message, summaryMessage(content, { ...stand, role }));
        return true;
      }
      // of Roo Code before it kept what a summary stands for
      const isSummary = message.isSummary === true;
      const place = isSummary ? { ...stand, origin: { kind: 'summary' } as const } : stand;
      const id = textOf(message.id) ?? stand.id;
      const response = isSummary
        ? undefined
        : responseOf(message, `${context.name}:${place.id}`, { context, line: place.line });
      const shownAs =
        role === 'user'
          ? addUser(thread, content, place)
          : thread.assistant(content, { ...place, id, response });
      taken.follow(thread, message, shownAs);
      return true;
    },
    finish: taken.finish,
  });
};

/** The id of the first message that it became; undefined where it held nothing. */
function addUser(
  thread: ThreadBuilder,
  content: ReturnType<typeof contentOf>,
  place: Place,
): string | undefined {
  const results = content
    .filter(isToolResult)
    .map((block) => thread.result(block, { ...place, id: `${place.id}-result` }));
  const said = thread.user(
    content.filter((block) => !isToolResult(block)),
    place,
  );
  return results[0] ?? said;
}

function responseOf(message: JsonRecord, place: string, bill: BillPlace) {
  const { metrics } = message;
  const usage =
    anthropicUsage(message.usage, bill) ??
    clineUsage(isRecord(metrics) ? metrics.tokens : metrics, bill);
  const model = textOf(message.model) ?? textOf(recordOf(message.modelInfo).modelId);
  if (model === undefined || message.role !== 'assistant') {
    if (usage !== undefined) bill.context.unused(`message/${wordsOf(message.role)}.usage`);
    return undefined;
  }
  const stopReason = stopReasonOf(message.stop_reason);
  const id = textOf(message.id) ?? place;
  return { id, model, stopReason, ...(usage === undefined ? {} : { usage }) };
}

const CLINE_BILL = { always: ['prompt', 'completion'], others: ['cached'] };

/** Cline counts what was read from the cache among the prompt, and no writes. */
function clineUsage(tokens: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(tokens, CLINE_BILL, place);
  if (bill === undefined) return undefined;
  const prompt = bill.count('prompt') ?? 0;
  const cached = Math.min(prompt, bill.count('cached') ?? 0);
  return {
    input_tokens: prompt - cached,
    output_tokens: bill.count('completion') ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    provider_usage: bill.fields,
  };
}
