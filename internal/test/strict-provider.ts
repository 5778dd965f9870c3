/**
 * What providers refuse, written from their documentation alone and for tests alone: it shares no code with the checks of
 * `@varve/messages` nor with the emulator, so that a rule that both of those misread is seen here. It reads the body of a
 * request as it goes over the wire.
 */
import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const objects = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];

/** One model, as its provider documents it. */
export interface StrictModel {
  readonly api: 'anthropic' | 'chat' | 'responses';
  /** Accepted values of `thinking.type`. */
  readonly thinkingTypes: readonly string[];
  /** Thinking is bound to the whole conversation before it. */
  readonly binds: boolean;
  readonly prefill: boolean;
  readonly systemMessages: boolean;
  readonly forcedTools: boolean;
  readonly maxOutputTokens: number;
  readonly maxMedia: number;
}

const anthropic = (given: Partial<StrictModel>): StrictModel => ({
  api: 'anthropic',
  thinkingTypes: ['adaptive'],
  binds: false,
  prefill: false,
  systemMessages: true,
  forcedTools: true,
  maxOutputTokens: 128_000,
  maxMedia: 600,
  ...given,
});

/** platform.claude.com: model pages, "Preserved thinking", "Errors", "Prefill"; read in September to November 2026. */
export const STRICT_MODELS: Readonly<Record<string, StrictModel>> = {
  'claude-opus-5-5': anthropic({ binds: true, forcedTools: false }),
  'claude-sonnet-5-5': anthropic({
    binds: true,
    forcedTools: false,
    thinkingTypes: ['adaptive', 'between_tools'],
  }),
  'claude-opus-4-8': anthropic({ thinkingTypes: ['adaptive', 'disabled'] }),
  'claude-sonnet-4-6': anthropic({
    thinkingTypes: ['adaptive', 'enabled', 'disabled'],
    systemMessages: false,
  }),
  'claude-haiku-4-5': anthropic({
    thinkingTypes: ['enabled', 'disabled'],
    systemMessages: false,
    prefill: true,
    maxOutputTokens: 64_000,
    maxMedia: 100,
  }),
  'gpt-5.5': { ...anthropic({}), api: 'responses' },
  'gpt-5.2': { ...anthropic({}), api: 'chat' },
};

/** Why a body is refused, by its text as it goes over the wire; empty where it is accepted. */
export function refusals(text: string, fields: Fields, model: StrictModel): readonly string[] {
  const found: string[] = [];
  const refuse = (why: string): void => void found.push(why);
  // a lone half is written as an escape
  if (/\\ud[89a-f][0-9a-f]{2}/i.test(text)) refuse('half a surrogate pair');
  if (Buffer.byteLength(text) > 32 * 2 ** 20) refuse('more than 32 MB');
  if (model.api === 'anthropic') checkAnthropic(fields, model, refuse);
  else if (model.api === 'chat') checkChat(fields, refuse);
  else checkResponses(fields, refuse);
  return found;
}

type Refuse = (why: string) => void;

interface Turn {
  readonly role: string;
  readonly blocks: readonly Fields[];
}

/** Messages as blocks, neighbours of one role merged as the API merges them. */
function turnsOf(body: Fields): readonly Turn[] {
  const turns: { role: string; blocks: Fields[] }[] = [];
  for (const { role, content } of objects(body.messages)) {
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : [...objects(content)];
    const last = turns.at(-1);
    if (last && last.role === role && role !== 'system') last.blocks.push(...blocks);
    else turns.push({ role: String(role), blocks });
  }
  return turns;
}

const isBlankText = (block: Fields): boolean =>
  block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '');
const isThought = ({ type }: Fields): boolean =>
  type === 'thinking' || type === 'redacted_thinking';
const ID = /^[a-zA-Z0-9_-]+$/;

