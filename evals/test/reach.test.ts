import { isToolResult, type Message, toolResults } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createEvictions } from '../src/demand/evictions.ts';
import { addNeeds, NO_RECALL, type Reach, recallAt } from '../src/demand/hindsight-recall.ts';
import { createVisibleUnits } from '../src/demand/visible-units.ts';
import { totalsOf } from '../src/report/totals.ts';
import { choosing, cleared, planOf, rowFor } from './replays.ts';
import { edit, read, type Step, write } from './sessions.ts';

const LINE = 'const total = priceWithTaxes(basket);';
const shell = (command: string, result: string): Step => ({ call: ['Bash', { command }], result });

/** One use of what `shows` showed, with one other call between. */
const using = (shows: Step, uses: Step, ...between: readonly Step[]): readonly Step[] => [
  { user: 'Go.' },
  shows,
  ...between,
  read('src/other.ts', 'nothing of interest here'),
  uses,
  { say: 'Done.' },
];

/** Old results are gone, or a note stands for each. */
type NoteOf = (id: string) => string | readonly { type: 'text'; text: string }[];

const clearing = (noteOf?: NoteOf) =>
  choosing('clearing', (messages) =>
    messages.map((message, at) => (at < 3 ? noted(message, noteOf) : message)),
  );

function noted(message: Message, noteOf?: NoteOf): Message {
  if (noteOf === undefined) return cleared(message);
  const content = message.content.map((block) =>
    isToolResult(block) ? { ...block, content: noteOf(block.tool_use_id) } : block,
  );
  return { ...message, content };
}

describe('at hand, one call away, gone (FIDELITY 2.8)', () => {
  const usesLine = edit('src/bill.ts', LINE);
  const usesName = shell('grep -rn priceWithTaxes2 src', 'none');
  const ran = shell('node run.js', 'ReferenceError: priceWithTaxes2 is not defined');

  test.each<[string, readonly Step[], Parameters<typeof clearing>[0], number, number]>([
    ['a file that is as it was', using(read('src/bill.ts', LINE), usesLine), undefined, 0, 1],
    [
      'a file that was written since',
      using(read('src/bill.ts', LINE), usesLine, write('src/bill.ts', 'const other = 1;')),
      undefined,
      0,
      0,
    ],
    ['an output', using(ran, usesName), undefined, 0, 0],
    ['an output that is stored', using(ran, usesName), () => '[stored handle="tr_1"]', 0, 1],
    ['an output in a file of its own', using(ran, usesName), (id) => `See /large/${id}`, 0, 1],
    [
      'an output whose note has only parts of a path',
      using(ran, usesName),
      (id) => ['See /large/', id].map((text) => ({ type: 'text', text })),
      0,
      0,
    ],
    ['an output with a note', using(ran, usesName), () => '[cleared]', 0, 0],
  ])('%s', (_, steps, noteOf, atHand, reach) => {
    const plan = planOf(steps);
    const needed = plan.needs.calls.before(5);
    expect(needed.units.length).toBeGreaterThan(0);
    const row = rowFor(plan, clearing(noteOf));
    const kept = rowFor(
      plan,
      choosing('all', (messages) => messages),
    );
    expect(kept).toMatchObject({ hindsightRecall: 1, hindsightReach: 1 });
    // what was only needed while it was the newest is at hand for everybody
    expect(row.hindsightRecall).toBeLessThan(1);
    expect(row.hindsightRecall).toBeGreaterThanOrEqual(atHand);
    if (reach === 1) expect(row.hindsightReach).toBe(1);
    else expect(row.hindsightReach).toBeLessThan(1);
    expect(row.hindsightUnits).toBe(plan.needs.calls.uses);
  });

  test('an output whose note stood there and went is gone', () => {
    const plan = planOf(using(ran, usesName));
    const afterwards = choosing('cleared after a note', (messages) => {
      const note = messages.length < 5 ? '[stored handle="tr_1"]' : '[cleared]';
      return messages.map((message, at) => (at < 3 ? noted(message, () => note) : message));
    });
    expect(rowFor(plan, afterwards).hindsightReach).toBeLessThan(1);
  });

  test('sums, by weight', () => {
    const needs = { units: Int32Array.of(1, 2, 3), weights: Float64Array.of(1, 2, 4) };
    const places: readonly Reach[] = ['gone', 'at-hand', 'one-call', 'gone'];
    const reachOf = (unit: number): Reach => places[unit] as Reach;
    const sum = addNeeds(NO_RECALL, needs, reachOf);
    expect(sum).toEqual({ kept: 1, near: 2, wanted: 7 });
    expect(addNeeds(sum, needs, reachOf)).toEqual({ kept: 2, near: 4, wanted: 14 });
    expect(recallAt(needs, (unit) => unit === 3)).toBeCloseTo(4 / 7);
    expect(recallAt({ units: Int32Array.of(), weights: Float64Array.of() }, () => true)).toBeNull();
  });

  test('means over sessions, with an interval over projects from five on', () => {
    const rows = Array.from({ length: 6 }, (_, at) => ({
      ...{ session: `s${at}`, strategy: 'own', relativeToKeepAll: 1, dollars: 1 },
      ...{ hindsightRecall: at / 10, hindsightReach: 0.9, hindsightUnits: at === 5 ? 9 : 10 },
      ...{ namedRecall: 0.5, namedReach: 0.75, namedUnits: 10 },
    })) as unknown as Parameters<typeof totalsOf>[0];
    const threads = (projects: number) =>
      rows.map(({ session }, at) => ({ session, project: at % projects }));
    const [total] = totalsOf(rows, threads(5));
    expect(total).toMatchObject({ hindsightReach: 0.9, namedRecall: 0.5, namedReach: 0.75 });
    expect(total?.hindsightRecall).toBeCloseTo(0.2);
    expect(total?.hindsightLow).toBeLessThan(0.2);
    expect(total?.hindsightHigh).toBeGreaterThan(0.2);
    expect(totalsOf(rows, threads(4))[0]).toMatchObject({
      hindsightLow: null,
      hindsightHigh: null,
    });
  });
});

