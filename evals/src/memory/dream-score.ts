import type { Chain } from './chain.ts';
import { BAD, heldBy, type JudgedStatement, judge, shareOf } from './score.ts';
import type { Statement } from './statements.ts';

/** What a consolidation did to a memory; shares. */
export interface DreamScore {
  /** Of what was held and is true. */
  readonly lostTrue: number;
  /** Of bad statements and noise; undefined where there was none. */
  readonly removedBad: number | undefined;
  readonly keptStale: number | undefined;
  readonly duplicatesLeft: number | undefined;
  /** Bad statements that were not there before, a count. */
  readonly invented: number;
  /** What is left of the true, times what is gone of the bad. */
  readonly net: number;
}

export function scoreDream(
  before: readonly (string | Statement)[],
  after: readonly (string | Statement)[],
  chain: Pick<Chain, 'items'>,
  session: number,
): DreamScore {
  const [old, now] = [judge(before, chain, session), judge(after, chain, session)];
  const [held, left] = [heldBy(old), heldBy(now)];
  const lost = [...held].filter((id) => !left.has(id)).length;
  const bad = old.filter(isBad);
  const kept = new Set(now.flatMap(faultsIn));
  const known = new Set(old.flatMap(faultsIn));
  const gone = bad.filter((each) => !faultsIn(each).some((fault) => kept.has(fault))).length;
  const lostTrue = shareOf(lost, held.size, 0);
  const keptTrue = shareOf(held.size - lost, held.size, 1);
  const removedBad = bad.length === 0 ? undefined : gone / bad.length;
  return {
    ...{ lostTrue, removedBad },
    keptStale: shareLeft(old, now, 'stale'),
    duplicatesLeft: shareLeft(old, now, 'duplicate'),
    invented: now.filter(
      (each) => BAD.has(each.class) && !faultsIn(each).some((fault) => known.has(fault)),
    ).length,
    net: keptTrue * (removedBad ?? 1),
  };
}

const isBad = (each: JudgedStatement): boolean => BAD.has(each.class) || each.class === 'noise';

/** What is bad in a statement, whatever its words: in other words it is still there. */
const faultsIn = (each: JudgedStatement): readonly string[] => {
  if (each.class === 'noise') return [`noise ${each.text}`];
  return BAD.has(each.class) ? each.items.map((id) => `${each.class} ${id}`) : [];
};

function shareLeft(
  before: readonly JudgedStatement[],
  after: readonly JudgedStatement[],
  kind: 'stale' | 'duplicate',
): number | undefined {
  const count = (judged: readonly JudgedStatement[]) =>
    judged.filter((each) => each.class === kind).length;
  return count(before) === 0 ? undefined : count(after) / count(before);
}
