import { randomFrom } from '../../random.ts';
import type { EditNeed, Foresight } from '../fidelity-schema.ts';
import { groupBy } from '../means.ts';

/** Whether what a compaction loses is looked at again, more than is usual. Null where no compaction was recorded. */
export function foresightOf(needs: readonly EditNeed[]): Foresight | null {
  const { after, usual } = split(needs);
  if (after.length === 0) return null;
  const sessions = [...groupBy(needs, ({ session }) => session).values()];
  return {
    compactions: new Set(after.map(({ session, place }) => `${session}\n${place}`)).size,
    sessions: new Set(after.map(({ session }) => session)).size,
    edits: after.length,
    lost: mean(after.map(({ lost }) => lost)),
    readAgain: rate(after),
    usualEdits: usual.length,
    usualReadAgain: rate(usual),
    ...intervalOf(sessions),
    auc: aucOf(after),
    aucWithUsual: aucOf(needs),
  };
}

function split(needs: readonly EditNeed[]) {
  return {
    after: needs.filter(({ kind }) => kind === 'compaction'),
    usual: needs.filter(({ kind }) => kind === 'other'),
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;

const rate = (needs: readonly EditNeed[]): number | null =>
  mean(needs.map(({ readAgain }) => Number(readAgain)));

/** Draws whole sessions; draws without one of the two kinds say nothing. */
function intervalOf(sessions: readonly (readonly EditNeed[])[]) {
  const random = randomFrom(1);
  const differences: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const drawn = sessions.flatMap(
      () => sessions[Math.floor(random() * sessions.length)] as readonly EditNeed[],
    );
    const { after, usual } = split(drawn);
    const [one, other] = [rate(after), rate(usual)];
    if (one !== null && other !== null) differences.push(one - other);
  }
  differences.sort((one, other) => one - other);
  const at = (share: number): number | null =>
    differences[Math.round(share * (differences.length - 1))] ?? null;
  return { differenceLow: at(0.025), differenceHigh: at(0.975) };
}

const DRAWS = 2_000;

/** How often an edit before which the file was read again had lost more than one before which it was not; ties are halves. */
function aucOf(needs: readonly EditNeed[]): number | null {
  const again = needs.filter(({ readAgain }) => readAgain);
  const not = needs.filter(({ readAgain }) => !readAgain);
  return mean(
    again.flatMap((one) =>
      not.map((other) => (one.lost > other.lost ? 1 : one.lost === other.lost ? 0.5 : 0)),
    ),
  );
}
