import { isOnlyLabel, type Statement, statementKey, statementsOf } from '../evidence/statements.ts';

/** A statement to be written. */
export type NewStatement = Pick<Statement, 'part' | 'text'>;

/**
 * The text of a memory with statements out and others in: the rule first, then why, then how to apply it. Lines that are not touched
 * stay as they are.
 */
export function composeBody(
  body: string,
  {
    added,
    removed,
  }: { readonly added: readonly NewStatement[]; readonly removed: ReadonlySet<string> },
): string {
  const old = statementsOf(body);
  const isGone = ({ text }: Statement): boolean => removed.has(statementKey(text));
  const isRuleNew = old.filter(({ part }) => part === 'rule').every(isGone);
  // The reason of a rule that is gone is none of the new one's, where the new one has its own.
  const isOutdated = ({ part }: Statement): boolean =>
    isRuleNew && part !== 'rule' && added.some((each) => each.part === part);
  const lines: (string | undefined)[] = body.replace(/\s+$/, '').split(/\r\n|\n|\r/);
  const places: Partial<Record<Statement['part'], number>> = {};
  for (const [at, written] of lines.entries()) {
    const here = old.filter(({ line }) => line === at);
    const part = here[0]?.part;
    if (part !== undefined) places[part] = at;
    const gone = here.filter((each) => isGone(each) || isOutdated(each));
    if (gone.length === 0) continue;
    const rest = gone.reduce((text, each) => text.replace(each.text, ''), written ?? '');
    lines[at] = gone.length === here.length ? undefined : rest.replace(/ {2,}/g, ' ').trimEnd();
  }
  if (removed.size > 0) dropLabels(lines);
  for (const part of ['apply', 'why', 'rule'] as const) {
    const texts = added.filter((each) => each.part === part).map(({ text }) => text);
    if (texts.length > 0) insert(lines, { part, texts, at: places[part], places });
  }
  const text = lines.filter((line) => line !== undefined).join('\n');
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** A label goes with the last of what it stood above. */
function dropLabels(lines: (string | undefined)[]): void {
  for (const [at, line] of lines.entries()) {
    if (line === undefined || !isOnlyLabel(line)) continue;
    let next = at + 1;
    while (lines[next]?.trim() === '') next++;
    let left = false;
    for (; next < lines.length && !left; next++) {
      const below = lines[next];
      if (below === undefined) continue;
      if (below.trim() === '' || /^\s{0,3}#/.test(below) || isOnlyLabel(below)) break;
      left = true;
    }
    if (!left) lines[at] = undefined;
  }
}

const LABELS = { why: '**Why:** ', apply: '**How to apply:** ' };

interface Insertion {
  readonly part: Statement['part'];
  readonly texts: readonly string[];
  /** The last line of that part. */
  readonly at: number | undefined;
  readonly places: Partial<Record<Statement['part'], number>>;
}

function insert(lines: (string | undefined)[], { part, texts, at, places }: Insertion): void {
  if (part === 'rule') {
    const isList = at !== undefined && /^\s*[-*+] /.test(lines[at] ?? '');
    const written = texts.map((text) => (isList || texts.length > 1 ? `- ${text}` : text));
    const start = at === undefined ? 0 : at + 1;
    const isLastLine = at === undefined && lines.some((line) => (line ?? '').trim() !== '');
    lines.splice(start, 0, ...written, ...(isLastLine ? [''] : []));
    return;
  }
  const rest = texts.slice(1);
  if (at !== undefined && lines[at] !== undefined) lines.splice(at + 1, 0, ...texts);
  else {
    const labelled = [`${LABELS[part]}${texts[0]}`, ...rest];
    // Why stands before how to apply it.
    const before = part === 'why' ? places.apply : undefined;
    const start = before ?? at ?? lines.length;
    const gap = start > 0 && (lines[start - 1] ?? '').trim() !== '' ? [''] : [];
    lines.splice(start, 0, ...gap, ...labelled, ...(start < lines.length ? [''] : []));
  }
}
