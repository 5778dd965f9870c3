/** What a sentence picks and what it turns down: `use bun, not npm`. Lower case. */
export interface RuleTerms {
  readonly picked: string | undefined;
  readonly refused: string | undefined;
}

const TERM = String.raw`[\x60'"]?([\p{L}\d@][\p{L}\d@/._+-]*)[\x60'"]?`;

const SHAPES: readonly { readonly shape: RegExp; readonly swapped?: true }[] = [
  {
    shape: pattern(
      String.raw`\b(?:use|prefer|pick|take|choose|want)\s+(?:the\s+)?${TERM}(?:\s+\S+)?,?\s+(?:and not|not|instead of|rather than|over)\s+${TERM}`,
    ),
  },
  { shape: pattern(String.raw`\b${TERM},?\s+(?:instead of|rather than)\s+${TERM}`) },
  {
    shape: pattern(
      String.raw`\b(?:switch|move|change|migrate|go)\s+(?:\S+\s+){0,2}?from\s+${TERM}\s+to\s+${TERM}`,
    ),
    swapped: true,
  },
  { shape: pattern(String.raw`\bnot\s+${TERM},?\s+but\s+${TERM}`), swapped: true },
  {
    shape: pattern(
      String.raw`\b(?:don['’]?t|do not|never|stop)\s+us(?:e|ing)\s+${TERM}[,;.]?\s+(?:but\s+|please\s+)?use\s+${TERM}`,
    ),
    swapped: true,
  },
];

/** Reads the terms of a sentence; both undefined where it weighs nothing against anything. */
export function ruleTerms(sentence: string): RuleTerms {
  for (const { shape, swapped } of SHAPES) {
    const [, first = '', second] = shape.exec(sentence) ?? [];
    if (second === undefined) continue;
    const [picked, refused] = swapped ? [second, first] : [first, second];
    return { picked: trim(picked), refused: trim(refused) };
  }
  return { picked: undefined, refused: undefined };
}

const trim = (term: string): string => term.replace(/[.,;:]+$/, '').toLowerCase();

function pattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}
