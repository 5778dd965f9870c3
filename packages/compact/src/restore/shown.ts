import {
  type Block,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';

/** Whether messages show a text as the content of a path. */
export type IsShown = (path: string, text: string) => boolean;

/**
 * Looks for content in messages that stay: in results of calls that name the path, and in texts that do. What was cleared,
 * stored away, read in part or has changed since is not found, so it counts as not shown. Line numbers in front of lines
 * are looked past.
 */
export function createIsShown(messages: readonly Message[]): IsShown {
  const places = placesOf(messages);
  return (path, text) => {
    const wanted = withoutNumbers(text).trim();
    return places.some((place) => place.names(path) && place.text().includes(wanted));
  };
}

interface Place {
  readonly names: (path: string) => boolean;
  readonly text: () => string;
}

function placesOf(messages: readonly Message[]): Place[] {
  const inputs = new Map<string, readonly string[]>();
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (isToolUse(block)) inputs.set(block.id, textsOf(block.input));
      return placeOf(block, inputs);
    }),
  );
}

function placeOf(block: Block, inputs: ReadonlyMap<string, readonly string[]>): Place[] {
  if (isText(block)) {
    const text = once(() => withoutNumbers(block.text));
    return [{ names: (path) => block.text.includes(path), text }];
  }
  if (!isToolResult(block) || block.is_error) return [];
  const given = inputs.get(block.tool_use_id) ?? [];
  const text = once(() => withoutNumbers(resultText(block)));
  return [{ names: (path) => given.includes(path), text }];
}

function textsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap(textsOf);
}

function resultText({ content = '' }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (isText(block) ? block.text : [])).join('\n');
}

const withoutNumbers = (text: string): string => text.replace(/^[ \t]*\d+[\t→:|] ?/gm, '');

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
