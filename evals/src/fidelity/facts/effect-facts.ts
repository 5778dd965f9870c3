import type { FactTable, Place } from './fact-table.ts';
import type { Outcome } from './outcome.ts';

/** What left the working folder: commits, pull requests, releases, by the id that names them. */
export function addEffectFacts(
  table: FactTable,
  { command, outcome, place }: { command: string; outcome: Outcome; place: Place },
): void {
  if (outcome.failed) return;
  const add = (key: string | undefined): void => {
    if (key !== undefined) table.put({ type: 'effect', key }, place);
  };
  if (/\bgit\b.*\bcommit\b/.test(command)) {
    for (const [, sha] of outcome.text.matchAll(/^\[[^\]\n]+ ([0-9a-f]{7,40})\]/gm)) add(sha);
  }
  if (/\bgh\b.*\b(?:create|merge|comment)\b/.test(command)) {
    add(outcome.text.match(/https?:\/\/\S+\/(?:pull|issues|releases)\/\S+/)?.[0]);
  }
}

/** Ids, versions, addresses and variables that more than one message names. */
export function createLiteralFacts(table: FactTable) {
  const seen = new Set<string>();
  return (text: string, place: Place): void => {
    for (const [literal] of text.matchAll(LITERAL)) {
      if (seen.has(literal)) table.put({ type: 'literal', key: literal }, place);
    }
    for (const [literal] of text.matchAll(LITERAL)) seen.add(literal);
  };
}

const LITERAL =
  /https?:\/\/[^\s"'<>)\]]{6,120}|\b\d+\.\d+\.\d+(?:-[\w.]+)?\b|\b[A-Z][A-Z\d]+_[A-Z\d_]{3,}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,40}\b/g;
