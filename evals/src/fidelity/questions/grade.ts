import { holds } from '../../memory/words.ts';
import type { Question } from './load.ts';

/** Whether an answer holds the terms of a question; saying nothing is no answer. */
export const isRight = (answer: string | null, { terms }: Pick<Question, 'terms'>): boolean =>
  answer !== null && holds(answer, { words: terms });

/** How far two readings of the same texts agree in what they got right: share, and beyond chance (Cohen's kappa). */
export function agreementOf(pairs: readonly (readonly [boolean, boolean])[]) {
  const count = pairs.length;
  if (count === 0) return { pairs: 0, share: null, kappa: null };
  const share = pairs.filter(([one, other]) => one === other).length / count;
  const [one, other] = [0, 1].map(
    (reading) => pairs.filter((pair) => pair[reading]).length / count,
  ) as [number, number];
  const chance = one * other + (1 - one) * (1 - other);
  return { pairs: count, share, kappa: chance === 1 ? null : (share - chance) / (1 - chance) };
}

/** Kendall's tau-b between two rankings of the same things: 1 in the same order, -1 reversed; null where one ranks nothing. */
export function kendallTau(one: readonly number[], other: readonly number[]): number | null {
  let [agree, disagree, tiedOne, tiedOther] = [0, 0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    for (let next = at + 1; next < one.length; next++) {
      const first = Math.sign((one[at] as number) - (one[next] as number));
      const second = Math.sign((other[at] as number) - (other[next] as number));
      if (first === 0) tiedOne++;
      if (second === 0) tiedOther++;
      if (first * second > 0) agree++;
      if (first * second < 0) disagree++;
    }
  }
  const pairs = (one.length * (one.length - 1)) / 2;
  const scale = Math.sqrt((pairs - tiedOne) * (pairs - tiedOther));
  return scale === 0 ? null : (agree - disagree) / scale;
}