describe('createVisibleUnits', () => {
  test('says what came and what left, wherever it stands', () => {
    const { recording, demand } = planOf([
      { user: 'Go.' },
      read('src/a.ts', LINE),
      read('src/b.ts', 'two'),
      edit('src/a.ts', LINE),
    ]);
    const visible = createVisibleUnits(demand.index);
    const [user, call, result, other] = recording.history as readonly Message[];
    const show = (...messages: readonly (Message | undefined)[]) =>
      visible.show({ head: { ...recording.head, system: [] }, messages } as never);
    const line = demand.index.idOf(LINE) as number;
    expect(show(user, call, result)).toEqual({ entered: [user, call, result], left: [] });
    expect(visible.has(line)).toBe(true);
    expect(show(other, call, result)).toEqual({ entered: [other], left: [user] });
    expect(visible.has(line)).toBe(true);
    expect(show(other, call)).toEqual({ entered: [], left: [result] });
    expect(visible.has(line)).toBe(false);
  });
});

describe('which results left the context', () => {
  const { history } = planOf([
    { user: 'Go.' },
    read('src/a.ts', 'one'),
    read('src/b.ts', 'two'),
  ]).recording;
  const [one, two] = [history[2], history[4]] as [Message, Message];
  const withContent = (message: Message, content: unknown): Message => ({
    ...message,
    content: message.content.map((block) => ({ ...block, content }) as typeof block),
  });
  const nothing = { entered: [], left: [] };

  test('counts each recorded one once, as it was or as a copy of it', () => {
    const evictions = createEvictions(history);
    evictions.add({ ...nothing, entered: [one, two] });
    expect(evictions.evicted).toBe(0);
    // another object in the same request is no loss
    evictions.add({ entered: [withContent(one, 'one')], left: [one] });
    expect(evictions.evicted).toBe(0);
    evictions.add({ ...nothing, left: [withContent(one, 'one')] });
    evictions.add({ ...nothing, left: [one] });
    expect(evictions.evicted).toBe(1);
    evictions.add({ ...nothing, left: [withContent(two, 'shortened')] });
    expect(evictions.evicted).toBe(1);
  });

  test('of blocks, too, and what was needed again', () => {
    const blocks = [{ type: 'text', text: 'one' }];
    const listed = withContent(one, blocks);
    const evictions = createEvictions([listed, two]);
    evictions.add({ ...nothing, left: [withContent(one, [{ text: 'one', type: 'text' }])] });
    evictions.add({ ...nothing, left: [withContent(two, [{ type: 'text', text: 'two' }])] });
    expect(evictions.evicted).toBe(1);
    for (const message of [listed, withContent(two, 'shortened')])
      for (const result of toolResults(message)) evictions.fault(result);
    expect(evictions.faulted).toBe(1);
  });
});
