import { isRecord } from '@varve/guards';
import {
  type Block,
  isText,
  isToolUse,
  type Message,
  type OpenRound,
  type Origin,
  type ProviderProfile,
  type RequestStamp,
  toolUses,
} from '@varve/messages';
import { NO_OUTPUT, soundReply } from '@varve/messages/fit';
import { ContextError } from './error.ts';
import { isBlocks } from './is-block.ts';
import type { Reply, ShownOutput, ToolOutput } from './options.ts';
import { withoutOwnMarkers } from './own-markers.ts';
import { readBill, type UsageDoubt } from './read-bill.ts';
import { refuseBlocks, refuseForeign, refuseMedia } from './refuse-foreign.ts';

/** A message before it has its place in the log. */
export type NewMessage = Omit<Message, 'id'> & { readonly id?: string };

/** What a person said; blank text is left out, because providers refuse it. Throws `empty-message`, `malformed-message`. */
export function userContent(
  content: string | readonly Block[],
  profiles: readonly ProviderProfile[],
): readonly Block[] {
  refuseForeign(content, { role: 'user', code: 'malformed-message' });
  refuseMedia(content, { code: 'malformed-message', profiles });
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!isBlocks(blocks)) {
    const text = 'A message is a text or a list of blocks, each with a `type`. Pass one of these.';
    throw new ContextError('malformed-message', text);
  }
  refuseBlocks(blocks, { code: 'malformed-message', profiles });
  const filled = blocks.filter(isFilled);
  if (filled.length > 0) return withoutOwnMarkers(filled);
  throw new ContextError(
    'empty-message',
    'A message needs text that is not blank, or an image or document.',
  );
}

/** Throws `malformed-message` for an origin that no reader of the log knows, and for those that only the context gives. */
export function checkOrigin(origin: Origin | undefined): void {
  if (origin === undefined) return;
  if (isRecord(origin) && USER_ORIGINS.includes(origin.kind)) return;
  const kinds = USER_ORIGINS.map((kind) => `\`{ kind: '${kind}' }\``).join(' or ');
  throw new ContextError(
    'malformed-message',
    `The origin of a message is ${kinds}, or is left out where a person said it. Pass one of these.`,
  );
}

/** Results come by `results`, summaries by a compaction: as the origin of other text they would be taken for those. */
const USER_ORIGINS: readonly Origin['kind'][] = ['reminder', 'command', 'synthetic', 're-read'];

/** What a reply that `checkReply` let pass becomes in the log. Throws `empty-reply` and `malformed-reply`. */
export function replyMessage(
  reply: Reply,
  sent: {
    readonly id: string;
    readonly model: string;
    /** Of whom the reply is sent back to. */
    readonly profiles: readonly ProviderProfile[];
    readonly stamp?: RequestStamp | undefined;
  },
): {
  readonly message: NewMessage;
  readonly repairs: readonly ReturnType<typeof soundReply>['repairs'][number][];
  readonly doubt?: UsageDoubt;
} {
  const { content, repairs } = soundReply(reply.content, sent.profiles);
  if (content.length === 0 && repairs.some(({ reason }) => reason === 'blocks')) {
    throw malformed('It holds no block as the API gives them.');
  }
  if (content.length === 0) {
    const text = 'The reply holds nothing that can be sent back. Send the request again.';
    throw new ContextError('empty-reply', text);
  }
  const { id, model, stopReason } = reply;
  const { usage, doubt } = readBill(reply.usage);
  const response = {
    id: id ?? sent.id,
    model: model ?? sent.model,
    stopReason: stopReason ?? (content.some(isToolUse) ? 'tool_use' : 'end_turn'),
    ...(usage !== undefined && { usage }),
    ...(sent.stamp !== undefined && { request: sent.stamp }),
  };
  const message: NewMessage = { role: 'assistant', content, response };
  return { message, repairs, ...(doubt !== undefined && { doubt }) };
}

/** Throws `malformed-reply` for what is no reply, and for one of another library, which its caller can convert. */
export function checkReply(reply: Reply): void {
  if (!isRecord(reply)) throw malformed('It is no object with `content`.');
  refuseForeign(reply, { role: 'assistant', code: 'malformed-reply' });
  const { content } = reply;
  if (!Array.isArray(content)) throw malformed('Its content is no list of blocks.');
  refuseForeign(content, { role: 'assistant', code: 'malformed-reply' });
}

const malformed = (what: string): ContextError =>
  new ContextError(
    'malformed-reply',
    `The reply cannot be sent back. ${what} Pass \`{ content }\`, a list of blocks such as \`{ type: 'text', text }\`, and with it the \`usage\` of the response.`,
  );

/** A tool's output as a message of its own. Media of a failed tool follow its result, which may hold text only, and some. */
export function resultMessage({ toolUseId, content, isError = false }: ShownOutput): NewMessage {
  const blocks = typeof content === 'string' ? content : content.filter(isFilled);
  const [inside, behind] =
    isError && typeof blocks !== 'string'
      ? [blocks.filter(isText), blocks.filter((block) => !isText(block))]
      : [blocks, []];
  const flag = isError ? { is_error: true } : {};
  const isSilent = isError && (typeof inside === 'string' ? inside.trim() : inside).length === 0;
  const shown = isSilent ? NO_OUTPUT : inside;
  const result = { type: 'tool_result', tool_use_id: toolUseId, content: shown, ...flag };
  return { role: 'user', content: [result, ...behind], origin: { kind: 'tool' } };
}

/** The names of the tools whose results are waited for, by call. Throws `unknown-call` for any other, and for one that comes twice. */
export function waitingTools(
  open: OpenRound | undefined,
  outputs: readonly ToolOutput[],
): ReadonlyMap<string, string> {
  const waiting = new Set(open?.waiting);
  for (const { toolUseId } of outputs) {
    if (waiting.delete(toolUseId)) continue;
    throw new ContextError(
      'unknown-call',
      `No tool call \`${toolUseId}\` waits for a result. Pass each result once, under the id of its call.`,
    );
  }
  return new Map(open ? toolUses(open.assistant).map(({ id, name }) => [id, name]) : []);
}

const isFilled = (block: Block): boolean => !isText(block) || block.text.trim() !== '';
