import { isRecord } from '@varve/guards';
import { MessagesError } from './error.ts';

/**
 * Refuses messages of another library, so that none is silently emptied: AI SDK, OpenAI Chat Completions and Responses,
 * LangChain, Gemini, Bedrock Converse, ShareGPT, AutoGen, prompts of MCP; and those of no role that ours have. Costs a look at the keys and block types of each message; one that was looked at
 * before costs nothing. Those before `from` are known already.
 *
 * @throws MessagesError `foreign-messages`, which says what they are and which function converts them
 */
export function refuseForeign(messages: readonly unknown[], from = 0): void {
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    const isPair = Array.isArray(message) && typeof message[0] === 'string';
    if (!isPair && known.has(message as object)) continue;
    const kind = isRecord(message) ? (foreignKind(message) ?? roleKind(message)) : undefined;
    const found = sentence(isPair ? PAIR : kind);
    if (found) throw new MessagesError('foreign-messages', `Message ${index} ${found}`);
    if (isRecord(message)) known.add(message);
  }
}

/**
 * What another library calls a message, a part of a message, or a model's response: the rest of a sentence that says what
 * it is and what converts it. Undefined for messages of ours and of Anthropic's API, and for anything unknown.
 */
export function describeForeign(value: unknown): string | undefined {
  return sentence(isRecord(value) ? foreignKind(value) : undefined);
}

const sentence = (found: Foreign | undefined): string | undefined =>
  found && `is ${found.what}, and not of Anthropic's Messages API. ${found.advice}`;

// Memory of a pure function: dropping it changes nothing but time.
const known = new WeakSet<object>();

interface Foreign {
  readonly what: string;
  readonly advice: string;
}

const convertWith = (name: string): string =>
  `Convert the array with \`${name}\` of @varve/messages/convert, and back with \`${name.replace('from', 'to')}\`.`;

const CHAT: Foreign = {
  what: "a message of OpenAI's Chat Completions",
  advice: convertWith('fromOpenAIChat'),
};
const RESPONSES: Foreign = {
  what: "an item of OpenAI's Responses",
  advice: convertWith('fromOpenAIResponses'),
};
const AI_SDK: Foreign = { what: 'a ModelMessage of the AI SDK', advice: convertWith('fromAISDK') };
const UI_MESSAGE: Foreign = {
  what: 'a UIMessage of the AI SDK',
  advice: `Make model messages of them with \`convertToModelMessages\` of the package ai first. ${convertWith('fromAISDK')}`,
};
const LANGCHAIN: Foreign = {
  what: 'a message of LangChain',
  advice: `Make chat messages of OpenAI of them first. ${convertWith('fromOpenAIChat')}`,
};
const NO_CONVERTER =
  "There is no converter for it: build `{ role, content }` with blocks of Anthropic's Messages API.";
const CAMEL_CHAT: Foreign = {
  what: 'a chat message whose calls stand in `toolCalls`',
  advice: `Write \`tool_calls\` and \`tool_call_id\` as OpenAI's Chat Completions do first. ${convertWith('fromOpenAIChat')}`,
};
const AGENTS: Foreign = { what: "an item of OpenAI's Agents SDK", advice: NO_CONVERTER };
const LOG_LINE: Foreign = {
  what: 'a line of a Claude Code log',
  advice:
    'There is no converter for a line: read the whole log with `importFile` of @varve/transcript/node, or pass the `message` of each line.',
};
const BUILD =
  'There is no converter for it: build `{ role, content }` with a role of `user`, `assistant` or `system`.';
const PAIR: Foreign = {
  what: 'a pair of a role and a text, as LangChain takes them',
  advice: BUILD,
};
const SHARE_GPT: Foreign = { what: 'a turn of ShareGPT', advice: BUILD };
const AUTOGEN: Foreign = { what: 'a message of AutoGen', advice: BUILD };
const MCP_PROMPT: Foreign = {
  what: 'a message of an MCP prompt',
  advice: 'There is no converter for it: put its `content` into a list.',
};
const GEMINI: Foreign = {
  what: "a content of Google's Gemini API",
  advice: NO_CONVERTER,
};
const CONVERSE: Foreign = {
  what: 'a message of Bedrock Converse',
  advice: "There is no converter for it: build blocks of Anthropic's Messages API.",
};

const TOOL_OUTPUT: Foreign = {
  what: 'a tool output of the AI SDK',
  advice: `Pass its \`value\` as a text, JSON for an object, or as blocks. Of whole messages: ${convertWith('fromAISDK')}`,
};
const CHAT_CALL: Foreign = {
  what: "a call of OpenAI's Chat Completions",
  advice: `Put it into \`tool_calls\` of its message. ${convertWith('fromOpenAIChat')}`,
};

