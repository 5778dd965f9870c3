import { isToolResult, type Message, toolUses } from '@varve/messages';
import { readCall } from '@varve/messages/tools';
import type { SaidText } from './origins.ts';
import { SAVE_TOOL } from './prompt.ts';

/**
 * Whether the agent itself changed a file of the memory folder: a write or an edit that took effect. A search, a read and an edit
 * that failed or changes nothing are none.
 */
export function hasWritten(messages: readonly Message[], root: string): boolean {
  const failed = new Set<string>();
  const answered = new Set<string>();
  for (const { content } of messages) {
    for (const block of content.filter(isToolResult)) {
      answered.add(block.tool_use_id);
      if (block.is_error === true) failed.add(block.tool_use_id);
    }
  }
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(toolUses)
    .filter(({ id }) => answered.has(id) && !failed.has(id))
    .some((call) => {
      if (call.name === SAVE_TOOL) return true;
      const read = readCall(call);
      if (read.kind === 'patch') return read.files.some(({ path }) => isWithin(path, root));
      if (read.kind !== 'edit' && read.kind !== 'write') return false;
      const { old_string: before, new_string: after } = read.input;
      const changesNothing = read.kind === 'edit' && before !== undefined && before === after;
      return !changesNothing && isWithin(read.path ?? '', root);
    });
}

/** A folder without a place on a disk holds files by their names alone. */
function isWithin(path: string, root: string): boolean {
  const plain = (text: string): string => text.replaceAll('\\', '/').replace(/\/+$/, '');
  return root !== '' && plain(path).startsWith(`${plain(root)}/`);
}

/** The last turn in which the agent said that it kept something, where the user had asked for it; undefined: none. */
export function claimedTurn(said: readonly SaidText[]): number | undefined {
  const asked = new Set(
    said
      .filter(({ origin, text }) => origin === 'user' && ASKED.test(text))
      .map(({ turn }) => turn),
  );
  return said.findLast(
    ({ origin, turn, text }) =>
      origin === 'assistant' && (IN_MEMORY.test(text) || (asked.has(turn) && CLAIMED.test(text))),
  )?.turn;
}

const ASKED =
  /\b(?:remember|memori[sz]e|keep in mind|don['’]?t forget|note (?:that|this)|merk(?:e)? dir|nicht vergessen|souviens|recuerda)\b|覚えて|记住|기억해/i;
const CLAIMED =
  /\b(?:(?:i['’]?ve |i have |i )?(?:saved|noted|stored|remembered|recorded|added|made a note)|i['’]?ll (?:remember|keep (?:that|this|it) in mind)|i will remember|gemerkt|gespeichert|notiert|retenu|guardado)\b|覚えました|已记住/i;
const IN_MEMORY =
  /\b(?:saved|stored|added|written|recorded|noted)\b[^.!?\n]{0,40}\b(?:to|in|into) (?:my |the |your |long-term )*memory\b/i;