function checkAnthropic(body: Fields, model: StrictModel, refuse: Refuse): void {
  checkHead(body, model, refuse);
  for (const { role, content } of objects(body.messages)) {
    if (!['user', 'assistant', 'system'].includes(String(role))) refuse(`role ${String(role)}`);
    if (typeof content === 'string' ? content.trim() === '' : objects(content).length === 0)
      refuse('a message without content');
  }
  const turns = turnsOf(body);
  if (turns.length === 0) {
    refuse('no messages');
    return;
  }
  checkEnds(turns, model, refuse);
  checkBlocks(turns, refuse);
  checkPairs(turns, refuse);
  checkMarkers(body, turns, refuse);
  const media = turns.flatMap(({ blocks }) => blocks).flatMap(mediaOf).length;
  if (media > model.maxMedia) refuse(`${media} images and documents`);
}

function mediaOf(block: Fields): readonly Fields[] {
  if (block.type === 'image' || block.type === 'document') return [block];
  return block.type === 'tool_result' ? objects(block.content).flatMap(mediaOf) : [];
}

function checkHead(body: Fields, model: StrictModel, refuse: Refuse): void {
  const { max_tokens: max, thinking, tools, tool_choice: choice } = body;
  if (!Number.isInteger(max) || (max as number) < 1) refuse(`max_tokens ${String(max)}`);
  if ((max as number) > model.maxOutputTokens) refuse(`max_tokens ${String(max)} is too large`);
  if (isObject(thinking)) {
    const { type, budget_tokens: budget } = thinking;
    if (!model.thinkingTypes.includes(String(type))) refuse(`thinking.type ${String(type)}`);
    if (type === 'enabled' && typeof budget !== 'number') refuse('no thinking budget');
    if (typeof budget === 'number' && budget < 1_024) refuse('a thinking budget below 1,024');
    if (typeof budget === 'number' && budget >= (max as number))
      refuse('max_tokens not above the thinking budget');
    const forced = isObject(choice) && ['any', 'tool'].includes(String(choice.type));
    if (forced && type !== 'disabled') refuse('a forced tool with thinking');
  }
  if (isObject(choice)) {
    if (!model.forcedTools && ['any', 'tool'].includes(String(choice.type)))
      refuse('a forced tool on this model');
    if (objects(tools).length === 0) refuse('tool_choice without tools');
  }
  const names = objects(tools).map(({ name }) => name);
  if (new Set(names).size < names.length) refuse('two tools of one name');
  if (names.some((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)))
    refuse('the name of a tool');
  if (objects(body.system).some(isBlankText)) refuse('blank system text');
  checkEdits(body, refuse);
}

function checkEdits(body: Fields, refuse: Refuse): void {
  const { context_management: management, thinking } = body;
  if (!isObject(management)) return;
  const types = objects(management.edits).map(({ type }) => type);
  const at = types.indexOf('clear_thinking_20251015');
  if (at > 0) refuse('clear_thinking is not the first edit');
  const isOff = isObject(thinking) && thinking.type === 'disabled';
  if (at >= 0 && isOff) refuse('clear_thinking with thinking switched off');
  const betas = Array.isArray(body.betas) ? body.betas : [];
  if (
    types.some((type) => String(type).startsWith('clear_')) &&
    !betas.includes('context-management-2025-06-27')
  )
    refuse('context_management without its beta');
}

function checkEnds(turns: readonly Turn[], model: StrictModel, refuse: Refuse): void {
  const first = turns[0] as Turn;
  if (first.role !== 'user' && first.blocks[0]?.type !== 'compaction')
    refuse('the first message is not of the user');
  const last = turns.at(-1) as Turn;
  if (last.role === 'assistant' && !model.prefill) refuse('the last message is of the assistant');
  for (const [index, { role }] of turns.entries()) {
    if (role !== 'system') continue;
    const next = turns[index + 1]?.role;
    const stands =
      turns[index - 1]?.role === 'user' && (next === undefined || next === 'assistant');
    if (!model.systemMessages) refuse('a system message on this model');
    else if (!stands) refuse('a system message in the wrong place');
  }
}

