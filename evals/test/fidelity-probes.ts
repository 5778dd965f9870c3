import { createLedger, renderLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import type { Fact } from '../src/fidelity/facts/fact.ts';
import { momentsAt } from '../src/fidelity/moments.ts';
import { planSession } from '../src/replay/session-plan.ts';
import { resolvePricing } from '../src/resolve-pricing.ts';
import { importNamed, mainThreads } from '../src/session/import-threads.ts';
import { findSessionFiles } from '../src/session/session-files.ts';

/** A place of a recorded session: its facts, and the text that the product makes of it. */
export interface Probe {
  readonly session: string;
  readonly facts: readonly Fact[];
  readonly text: string;
  readonly past: readonly Message[];
}

/** The five cuts of each session, with a ledger that has room for all it knows. */
export async function probesOf(paths: readonly string[]): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  const files = paths.every((path) => path.endsWith('.jsonl') || path.endsWith('.json'));
  for (const file of await findSessionFiles(paths)) {
    if (!files && file.name.endsWith('manifest.json')) continue;
    for (const { session, thread } of mainThreads(await importNamed(file), file.name)) {
      const plan = planSession(thread, resolvePricing({ ttl: '5m' }));
      for (const { facts, past } of momentsAt(plan.cuts, plan.recording)) {
        const ledger = createLedger();
        for (const message of past) ledger.add(message);
        const sizeOf = (text: string): number => Math.ceil(text.length / 4);
        const { text } = renderLedger(ledger, { budgetTokens: 20_000, sizeOf });
        probes.push({ session, facts, text, past });
      }
    }
  }
  return probes;
}

/** A text in the place of the whole conversation. */
export const summary = (text: string): readonly Message[] => [
  { id: 's', role: 'user', origin: { kind: 'summary' }, content: [{ type: 'text', text }] },
];

/** The same text with every outcome in the lines that `names` picks turned around. */
export const flipped = (text: string, names: (line: string) => boolean, flip: Flip): string =>
  text
    .split('\n')
    .map((line) => (names(line) ? flip(line) : line))
    .join('\n');

export type Flip = (line: string) => string;

const swapped =
  (pairs: readonly (readonly [string, string])[]): Flip =>
  (line) => {
    const other = new Map(
      pairs.flatMap(([one, two]) => [[one, two] as const, [two, one] as const]),
    );
    const words = [...other.keys()].sort((one, two) => two.length - one.length);
    const at = behindName(line);
    return (
      line.slice(0, at) +
      line
        .slice(at)
        .replace(new RegExp(`\\b(?:${words.join('|')})\\b`, 'g'), (word) => other.get(word) ?? word)
    );
  };

/** What a record says of a name stands behind it. */
function behindName(line: string): number {
  const quoted = line.lastIndexOf('`: ');
  return quoted === -1 ? Math.max(0, line.lastIndexOf(': ')) : quoted;
}

/** `ok, exit 0` is `failed, exit 1`; `pass, 4 passed, 0 failed` is `fail, 0 passed, 4 failed`. */
export const flipOutcome: Flip = (line) => {
  // what a run printed goes with its outcome
  if (/^- `.*`: "/.test(line)) return '';
  const told = swapped([
    ['ok', 'failed'],
    ['pass', 'fail'],
    ['exit 0', 'exit 1'],
    ['open', 'resolved'],
    ['not run: it was refused', 'passed'],
  ])(line.replace(/(\d+) passed, (\d+) failed/g, '$1 PASSED, $2 FAILED'));
  return told.replace(/(\d+) PASSED, (\d+) FAILED/g, '$2 passed, $1 failed');
};

export const flipFile: Flip = (line) => {
  const at = behindName(line);
  const said = line.slice(at);
  const isGone = /\bdeleted|removed\b/.test(said);
  return line.slice(0, at) + (isGone ? ': edited once' : ': deleted');
};
