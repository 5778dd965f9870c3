import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import { redact } from '@varve/redact';
import { saidIn } from '../said.ts';
import { clean } from '../ui/clean.ts';
import { describeCall } from '../ui/describe.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  hint: '[file]',
  about: 'write the whole conversation to a Markdown file, without secrets',
  async run({ words, session, face, cwd }) {
    const path = resolve(cwd, words === '' ? `varve-${session.id}.md` : words);
    const entries = session.agent.context.entries();
    const said = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    await writeFile(path, redact(said.map(toMarkdown).filter(Boolean).join('\n\n')), {
      flag: 'wx',
    });
    face.show(`Written: ${path}`, 'note');
  },
};

/** A message as a section; reminders of the agent are left out. */
function toMarkdown(message: Message): string {
  if (isPerson(message) && !message.content.some(isToolResult)) {
    const said = clean(saidIn(message));
    return said === '' ? '' : `## You\n\n${said}`;
  }
  const parts = message.content.flatMap((block) => {
    if (isText(block)) return [clean(block.text)];
    if (isToolUse(block)) return [`- \`${describeCall(block).replaceAll('`', "'")}\``];
    if (isToolResult(block)) return [fenced(clean(resultText(block)))];
    return [];
  });
  if (parts.length === 0) return '';
  if (message.role === 'assistant') return `## varve\n\n${parts.join('\n\n')}`;
  if (isPerson(message)) return `## You\n\n${parts.join('\n\n')}`;
  return message.origin?.kind === 'reminder' ? '' : parts.join('\n\n');
}

const resultText = ({ content }: ToolResultBlock): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((block) => (isText(block) ? block.text : `[${block.type}]`)).join('\n');

/** A fence that is longer than any in the text. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