function checkBlocks(turns: readonly Turn[], refuse: Refuse): void {
  for (const { role, blocks } of turns) {
    for (const block of blocks) {
      const inside = block.type === 'tool_result' ? objects(block.content) : [];
      // a result may be white space, which a command can print
      if (isBlankText(block) || inside.some(({ type, text }) => type === 'text' && text === ''))
        refuse('an empty text block');
      if (block.type === 'tool_use') {
        if (!isObject(block.input)) refuse('the input of a call is no object');
        if (typeof block.name !== 'string' || block.name === '') refuse('a call without a name');
        if (!ID.test(String(block.id))) refuse('the id of a call');
      }
      if (
        block.type === 'tool_result' &&
        block.is_error === true &&
        inside.some(({ type }) => type !== 'text')
      )
        refuse('a failed result with more than text');
      if (isThought(block) && role !== 'assistant') refuse('thinking that is not of the assistant');
      if (block.type === 'tool_use' && role !== 'assistant')
        refuse('a call that is not of the assistant');
      if (block.type === 'tool_result' && role !== 'user')
        refuse('a result that is not of the user');
      if (block.type === 'image' && role !== 'user') refuse('an image that is not of the user');
      if (
        block.type === 'thinking' &&
        (typeof block.signature !== 'string' || block.signature === '')
      )
        refuse('thinking without a signature');
    }
    if (role === 'assistant' && isThought(blocks.at(-1) ?? {}))
      refuse('thinking at the end of a message');
  }
}

function checkPairs(turns: readonly Turn[], refuse: Refuse): void {
  for (const [index, { role, blocks }] of turns.entries()) {
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const answered = results.map(({ tool_use_id: id }) => id);
    const before = turns[index - 1];
    const asked = before?.role === 'assistant' ? callIds(before.blocks) : [];
    if (role === 'user') {
      if (new Set(answered).size < answered.length) refuse('two results of one call');
      if (answered.some((id) => !asked.includes(id))) refuse('a result without its call');
      const others = blocks.findIndex(({ type }) => type !== 'tool_result');
      if (others >= 0 && blocks.slice(others).some(({ type }) => type === 'tool_result'))
        refuse('a result after other content');
    }
    if (role !== 'assistant') continue;
    const calls = callIds(blocks);
    // ids that come again in a later turn are those of servers which count anew, and every result still has its call
    if (new Set(calls).size < calls.length) refuse('two calls of one id');
    const next = turns[index + 1];
    const given = next?.role === 'user' ? next.blocks.map(({ tool_use_id: id }) => id) : [];
    if (calls.some((id) => !given.includes(id))) refuse('a call without its result');
  }
}

const callIds = (blocks: readonly Fields[]): readonly unknown[] =>
  blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);

function checkMarkers(body: Fields, turns: readonly Turn[], refuse: Refuse): void {
  const blocks = turns.flatMap((turn) =>
    turn.blocks.flatMap((block) => [block, ...objects(block.content)]),
  );
  const marked = [...objects(body.tools), ...objects(body.system), ...blocks].filter(
    ({ cache_control: mark }) => isObject(mark),
  );
  if (marked.length + (isObject(body.cache_control) ? 1 : 0) > 4) refuse('more than 4 markers');
  if (marked.some((block) => isThought(block) || isBlankText(block)))
    refuse('a marker on thinking or blank text');
  const isLong = marked.map(({ cache_control: mark }) => (mark as Fields).ttl === '1h');
  if (isLong.lastIndexOf(true) > isLong.indexOf(false) && isLong.includes(false))
    refuse('a marker of one hour after one of five minutes');
}

/** An assistant message with calls is followed by one `tool` message a call, before anything else. */
function checkChat(body: Fields, refuse: Refuse): void {
  const messages = objects(body.messages);
  if (messages.length === 0) refuse('no messages');
  let open = new Set<unknown>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) refuse('a tool message without its call');
      continue;
    }
    if (open.size > 0) refuse('a call without its tool message');
    const calls = objects(message.tool_calls);
    open = new Set(calls.map(({ id }) => id));
    if (open.size < calls.length) refuse('two calls of one id');
    const says = message.content !== null && message.content !== undefined;
    if (!says && calls.length === 0) refuse('a message without content');
    for (const { function: called } of calls) {
      if (!isObject(called) || typeof called.arguments !== 'string')
        refuse('the arguments of a call');
    }
    if (
      message.role !== 'user' &&
      objects(message.content).some(({ type }) => type === 'image_url')
    )
      refuse('an image that is not of the user');
  }
  if (open.size > 0) refuse('a call without its tool message');
}

