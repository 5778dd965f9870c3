import { recallAt } from '../../demand/hindsight-recall.ts';
import { createNeeds } from '../../demand/needs.ts';
import { createSessionDemand } from '../../demand/session-demand.ts';
import type { Compacted } from '../compactor.ts';
import { type FactType, VITAL } from '../facts/fact.ts';
import { look } from '../look.ts';
import { mean } from '../means.ts';
import { momentsAt } from '../moments.ts';
import type { FactScore } from '../score.ts';
import type { PointTexts } from '../texts/point-texts.ts';

/**
 * What the suite says of a text without being asked anything: shares of what people said and asked to be kept to, of what
 * the assistant found and comes back to, of the state of the work, of what the next calls need and the next words name.
 */
interface SuiteScore {
  readonly people: number | null;
  readonly found: number | null;
  readonly state: number | null;
  readonly calls: number | null;
  readonly words: number | null;
}

/** The suite's total of what is left of a point; null where it asks for nothing there. */
export function createSuite({
  recording,
  messageIndex,
}: Pick<PointTexts, 'recording' | 'messageIndex'>): (left: Compacted) => number | null {
  const { history } = recording;
  const [moment] = momentsAt([{ messageIndex }], recording);
  const demand = createSessionDemand(history);
  const input = { history, replies: [messageIndex], demand };
  const calls = createNeeds(input, 'calls').before(messageIndex);
  const words = createNeeds(input, 'words').before(messageIndex);
  return (left) => {
    if (moment === undefined) return null;
    const { types } = look(left, moment, recording);
    const visible = new Set(left.messages.flatMap((each) => demand.index.unitsOf(each)));
    const isVisible = (unit: number): boolean => visible.has(unit);
    return suiteTotal({
      people: boundIn(types, (type) => PEOPLE.has(type)),
      found: boundIn(types, (type) => type === 'said'),
      state: boundIn(types, (type) => VITAL.has(type) && type !== 'said' && !PEOPLE.has(type)),
      calls: recallAt(calls, isVisible),
      words: recallAt(words, isVisible),
    });
  };
}

/** People, findings, state and needs, each as much as the others; nothing in it was fitted. */
const suiteTotal = ({ people, found, state, calls, words }: SuiteScore): number | null =>
  mean([people, found, state, mean([calls, words])]);

const PEOPLE: ReadonlySet<FactType> = new Set(['user-message', 'constraint']);

/** Share of the facts of some types that are bound; null where there are none. */
function boundIn(types: FactScore['types'], isMeant: (type: FactType) => boolean): number | null {
  let [bound, all] = [0, 0];
  for (const [type, score] of Object.entries(types)) {
    if (!isMeant(type as FactType)) continue;
    bound += score.bound;
    all += Object.values(score).reduce((total, each) => total + each, 0);
  }
  return all === 0 ? null : bound / all;
}