const MCP: Foreign = {
  what: 'a content of an MCP tool',
  advice:
    "There is no converter for it: build text, image or document blocks of Anthropic's Messages API.",
};

/** A whole response, by the field that holds what the model said. */
const RESPONSES_OF: Readonly<Record<string, Foreign>> = {
  choices: {
    what: "a response of OpenAI's Chat Completions",
    advice:
      'Convert `[response.choices[0].message]` with `fromOpenAIChat` of @varve/messages/convert, and pass the content of what comes.',
  },
  output: {
    what: "a response of OpenAI's Responses",
    advice:
      'Convert `response.output` with `fromOpenAIResponses` of @varve/messages/convert, and pass the content of what comes.',
  },
  candidates: { ...GEMINI, what: "a response of Google's Gemini API" },
};

type Fields = Readonly<Record<string, unknown>>;

function foreignKind(message: Fields): Foreign | undefined {
  const { role, content, type } = message;
  if (isOurBlock(message)) return undefined;
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  if (hasOnlyOurs(message, role)) return foreignPart(parts, role) ?? nullContent(role, content);
  if (isLangChain(message)) return LANGCHAIN;
  if (Array.isArray(message.parts)) return isGemini(message) ? GEMINI : UI_MESSAGE;
  if (Array.isArray(message.toolInvocations)) return UI_MESSAGE;
  if ('rawItem' in message || 'raw_item' in message) return AGENTS;
  if (typeof type === 'string') {
    if (type !== 'message' && isRecord(message.message) && role === undefined) return LOG_LINE;
    if (AGENTS_ITEMS.test(type) || (type.endsWith('_call') && 'callId' in message)) return AGENTS;
    if (RESPONSES_ITEMS.test(type)) return RESPONSES;
  }
  if (role === undefined && content === undefined) {
    const field = Object.keys(RESPONSES_OF).find((name) => Array.isArray(message[name]));
    if (field) return RESPONSES_OF[field];
  }
  const alone = role === undefined && content === undefined ? ownBlockKind(message) : undefined;
  if (alone) return alone;
  const ofPart = foreignPart(parts, role);
  if (ofPart) return ofPart;
  const isCamelResult = role === 'tool' && 'toolCallId' in message;
  if ('toolCalls' in message || isCamelResult) return CAMEL_CHAT;
  if (role === 'tool') return parts.length > 0 ? AI_SDK : CHAT;
  if (role === 'developer' || role === 'function') return CHAT;
  if ('tool_calls' in message || 'function_call' in message || 'tool_call_id' in message)
    return CHAT;
  return nullContent(role, content);
}

/** Most messages: the rest asks for many fields, and each that is not there is dear to look for. */
function hasOnlyOurs(message: Fields, role: unknown): boolean {
  if (!ROLES.includes(role) || Object.getPrototypeOf(message) !== Object.prototype) return false;
  for (const key of Object.keys(message)) if (!OUR_FIELDS.has(key)) return false;
  return true;
}

/** A block that stands alone, as most do: what is asked of all others is dear. */
function isOurBlock(block: Fields): boolean {
  if (!OUR_ALONE.has(block.type) || Object.getPrototypeOf(block) !== Object.prototype) return false;
  for (const key of Object.keys(block)) if (!BLOCK_FIELDS.has(key)) return false;
  return true;
}

const OUR_ALONE: ReadonlySet<unknown> = new Set(['text', 'tool_use', 'thinking']);
const BLOCK_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'text',
  'id',
  'name',
  'input',
  'thinking',
  'signature',
]);

const OUR_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'role',
  'content',
  'origin',
  'createdAt',
  'response',
  'sources',
]);

function foreignPart(parts: readonly Fields[], role: unknown): Foreign | undefined {
  for (const part of parts) {
    const kind = OUR_BLOCKS.has(part.type) ? undefined : partKind(part, role);
    if (kind) return kind;
  }
  return undefined;
}

/** Blocks that are ours whatever else they hold. */
const OUR_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
]);

const nullContent = (role: unknown, content: unknown): Foreign | undefined =>
  role === 'assistant' && content === null ? CHAT : undefined;

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'];