/** Calls and outputs pair by id; reasoning is followed by what it led to. */
function checkResponses(body: Fields, refuse: Refuse): void {
  const items = objects(body.input);
  if (items.length === 0) refuse('no input');
  const calls = items.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id);
  const outputs = items
    .filter(({ type }) => type === 'function_call_output')
    .map(({ call_id: id }) => id);
  const count = (ids: readonly unknown[], id: unknown) => ids.filter((each) => each === id).length;
  for (const id of new Set([...calls, ...outputs])) {
    const [called, answered] = [count(calls, id), count(outputs, id)];
    if (called < answered) refuse('an output without its call');
    if (called > answered) refuse('a call without its output');
  }
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    if (
      item.type === 'reasoning' &&
      (next === undefined || next.role === 'user' || next.type === 'function_call_output')
    )
      refuse('reasoning that nothing follows');
    if (item.type === 'function_call' && typeof item.arguments !== 'string')
      refuse('the arguments of a call');
  }
}

/** Thinking that a model wrote, and what stood before it. */
interface Issued {
  readonly model: string;
  readonly text: unknown;
  readonly prefix: string;
  /** The signature of the thinking before it. */
  readonly after: string | undefined;
}

/**
 * Signs thinking, and refuses it behind another prefix, with a gap before it, altered, or of another model. Moved markers
 * change no prefix, and neither does thinking itself.
 */
export function createBinding() {
  const issued = new Map<string, Issued>();
  return {
    /** The reply to a body, its thinking signed. */
    sign(body: Fields, model: string, content: readonly Fields[]): readonly Fields[] {
      const all = flatten(body);
      const prefixes = prefixHashes(body, [
        ...all,
        ...content.map((block) => ({ role: 'assistant', block })),
      ]);
      let after = all.findLast(({ block }) => isThought(block))?.block;
      return content.map((block, index) => {
        if (!isThought(block)) return block;
        const signature = `s${issued.size}-${model}`;
        const prefix = prefixes[all.length + index] as string;
        issued.set(signature, {
          model,
          text: block.thinking ?? block.data,
          prefix,
          after: after && signatureOf(after),
        });
        const signed =
          block.type === 'thinking' ? { ...block, signature } : { ...block, data: signature };
        if (block.type !== 'thinking')
          issued.set(signature, { ...(issued.get(signature) as Issued), text: signature });
        after = signed;
        return signed;
      });
    },
    refusals(body: Fields, model: string): readonly string[] {
      const all = flatten(body);
      const prefixes = prefixHashes(body, all);
      const found: string[] = [];
      let before: string | undefined;
      let isFirst = true;
      for (const [index, { block }] of all.entries()) {
        if (!isThought(block)) continue;
        const known = issued.get(signatureOf(block));
        if (known?.model !== model) found.push('thinking of another model');
        else if (known.text !== (block.thinking ?? block.data)) found.push('altered thinking');
        else if (known.prefix !== prefixes[index])
          found.push('thinking bound to another conversation');
        else if (!isFirst && known.after !== before) found.push('a gap in the thinking');
        before = signatureOf(block);
        isFirst = false;
      }
      return found;
    },
  };
}

const signatureOf = (block: Fields): string => String(block.signature ?? block.data);

interface Placed {
  readonly role: string;
  readonly block: Fields;
}

const flatten = (body: Fields): readonly Placed[] =>
  turnsOf(body).flatMap(({ role, blocks }) => blocks.map((block) => ({ role, block })));

/** Of everything that stands before each block. */
function prefixHashes(body: Fields, all: readonly Placed[]): readonly string[] {
  let hash = digest('', withoutMarkers([body.system, body.tools]));
  return all.map(({ role, block }) => {
    const before = hash;
    if (!isThought(block)) hash = digest(hash, withoutMarkers([role, block]));
    return before;
  });
}

const withoutMarkers = (value: unknown): string =>
  JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)) ?? '';
const digest = (before: string, text: string): string =>
  createHash('md5').update(before).update(text).digest('base64');
