import { type Fields, isRecord, listOf, recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { Refusal } from '../core/endpoint.ts';
import { invalid } from './error-body.ts';
import { BETA, MESSAGE_FIELDS, NEW_VERSION } from './fields.ts';
import type { Rule, RuleInput } from './rule.ts';
import { COMPACTION_RULES } from './rules-compaction.ts';
import { MARKER_RULES } from './rules-markers.ts';
import { malformedPart } from './shapes.ts';

/** The first rule a request breaks, in the order in which the provider would notice. */
export function brokenRule(input: RuleInput): Refusal | undefined {
  for (const rule of RULES) {
    const broken = rule(input);
    if (broken !== undefined) return typeof broken === 'string' ? invalid(broken) : broken;
  }
  return undefined;
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const knownFields: Rule = ({ body, fields, version, betas }) => {
  for (const [name, value] of Object.entries(body)) {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isGone = rule?.goneFrom !== undefined && version >= rule.goneFrom;
    const lacksBeta =
      rule?.betas && isPresent(value) && !rule.betas.some((beta) => betas.includes(beta));
    if (!rule || isGone || lacksBeta) return `${name}: Extra inputs are not permitted`;
    if (rule.use === 'refused' && name !== 'thread' && isPresent(value)) {
      return `${name}: not supported by this emulator`;
    }
  }
  return undefined;
};

/** Threads live on the provider's side; the official tool runner sends the whole history when it reads this. */
const thread: Rule = ({ body }) =>
  isPresent(body.thread)
    ? invalid('thread: message threads are not supported for this request', {
        error_code: 'thread_unsupported_request',
        unsupported: ['thread'],
      })
    : undefined;

const required: Rule = ({ body, fields }) => {
  const missing = Object.entries(fields).find(
    ([name, rule]) => rule.required && !isPresent(body[name]),
  );
  return missing && `${missing[0]}: Field required`;
};

const shapes: Rule = ({ body }) => malformedPart(body);

const maxTokens: Rule = ({ body, model, fields }) => {
  if (fields !== MESSAGE_FIELDS) return undefined;
  const { max_tokens: value } = body;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return 'max_tokens: Input should be a valid integer';
  }
  if (value < 0) return 'max_tokens: Input should be greater than or equal to 0';
  const limit = model.maxOutputTokens ?? Infinity;
  return value > limit
    ? `max_tokens: ${value} > ${limit}, which is the maximum allowed number of output tokens for ${model.id}`
    : undefined;
};

const FORCED: readonly unknown[] = ['any', 'tool'];
const isForced = (body: JsonObject): boolean => FORCED.includes(recordOf(body.tool_choice).type);
const isThinkingOn = (body: JsonObject): boolean => {
  const { type } = recordOf(body.thinking);
  return type !== undefined && type !== 'disabled';
};

/** `max_tokens: 0` fills the cache and says nothing, so nothing that concerns a reply may stand beside it. */
const prewarm: Rule = ({ body }) => {
  if (body.max_tokens !== 0) return undefined;
  const conflict = [
    { name: 'stream', present: body.stream === true },
    { name: 'thinking', present: isThinkingOn(body) },
    { name: 'output_config.format', present: isPresent(recordOf(body.output_config).format) },
    { name: 'tool_choice', present: isForced(body) },
  ].find(({ present }) => present);
  return conflict && `max_tokens: 0 cannot be combined with ${conflict.name}`;
};

const tools: Rule = ({ body }) => {
  const list = listOf(body.tools);
  const at = list.findIndex((tool) => !isTool(tool));
  if (at >= 0) return `tools.${at}.input_schema: Field required`;
  return isPresent(body.tool_choice) && list.length === 0
    ? 'tool_choice: may only be specified while providing tools'
    : undefined;
};

/** A tool of the client has a schema, one of the provider a type of its own. */
const isTool = (tool: unknown): boolean =>
  isRecord(tool) &&
  (isRecord(tool.input_schema) || (typeof tool.type === 'string' && tool.type !== 'custom'));

const thinking: Rule = ({ body, betas }) => {
  if (!isPresent(body.thinking)) return undefined;
  const { type, budget_tokens: budget, block_binding: binding } = recordOf(body.thinking);
  if (type === 'enabled' && typeof budget !== 'number') {
    return 'thinking.enabled.budget_tokens: Field required';
  }
  if (typeof budget === 'number' && budget < MIN_BUDGET) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`;
  }
  if (isThinkingOn(body) && isForced(body)) {
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  }
  if (!isPresent(binding)) return undefined;
  if (!betas.includes(BETA.bindingControls)) {
    return 'thinking.block_binding: Extra inputs are not permitted';
  }
  const behavior = recordOf(binding).prefix_mismatch_behavior;
  return behavior == null || behavior === 'error' || behavior === 'drop_block'
    ? undefined
    : "thinking.block_binding.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'";
};

const MIN_BUDGET = 1_024;

/** Two shapes that version 2026-10-21 no longer takes. */
const newVersion: Rule = ({ body, version }) => {
  if (version < NEW_VERSION) return undefined;
  for (const [messageIndex, message] of listOf(body.messages).entries()) {
    const { role, content } = recordOf(message);
    const at = listOf(content)
      .map(recordOf)
      .findIndex((block) => isGone(role, block));
    if (at >= 0) return `messages.${messageIndex}.content.${at}: Extra inputs are not permitted`;
  }
  return undefined;
};

function isGone(role: unknown, block: Fields): boolean {
  if (role === 'assistant') return block.type === 'document';
  return role === 'user' && block.type === 'text' && listOf(block.citations).length > 0;
}

const diagnostics: Rule = ({ body }) => {
  if (!isPresent(body.diagnostics)) return undefined;
  const { previous_message_id: id } = recordOf(body.diagnostics);
  return id == null || typeof id === 'string'
    ? undefined
    : 'diagnostics.previous_message_id: Input should be a valid string';
};

const RULES: readonly Rule[] = [
  thread,
  knownFields,
  required,
  shapes,
  maxTokens,
  prewarm,
  tools,
  thinking,
  newVersion,
  diagnostics,
  ...MARKER_RULES,
  ...COMPACTION_RULES,
];