/** What has no role of ours, so that it would be passed over like nothing; a block that stands alone needs none. */
function roleKind(message: Fields): Foreign | undefined {
  const { role, content, type, source, from } = message;
  if (role === undefined && typeof from === 'string' && 'value' in message) return SHARE_GPT;
  if (role === undefined && typeof source === 'string' && 'content' in message) return AUTOGEN;
  if (ROLES.includes(role)) {
    const isPart = isRecord(content) && typeof content.type === 'string';
    return isPart ? MCP_PROMPT : undefined;
  }
  if (role !== undefined) {
    const shown = typeof role === 'string' ? `is \`${role.slice(0, 40)}\`` : 'is no text';
    return { what: `a message whose \`role\` ${shown}`, advice: BUILD };
  }
  if (typeof type === 'string' && type !== '') return undefined;
  const field = ['author', 'sender', 'name', 'speaker'].find((name) => name in message);
  const found = field === undefined ? '' : ` but with one in \`${field}\``;
  return { what: `a message without a \`role\`${found}`, advice: BUILD };
}

/** Calls and what came of them, of every tool there is or will be; Anthropic's own blocks of MCP begin with `mcp_tool_`. */
const RESPONSES_ITEMS = /_(?:call|output)$|^(?:mcp_(?!tool_)\w+|reasoning|item_reference)$/;
const AGENTS_ITEMS = /_(?:call_result|item)$/;

/** Instances have a method that tells their kind; written as JSON they name their class, or their kind beside what they hold. */
function isLangChain(message: Fields): boolean {
  const { type, role, data } = message;
  if (typeof message._getType === 'function' || 'lc_namespace' in message) return true;
  if (message.lc === 1 && isRecord(message.kwargs)) return true;
  if (role !== undefined || typeof type !== 'string') return false;
  return (isRecord(data) && 'content' in data) || 'additional_kwargs' in message;
}

/** A UIMessage has a type in each of its parts, or an id, or its text beside them (AI SDK 4). */
function isGemini({ role, parts, content, id }: Fields): boolean {
  if (role === 'model') return true;
  const list = (parts as readonly unknown[]).filter(isRecord);
  if (list.some((part) => 'type' in part)) return false;
  return list.length > 0 || (content === undefined && id === undefined);
}

/** Whether a block is one that no provider takes in a message and that no converter leaves there. */
export const isForeignBlock = (block: object): boolean =>
  isRecord(block) && ownBlockKind(block) !== undefined;

/** What says by itself whose it is, in a list of blocks and alone. */
function ownBlockKind(part: Fields): Foreign | undefined {
  const { type } = part;
  if (type === 'function' || type === 'custom') {
    return isRecord(part[type]) && ('name' in part[type] || 'id' in part) ? CHAT_CALL : undefined;
  }
  const isOutput =
    'value' in part && !('text' in part) && TOOL_OUTPUTS.includes(type) && !('source' in part);
  return isOutput || (type === 'execution-denied' && !('content' in part))
    ? TOOL_OUTPUT
    : undefined;
}

const TOOL_OUTPUTS: readonly unknown[] = ['text', 'json', 'content', 'error-text', 'error-json'];

function partKind(part: Fields, role: unknown): Foreign | undefined {
  const own = ownBlockKind(part);
  if (own) return own;
  const { type } = part;
  if (type === undefined) return untypedKind(part);
  if (typeof type === 'string' && /^tool-/.test(type)) return AI_SDK;
  switch (type) {
    case 'function_call':
    case 'function_call_output':
      return RESPONSES;
    case 'file':
      return 'mediaType' in part ? AI_SDK : CHAT;
    case 'image':
      if ('image' in part) return AI_SDK;
      return 'mimeType' in part ? MCP : undefined;
    case 'audio':
      return 'mimeType' in part ? MCP : undefined;
    case 'resource':
      return 'resource' in part ? MCP : undefined;
    case 'resource_link':
      return 'uri' in part ? MCP : undefined;
    case 'media':
    case 'file-data':
    case 'image-data':
      return 'mediaType' in part ? AI_SDK : undefined;
    case 'reasoning':
      return 'text' in part && role === 'assistant' && !('summary' in part) ? AI_SDK : undefined;
    case 'image_url':
    case 'input_audio':
      return CHAT;
    case 'input_text':
    case 'output_text':
    case 'input_image':
    case 'input_file':
      return RESPONSES;
    default:
      return undefined;
  }
}

/** Every block of Anthropic's has a type; those of two others are told apart by their one key. */
function untypedKind(part: Fields): Foreign | undefined {
  if (GEMINI_KEYS.some((key) => key in part)) return GEMINI;
  const isText = typeof part.text === 'string';
  return isText || CONVERSE_KEYS.some((key) => isRecord(part[key])) ? CONVERSE : undefined;
}

const GEMINI_KEYS = [
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'thoughtSignature',
];
const CONVERSE_KEYS = [
  'toolUse',
  'toolResult',
  'reasoningContent',
  'citationsContent',
  'cachePoint',
  'guardContent',
  'searchResult',
  'image',
  'document',
  'video',
  'audio',
];
