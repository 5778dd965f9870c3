import { isText, isToolResult, type Message } from '@varve/messages';

/** What a person typed in a message, without what the agent around it put in; empty where nobody typed anything. */
export function personText({ role, origin, content }: Message): string {
  if (role !== 'user' || origin !== undefined || content.some(isToolResult)) return '';
  return content
    .flatMap((block) => (isText(block) ? withoutInserts(block.text) : []))
    .filter((text) => text !== '')
    .join('\n');
}

function withoutInserts(text: string): string {
  const typed = text.replace(INSERTED, '').trim();
  return NOT_TYPED.test(typed) ? '' : typed;
}

/** What agents put into a message of the person stands in tags of two words or of known names. */
const INSERTED =
  /<([a-z]+[-_][a-z_-]+|instructions|context|user_instructions)(?:\s[^>]*)?>[\s\S]*?<\/\1>/gi;
/** Instruction files, and files and results that the person only mentioned. */
const NOT_TYPED =
  /^(?:# (?:AGENTS|CLAUDE|GEMINI)\.md|Called the \w+ tool with|--- Content from referenced files|<(?:path|file|files)>)/;

/** Sentences and list items of a text, trimmed. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/\n+|(?<=[.!?;])\s+/)
    .map((sentence) => sentence.replace(/^[\s>*•-]+|\s+$/g, ''))
    .filter((sentence) => sentence !== '');
