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

const trimmed = (path: string): string => path.replace(/\\ /g, ' ').replace(/[.,;:!?)\]}'"]+$/, '');

function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return '';
    }
    fence = mark;
    return mark === undefined ? line : '';
  });
  return lines.join('\n').replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, ' ');
}
