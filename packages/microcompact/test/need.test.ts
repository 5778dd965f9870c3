import type { PlanContext, ToolResultBlock } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate, Candidates } from '../src/candidate.ts';
import { createMicrocompact } from '../src/index.ts';
import { lastAtLeast, noteChance } from '../src/need/chance.ts';
import { createNeedMemory, NO_RECORD } from '../src/need/need-memory.ts';
import { NEED_WEIGHTS } from '../src/need-weights.ts';
import { createToolRules } from '../src/tool-class.ts';
import { type PlainMessage, type Round, replied, round, rounds, said, watched } from './build.ts';

const contextOf = (change: Partial<PlanContext> = {}): PlanContext => ({
  nowMs: 0,
  atUserTurn: false,
  contextTokens: 50_000,
  limits: { windowTokens: 1e6, effectiveTokens: 9e5, autocompactTokens: 8e5 },
  sizeOf: () => 0,
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
  ...change,
});

/** Lines and names that no other file has. */
const fileOf = (name: string, lines = 60): string =>
  Array.from(
    { length: lines },
    (_, at) => `export const ${name}_part${at} = load_${name}(${at});`,
  ).join('\n');

const read = (name: string, output = fileOf(name)): Round => ({
  id: `read-${name}-${output.length}`,
  input: { file_path: `src/${name}.ts` },
  output,
});
const shell = (id: string, command: string, output = 'ok'): Round => ({
  id,
  name: 'bash',
  input: { command },
  output,
});

let count = 0;
const turnsOf = (given: readonly Round[]): PlainMessage[] =>
  given.flatMap((one) => round(count++, one));

function candidatesAfter(messages: readonly PlainMessage[]): Candidates {
  const planner = createMicrocompact({ rent: { by: 'need' } });
  watched(planner, [said(), ...messages]);
  return planner.candidates;
}

/** What is told of the first candidate. */
function featuresAfter(messages: readonly PlainMessage[]) {
  const candidates = candidatesAfter(messages);
  const first = candidates.list[0] as Candidate;
  return { ...candidates.needs?.featuresOf(first), chance: candidates.needs?.chanceOf(first) ?? 0 };
}

describe('what is told of something that could be needed again', () => {
  const before = turnsOf([read('alpha')]);
  const rest = turnsOf(rounds(3, shell('x', 'true')).map((one, at) => ({ ...one, id: `x${at}` })));
  const plain = featuresAfter([...before, ...rest]);

  test('at first: its age, size and kind, and that the turn is still the same', () => {
    expect(plain).toMatchObject({
      read: 1,
      search: 0,
      shell: 0,
      coverage: 0,
      mentions: 0,
      pathUses: 0,
    });
    expect(plain).toMatchObject({ logAge: Math.log(4), sinceNamed: 0, superseded: 0, sameTurn: 1 });
  });

  test.each([
    [
      'a newer reading of the same file',
      turnsOf([read('alpha', `${fileOf('alpha')}\n`)]),
      { superseded: 1, coverage: 1 },
    ],
    [
      'a part of it, with numbers in front',
      turnsOf([shell('part', 'sed -n 1,30p b', fileOf('alpha', 30).replace(/^/gm, '12→'))]),
      { superseded: 0, coverage: expect.closeTo(61 / 121, 3) },
    ],
    [
      'a call that names what it shows',
      turnsOf([shell('grep', 'grep load_alpha src')]),
      { coverage: expect.closeTo(1 / 121, 3) },
    ],
    [
      'a call on its path',
      turnsOf([
        {
          name: 'Edit',
          id: 'e',
          input: { file_path: 'src/alpha.ts', old_string: 'a', new_string: 'b' },
        },
      ]),
      { pathUses: Math.log1p(1) },
    ],
    ['something else that a person asks for', [replied(), said('And beta?')], { sameTurn: 0 }],
  ])('behind %s', (_, later, expected) => {
    expect(featuresAfter([...before, ...later, ...rest])).toMatchObject(expected);
  });

  test('half of it shown again makes a need less likely, the whole of it hardly likely', () => {
    const shown = (lines: number) =>
      featuresAfter([...before, ...turnsOf([shell('p', 'cat b', fileOf('alpha', lines))]), ...rest])
        .chance;
    expect(shown(30)).toBeLessThan(shown(0) * 0.5);
    expect(shown(60)).toBeLessThan(shown(30) * 0.5);
    expect(NEED_WEIGHTS.weights.coverage).toBeLessThan(0);
  });
});

