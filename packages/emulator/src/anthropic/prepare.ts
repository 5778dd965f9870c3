import { recordOf } from '@varve/guards';
import {
  checkRequest,
  isThinking,
  isToolResult,
  type Message,
  type Request,
} from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { Account } from '../cache/account.ts';
import { type Call, Refused } from '../core/endpoint.ts';
import { invalid } from './error-body.ts';
import type { FieldRule } from './fields.ts';
import { isBefore46, profileOf } from './profile.ts';
import { mergeTurns, readRequest } from './read-request.ts';
import { brokenRule } from './rules.ts';
import { type BoundElsewhere, checkBinding, dropBlocks } from './thinking-binding.ts';
import { boundElsewhere, refusalOf } from './violations.ts';

/** A request that has passed every rule. */
export interface Prepared {
  readonly model: ModelInfo;
  readonly account: Account;
  readonly request: Request;
  /** Tokens of the prompt, before and after the server's own edits. */
  readonly tokens: { readonly sent: number; readonly billed: number };
  /** What was dropped, in the response's own words; undefined where nobody asked. */
  readonly transformations: readonly Transformation[] | undefined;
}

interface Transformation {
  readonly type: 'thinking_dropped';
  readonly path: string;
  readonly reason: BoundElsewhere['reason'];
}

/** Holds a body against every rule of the API and of its model. Throws `Refused`. */
export function prepare(call: Call, fields: Readonly<Record<string, FieldRule>>): Prepared {
  const { body, state } = call;
  const model = modelOf(call);
  const version = call.http.headers['anthropic-version'] ?? '';
  const broken = brokenRule({ body, fields, model, version, betas: betasOf(call) });
  if (broken) throw new Refused(broken);
  const account = state.accounts.of(call.organisation, model);
  const read = account.intern(readRequest(body));
  checkHistory(read, model, call);
  const bound = checkThinking(read, model, call);
  const request = bound.length > 0 ? account.intern(dropBlocks(read, bound)) : read;
  const tokens = account.measure(request);
  checkWindow(tokens.billed, { model, request });
  const asked = recordOf(recordOf(body.thinking).block_binding).prefix_mismatch_behavior != null;
  return {
    model,
    account,
    request,
    tokens,
    transformations: asked ? bound.map(transformation) : undefined,
  };
}

function modelOf({ body, state }: Call): ModelInfo {
  const { model: id } = body;
  if (typeof id !== 'string') throw new Refused(invalid('model: Field required'));
  const model = state.findModel(id);
  if (model) return model;
  throw new Refused({ status: 404, type: 'not_found_error', message: `model: ${id}` });
}

export function betasOf({ http }: Pick<Call, 'http'>): readonly string[] {
  return (http.headers['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim());
}

function checkHistory(request: Request, model: ModelInfo, { body }: Call): void {
  const messages = mergeTurns(request.messages);
  // an on-demand compaction also takes a conversation that ends with the assistant
  const profile = { ...profileOf(model), ...(body.compaction != null && { prefill: true }) };
  const [violation] = checkRequest({ ...request, messages, markers: [] }, profile);
  if (violation) throw new Refused(refusalOf(violation, messages, model.id));
}

/** The thinking that is dropped. Throws where the request wants to be refused instead. */
function checkThinking(
  request: Request,
  model: ModelInfo,
  { body, state }: Call,
): readonly BoundElsewhere[] {
  const acceptsForeign = state.foreignThinking === 'accepted';
  const found = checkBinding(request, { acceptsForeign });
  if (found.length === 0) return [];
  if (model.thinking !== 'prefix-bound') return checkLatestTurn(found, request.messages);
  const { prefix_mismatch_behavior: behavior } = recordOf(recordOf(body.thinking).block_binding);
  if (behavior == null && state.thinkingBinding === 'when-asked') return [];
  if (behavior === 'drop_block') return found;
  throw new Refused(invalid(boundElsewhere(pathOf(found[0] as BoundElsewhere))));
}

/** Other models only want the thinking of the open tool loop back as it was. */
function checkLatestTurn(found: readonly BoundElsewhere[], messages: readonly Message[]): [] {
  const start = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.every(isToolResult),
  );
  const altered = found.find(
    ({ isAuthentic, messageIndex }) => !isAuthentic && messageIndex > start,
  );
  if (
    altered === undefined ||
    !messages.slice(start).some(({ content }) => content.some(isThinking))
  ) {
    return [];
  }
  throw new Refused(
    invalid(
      `${pathOf(altered)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
    ),
  );
}

const pathOf = ({ messageIndex, blockIndex }: BoundElsewhere): string =>
  `messages.${messageIndex}.content.${blockIndex}`;

const transformation = (block: BoundElsewhere): Transformation => ({
  type: 'thinking_dropped',
  path: pathOf(block),
  reason: block.reason,
});

interface WindowOptions {
  readonly model: ModelInfo;
  readonly request: Request;
}

function checkWindow(tokens: number, { model, request }: WindowOptions): void {
  const { windowTokens } = model;
  if (tokens > windowTokens) {
    throw new Refused(invalid(`prompt is too long: ${tokens} tokens > ${windowTokens} maximum`));
  }
  const { maxOutputTokens } = request;
  if (!needsRoom(model) || tokens + maxOutputTokens <= windowTokens) return;
  throw new Refused(
    invalid(
      `input length and \`max_tokens\` exceed context limit: ${tokens} + ${maxOutputTokens} > ${windowTokens}, decrease input length or \`max_tokens\` and try again`,
    ),
  );
}

/** Models before 4.5 refuse a request that has no room for its whole output. */
const needsRoom = (model: ModelInfo): boolean => isBefore46(model) && !model.id.endsWith('-4-5');
