import { type Fields, isRecord, listOf, recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { Refusal } from '../core/endpoint.ts';
import { readSeal } from './compaction-block.ts';
import { invalid } from './error-body.ts';
import { BETA } from './fields.ts';
import { alwaysThinks } from './profile.ts';
import type { Rule } from './rule.ts';

const edits: Rule = ({ body, betas, model }) => {
  if (body.context_management == null) return undefined;
  const list = listOf(recordOf(body.context_management).edits).map(recordOf);
  for (const [index, edit] of list.entries()) {
    const path = `context_management.edits.${index}`;
    const needed =
      edit.type === 'compact_20260112' ? BETA.thresholdCompaction : BETA.contextManagement;
    if (!betas.includes(needed)) return `${path}: requires the beta header ${needed}`;
    if (
      edit.type === 'compact_20260112' &&
      !model.serverFeatures.includes('threshold-compaction')
    ) {
      return `${path}: compact_20260112 is not supported on this model`;
    }
    if (edit.type === 'clear_thinking_20251015') {
      if (index > 0) return `${path}: clear_thinking_20251015 must be the first edit`;
      if (!isThinking(body, model)) return CLEARS_NO_THINKING;
    }
    const trigger = edit.type === 'compact_20260112' ? recordOf(edit.trigger).value : undefined;
    if (typeof trigger === 'number' && trigger < MIN_TRIGGER) {
      return `${path}.trigger.value: Input should be greater than or equal to ${MIN_TRIGGER}`;
    }
  }
  return undefined;
};

// the wording of public reports, 2025-11 to 2026-08
const CLEARS_NO_THINKING =
  '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive';

/** Without a setting only those models think that cannot be told not to. */
function isThinking(body: JsonObject, model: ModelInfo): boolean {
  const { type } = recordOf(body.thinking);
  return type === undefined ? alwaysThinks(model) : type !== 'disabled';
}

/** Tokens (platform.claude.com, "Compaction at a token threshold"). */
const MIN_TRIGGER = 50_000;

const MAX_INSTRUCTIONS = 16_384;

const onDemand: Rule = ({ body, model }) => {
  if (body.compaction == null) return undefined;
  if (!model.serverFeatures.includes('on-demand-compaction')) {
    return 'compaction: not supported on this model';
  }
  const { type, instructions } = recordOf(body.compaction);
  if (type !== 'summarize') return "compaction.type: Input should be 'summarize'";
  if (typeof instructions === 'string' && instructions.length > MAX_INSTRUCTIONS) {
    return `compaction.instructions: String should have at most ${MAX_INSTRUCTIONS} characters`;
  }
  const conflict = [
    { name: 'context_management', present: body.context_management != null },
    { name: 'stop_sequences', present: listOf(body.stop_sequences).length > 0 },
    { name: 'output_config.format', present: recordOf(body.output_config).format != null },
    {
      name: 'tool_choice',
      present: ['any', 'tool'].includes(String(recordOf(body.tool_choice).type)),
    },
  ].find(({ present }) => present);
  if (conflict) return `compaction: cannot be combined with ${conflict.name}`;
  return unfinished(body);
};

function unfinished(body: JsonObject): Refusal | undefined {
  const messages = listOf(body.messages).map(recordOf);
  const last = messages.at(-1);
  const waits =
    last?.role === 'assistant' && blocksOf(last).some(({ type }) => type === 'tool_use');
  if (waits) return compactionError('incomplete_turn', 'the last turn has unanswered tool calls');
  const blocks = messages.flatMap(blocksOf);
  return blocks.length > 0 && blocks.every(({ type }) => type === 'compaction')
    ? compactionError('nothing_to_summarize', 'there are no messages to summarise')
    : undefined;
}

/** Signed blocks stand first, alone, and as they were sent. */
const blocks: Rule = ({ body, betas }) => {
  const signed = listOf(body.messages).flatMap((message, messageIndex) =>
    blocksOf(recordOf(message)).flatMap((block, blockIndex) =>
      block.type === 'compaction' && block.signature != null
        ? [{ block, isFirst: messageIndex === 0 && blockIndex === 0 }]
        : [],
    ),
  );
  const [first] = signed;
  if (first === undefined) return undefined;
  if (!betas.includes(BETA.onDemandCompaction)) {
    return `messages: a signed compaction block requires the beta header ${BETA.onDemandCompaction}`;
  }
  if (signed.length > 1) return compactionError('block_ambiguous', 'there is more than one block');
  if (!first.isFirst) return compactionError('block_misplaced', 'the block has to come first');
  const seal = readSeal(first.block);
  if (seal === 'unknown') return compactionError('signature_invalid', 'the signature is not valid');
  return seal === 'altered'
    ? compactionError('content_mismatch', 'the block is not as it was returned')
    : undefined;
};

const blocksOf = ({ content }: Fields): readonly Fields[] => listOf(content).filter(isRecord);

const compactionError = (code: string, text: string): Refusal =>
  invalid(`compaction: ${text}`, { error_code: `compaction_${code}` });

export const COMPACTION_RULES: readonly Rule[] = [edits, onDemand, blocks];
