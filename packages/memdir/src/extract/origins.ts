import { type Block, isText, isToolResult, type Message, toolUses } from '@varve/messages';
import {
  injectedTexts,
  isSummary,
  isSynthetic,
  personBlocks,
  splitInjected,
} from '@varve/messages/persons';
import { isForeignTool, readCall, type ToolCall } from '@varve/messages/tools';

/** Where a text of a conversation comes from. Only what the user said, and what the user agreed to, may become memory. */
export type TextOrigin = 'user' | 'assistant' | 'tool' | 'recalled' | 'instruction' | 'synthetic';

export interface SaidText {
  readonly origin: TextOrigin;
  /** Which turn of the user it belongs to, from 1. */
  readonly turn: number;
  readonly text: string;
  /** In ms since 1970; undefined: not known. */
  readonly atMs: number | undefined;
  /** Of the assistant: the user agreed to it in the message that follows. */
  readonly isConfirmed?: boolean;
  /** Of a tool: it came from the web, a server, or another agent. */
  readonly isOutside?: boolean;
}

export interface OriginOptions {
  /** Turns before these messages. @default 0 */
  readonly turn?: number | undefined;
  /** The message before them: the user may agree to it. */
  readonly before?: Message | undefined;
  /** Whether the result of a call comes from outside, beside the web, MCP servers and agents. */
  readonly isOutside?: ((call: ToolCall) => boolean) | undefined;
}

/** Takes a conversation apart by who said what. It is a white list: what is not known to be the user's or the model's is neither. */
export function readOrigins(
  messages: readonly Message[],
  { turn: turnsBefore = 0, before, isOutside = () => false }: OriginOptions = {},
): readonly SaidText[] {
  const said: SaidText[] = [];
  const outside = new Map<string, boolean>();
  let turn = turnsBefore;
  let lastReply = before?.role === 'assistant' && !isSynthetic(before) ? textOf(before) : '';
  for (const message of messages) {
    const created = Date.parse(message.createdAt ?? '');
    const about = { atMs: Number.isNaN(created) ? undefined : created };
    const add = (origin: TextOrigin, text: string, more: Partial<SaidText> = {}): void => {
      if (text.trim() !== '') said.push({ origin, turn, text: text.trim(), ...about, ...more });
    };
    if (message.role === 'assistant') {
      for (const call of toolUses(message)) {
        const read = readCall(call);
        outside.set(call.id, isFromOutside(read) || isOutside(read));
      }
      for (const block of message.content) {
        if (isServerResult(block)) add('tool', JSON.stringify(block), { isOutside: true });
      }
      const text = textOf(message);
      add(isSynthetic(message) ? 'synthetic' : 'assistant', text);
      if (text !== '' && !isSynthetic(message)) lastReply = text;
      continue;
    }
    for (const block of message.content) {
      if (!isToolResult(block)) continue;
      const text = resultText(block.content);
      add('tool', text, { isOutside: outside.get(block.tool_use_id) ?? false });
    }
    const own = isMachines(message) ? '' : ownText(message);
    if (own !== '') {
      turn++;
      if (lastReply !== '' && agrees(own)) add('assistant', lastReply, { isConfirmed: true });
      lastReply = '';
      add('user', own);
    }
    for (const text of injectedTexts(message))
      add(isRecall(message) ? 'recalled' : 'instruction', text);
    if (isSummary(message) || isSynthetic(message)) add('synthetic', textOf(message));
  }
  return said;
}

const textOf = (message: Message): string =>
  message.content
    .filter(isText)
    .map(({ text }) => text)
    .join('\n')
    .trim();

/** Set on messages of other tools that hold their own words in the user's role. */
const isMachines = (message: Message): boolean =>
  isSummary(message) ||
  isSynthetic(message) ||
  (message as { readonly isMeta?: unknown }).isMeta === true;

const isRecall = ({ origin }: Message): boolean => origin?.by === 'memory';

/** What a person typed; of a command only what was typed behind its name. */
function ownText(message: Message): string {
  const isCommand = message.origin?.kind === 'command';
  return (personBlocks(message) as readonly Block[])
    .filter(isText)
    .map(({ text }) => splitInjected(text).own)
    .map((text) => {
      const typed = text.trim();
      const rest = typed.replace(COMMAND, '');
      return isCommand && rest === typed ? '' : rest.trim();
    })
    .filter((text) => text !== '')
    .join('\n');
}

const COMMAND = /^\/[a-z][\w:-]*(?=\s|$)/i;

/** The first words of somebody who accepts what was said. */
const AGREES =
  /^(?:(?:yes|yep|yeah|exactly|right|correct|agreed|perfect|great|good|fine|ok(?:ay)?|sure|confirmed|sounds good|that works|do (?:it|that)|please do|go ahead|ja|genau|richtig|stimmt|passt|oui|exact|sí|exacto|sim|да)(?![\p{L}\p{N}'])|はい|そうです|是的?|对|好的?|네|맞)/iu;

/** `Yes, but …` agrees to half of it, and nobody knows to which. */
const agrees = (text: string): boolean =>
  AGREES.test(text) && !/^\S+[\s,.!-]+(?:but|aber|mais|pero)\b/i.test(text);

function isFromOutside(call: ToolCall): boolean {
  if (call.kind === 'web' || call.kind === 'agent' || isForeignTool(call.name)) return true;
  return call.kind === 'shell' && FETCHES.test(call.command);
}

/** Programs that bring text from elsewhere. */
const FETCHES = /(?:^|[\s;&|(])(?:curl|wget|lynx|w3m|gh|glab)\s/;

const isServerResult = ({ type }: Block): boolean =>
  /^(?:web_search|web_fetch|mcp)_tool_result$/.test(type);

/** Beyond it a result is not searched for words that it shares with a statement. */
const MOST_RESULT_CHARS = 200_000;

function resultText(content: string | readonly Block[] | undefined): string {
  if (typeof content === 'string') return content.slice(0, MOST_RESULT_CHARS);
  const texts = (content ?? []).filter(isText).map(({ text }) => text);
  return texts.join('\n').slice(0, MOST_RESULT_CHARS);
}
