/** Files that may be put into a conversation whole. */
const TEXT_ENDING =
  /\.(?:md|mdx|markdown|txt|rst|adoc|json|jsonc|ya?ml|toml|ini|cfg|conf|csv|xml|html?|css|scss|[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|scala|swift|c|h|cc|cpp|hpp|cs|php|lua|r|jl|ex|exs|erl|hs|clj|sql|graphql|proto|tf|sh|bash|zsh|ps1)$/i;

/** Whether a file is text by its name: with a known ending, or without any, such as `README`. */
export const isTextName = (name: string): boolean => TEXT_ENDING.test(name) || /^[^.]+$/.test(name);

/** Paths behind an `@` in a text, as they are written; what is code is none of them. */
export function includesIn(text: string): string[] {
  const found: string[] = [];
  const plain = withoutCode(text);
  for (const [, path = ''] of plain.matchAll(/(?<=^|[\s([])@((?:\\ |[^\s\\])+)/gm))
    found.push(trimmed(path));
  return [...new Set(found)].filter((path) => path !== '');
}

/** Whether a text says nothing but what it includes. */
export const isOnlyIncludes = (text: string): boolean =>
  text.replace(/(?:^|\s)@(?:\\ |[^\s\\])+/gm, '').trim() === '';

const trimmed = (path: string): string => withoutEnd(path.replace(/\\ /g, ' '), '.,;:!?)]}\'"');

/** A text without those of the characters that stand at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return '';
    }
    fence = mark;
    return mark === undefined ? withoutSpans(line) : '';
  });
  return lines.join('\n');
}

/** A line without the code between two runs of as many backticks. */
function withoutSpans(line: string): string {
  const runs = [...line.matchAll(/`+/g)];
  const closings = new Map<number, number>();
  const nextAsLong = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.[0].length ?? 0;
    nextAsLong[index] = closings.get(length) ?? -1;
    closings.set(length, index);
  }
  let text = '';
  let from = 0;
  for (let index = 0; index < runs.length; index++) {
    const closing = runs[nextAsLong[index] ?? -1];
    if (closing === undefined) continue;
    text += `${line.slice(from, runs[index]?.index)} `;
    from = closing.index + closing[0].length;
    index = nextAsLong[index] ?? index;
  }
  return text + line.slice(from);
}
