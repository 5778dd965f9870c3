import type { Ledger } from '../ledger.ts';
import type { Finding, Repaired } from './finding.ts';

/** URLs, paths and file names; identifiers in camelCase or with an underscore. */
const NAMES =
  /https?:\/\/(?:(?!\[redacted: )[^\s<>"'`)\]])+|(?:\b[A-Za-z]:)?[\p{L}\d_@~./\\+-]+…?/gu;

/** UTF-16 units; what is longer is no name, and nothing that is told apart by its ends. */
const LONGEST_NAME = 1_000;

/** Marks names that never occurred in the session: a path that does not exist sends the work astray. */
export function flagInvented(text: string, ledger: Ledger): Repaired {
  const findings: Finding[] = [];
  const invented = new Set<string>();
  const marked = text.replace(NAMES, (name) => {
    if (name.length > LONGEST_NAME) return name;
    const plain = name.replace(/[.,:;+-]+$/, '');
    // a name that was cut short is known by nobody
    if (plain.endsWith('…') || !isNameLike(plain) || ledger.mentions(plain)) return name;
    if (!invented.has(plain)) findings.push({ kind: 'invented-name', detail: plain });
    invented.add(plain);
    return isPlace(plain) ? `${plain} ${MARK}${name.slice(plain.length)}` : name;
  });
  return { text: marked, findings };
}

/** Where something is to be found; of a mere identifier the finding is enough. */
const isPlace = (name: string): boolean => name.includes('/') || FILE_ENDING.test(name);

const MARK = '(not in the session)';

/** A list with slashes (`read/write`), an abbreviation, a number or a word with a hyphen is no name. */
function isNameLike(name: string): boolean {
  if (/^https?:/.test(name)) return true;
  if (!/[\p{L}]/u.test(name)) return false;
  if (name.includes('/')) return isPathLike(name);
  if (/\.[\p{L}][\p{L}\d]{0,7}$/u.test(name)) return FILE_ENDING.test(name);
  return /_[\p{L}\d]/u.test(name) || /\p{Ll}\p{Lu}/u.test(name);
}

const FILE_ENDING =
  /\.(?:[cm]?[jt]sx?|json[cl5]?|mdx?|py|rb|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|php|exs?|erl|hs|ml|scala|clj|sh|bash|zsh|ps1|sql|ya?ml|toml|ini|cfg|conf|env|lock|txt|csv|tsv|xml|html?|s?css|less|svg|png|jpe?g|gif|pdf|log|vue|svelte|astro|proto|graphql|tf|ipynb|gradle|zig|lua|r|pl|pony)$/i;

function isPathLike(name: string): boolean {
  const parts = name.split('/').filter((part) => part !== '');
  if (FILE_ENDING.test(name)) return true;
  if (/^(?:~|\.{1,2})?\//.test(name)) return parts.length > 1;
  const listed = parts.some((part) => /^\d+$/.test(part) || /^\p{Lu}\p{Ll}+$/u.test(part));
  return parts.length > 1 && !listed && parts.some((part) => /\p{L}[_.@-]/u.test(part));
}