describe('what is remembered of blocks', () => {
  /** Readings of one file, of so many UTF-16 units each. */
  function readings(lengths: readonly number[]) {
    const memory = createNeedMemory({
      tools: createToolRules(undefined),
      isProtected: () => false,
    });
    for (const [at, length] of lengths.entries()) {
      const id = `read-${at}`;
      const input = { file_path: 'src/a.ts', offset: at };
      const call = { type: 'tool_use', id, name: 'Read', input } as const;
      const result = { type: 'tool_result', tool_use_id: id, content: 'x'.repeat(length) } as const;
      memory.add({ id: `call-${at}`, role: 'assistant', content: [call] }, at);
      memory.add({ id: `result-${at}`, role: 'user', content: [result] }, at);
    }
    return lengths.map((_, at) => memory.recordOf(`result-${at}`, 0));
  }

  test('of a file that is read again and again, only readings that none took the place of are looked at', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 80 }),
        (lengths) => {
          const records = readings(lengths);
          for (const [at, length] of lengths.entries()) {
            const isReplaced = (later: number) => later >= 200 && later >= length * 0.7;
            const expected = length >= 200 && lengths.slice(at + 1).some(isReplaced);
            expect(records[at]?.isSuperseded).toBe(expected);
          }
        },
      ),
    );
    const same = readings(Array.from({ length: 500 }, () => 1_000));
    expect(same[0]?.path?.reads.length).toBe(1);
    const shorter = readings(Array.from({ length: 500 }, (_, at) => 100_000 - at * 199));
    expect(shorter[0]?.path?.reads.length).toBeLessThan(20);
  });

  test('of many blocks that show one line, the newest are those whose lines are looked for', () => {
    const common = fileOf('common', 20);
    const messages = turnsOf([
      ...Array.from({ length: 12 }, (_, at) => shell(`s${at}`, `cat ${at}`, `${common}\n${at}`)),
      shell('again', 'cat again', common),
    ]);
    const { list, needs } = candidatesAfter(messages);
    const coverages = list.map((each) => needs?.featuresOf(each).coverage);
    expect(coverages.slice(4, 12)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  test('`needs` of a caller that clears by age is kept', () => {
    const { candidates } = createMicrocompact({ needs: true });
    expect(candidates.needs).toBeDefined();
    expect(createMicrocompact().candidates.needs).toBeUndefined();
  });
});

describe('decideByRent by need', () => {
  const kept = (
    messages: readonly PlainMessage[],
    change: Partial<PlanContext>,
  ): readonly string[] => {
    const planner = createMicrocompact({ rent: { by: 'need' } });
    watched(planner, [said(), ...messages]);
    const plan = planner.plan(contextOf(change));
    const gone = new Set(plan.kind === 'edit' ? (plan.receipt?.clearedToolUseIds ?? []) : []);
    return planner.candidates.list.map(({ toolUseId }) => toolUseId).filter((id) => !gone.has(id));
  };
  const COLD = { cache: { warm: false, markers: [] } };

  test('clears what stands elsewhere too, and keeps what stands nowhere else', () => {
    const messages = turnsOf([
      read('alpha'),
      read('beta'),
      shell('again', 'cat src/beta.ts', fileOf('beta')),
      ...['c', 'd', 'e', 'f', 'g'].map((name) => read(name)),
    ]);
    const ids = kept(messages, COLD);
    expect(ids).toContain(read('alpha').id);
    expect(ids).not.toContain(read('beta').id);
  });

  test('clears sooner when a person has just spoken', () => {
    const at = (atUserTurn: boolean): number => {
      const given = [read('alpha'), ...['c', 'd', 'e', 'f'].map((name) => read(name))];
      for (let more = 0; more < 80; more++) {
        const idle = Array.from({ length: more }, (_, index) => shell(`i${index}`, 'true'));
        const ids = kept(turnsOf([...given, ...idle]), { ...COLD, atUserTurn });
        if (!ids.includes(read('alpha').id as string)) return more;
      }
      return 80;
    };
    expect(at(true)).toBeLessThan(at(false));
    expect(at(false)).toBeLessThan(80);
  });

  test('what stands behind the last cached message is written anyway: clearing it waits for nothing', () => {
    const messages = turnsOf([
      shell('old', 'make', fileOf('old')),
      ...['c', 'd', 'e', 'f'].map((name) => read(name)),
      ...Array.from({ length: 6 }, (_, index) => shell(`i${index}`, 'true')),
    ]);
    const at = (marker: number) => kept(messages, { cache: { warm: true, markers: [marker] } });
    expect(at(0)).not.toContain('old');
    expect(at(messages.length)).toContain('old');
  });
});

describe('the rent of what is due', () => {
  test('counts from the last request at which it was not due, whatever the threshold is', () => {
    const chances = fc.array(fc.double({ min: 0.003, max: 1, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(chances, fc.double({ min: 0.003, max: 1, noNaN: true }), (given, chance) => {
        const record = { ...NO_RECORD };
        for (const [at, each] of given.entries()) noteChance(record, each, at);
        const found = lastAtLeast(record, chance);
        // chances are told apart in steps of a fifth: within a step it counts as not due
        expect(found).toBeGreaterThanOrEqual(given.findLastIndex((each) => each >= chance));
        expect(found).toBeLessThanOrEqual(given.findLastIndex((each) => each >= chance * 0.8));
      }),
    );
  });

  test('a turn reads what is new, however long the conversation is', () => {
    let looks = 0;
    const planner = createMicrocompact({ rent: { by: 'need' }, sizeOf: () => 300 });
    const log = watched(planner, [said()]);
    const perTurn: number[] = [];
    for (let turn = 0; turn < 300; turn++) {
      const before = looks;
      for (const message of round(turn + 10_000, read(`file${turn}`))) {
        for (const block of message.content as unknown as ToolResultBlock[])
          counted(block, () => looks++);
        log.say(message);
      }
      planner.plan(contextOf());
      perTurn.push(looks - before);
    }
    expect(Math.max(...perTurn.slice(150))).toBeLessThanOrEqual(Math.max(...perTurn.slice(0, 20)));
  });
});

function counted(block: ToolResultBlock, onRead: () => void): void {
  const { content } = block;
  if (content === undefined) return;
  Object.defineProperty(block, 'content', {
    enumerable: true,
    get() {
      onRead();
      return content;
    },
  });
}
