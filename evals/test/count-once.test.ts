import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Report, runEval } from '../src/index.ts';
import { formatFirstScreen } from '../src/report/first-screen.ts';
import { formatReport } from '../src/report/report-text.ts';
import { type Counted, countOnce } from '../src/session/count-once.ts';
import { importNamed } from '../src/session/import-threads.ts';
import { sumLosses } from '../src/session/losses.ts';
import type { RecordedReply } from '../src/session/recorded-replies.ts';
import { sessionFacts } from '../src/session/session-facts.ts';
import { claudeLines } from './claude-files.ts';
import { codexLines } from './codex-files.ts';
import { temporaryFolder, writeSession } from './files.ts';
import { generatedSteps, type Step } from './sessions.ts';

const factsOf = async (paths: readonly string[], names = paths): Promise<Counted> =>
  countOnce(
    await Promise.all(
      paths.map(async (path, at) => {
        const name = names[at] as string;
        return sessionFacts(await importNamed({ path, name, place: name, named: false }), name);
      }),
    ),
  );

const project = (seed: number, calls = 12): Step[] =>
  generatedSteps({ seed, calls, lines: 4, project: `Kite${seed}` });

/** Everything of a report that a mean or a sum is. */
const figures = ({ totals, verdict, bills }: Report) => ({
  totals,
  verdict,
  bills: { ...bills, sharedRequests: 0 },
});

const run = (sessions: readonly string[]): Promise<Report> =>
  runEval({ sessions, strategies: ['sliding-clear', 'batched-t10-n2-f1'] });

const lines = (folder: string, name: string, all: readonly string[]): void =>
  writeFileSync(join(folder, name), `${all.join('\n')}\n`);

/** A session of Claude Code whose replies have ids of their own. */
const claude = (seed: number, steps: readonly Step[], sessionId = `s${seed}`): string[] =>
  claudeLines(steps, { sessionId, replyIds: (at) => `msg_${seed}_${at}` });

describe('a session and its copies, resumes and forks count as one (law 3)', () => {
  test('sums and means of two sessions stay, whatever is beside them', async () => {
    const alone = temporaryFolder();
    const beside = temporaryFolder();
    for (const folder of [alone, beside]) {
      lines(folder, 'one.jsonl', claude(1, project(1)));
      lines(folder, 'two.jsonl', claude(2, project(2)));
    }
    mkdirSync(join(beside, 'backup'));
    cpSync(join(alone, 'one.jsonl'), join(beside, 'backup', 'copy.jsonl'));
    // a resume that was left at once, and a fork that was given up: they begin as the first session does
    lines(beside, 'resumed.jsonl', claude(1, project(1).slice(0, 6), 'resumed'));
    lines(beside, 'forked.jsonl', claude(1, project(1).slice(0, 9), 'forked'));
    const [one, all] = [await run([alone]), await run([beside])];
    expect(figures(all)).toEqual(figures(one));
    expect(all.leftOut.map(({ session, why, of }) => [session, why, of])).toEqual([
      ['backup/copy.jsonl', 'copy', 'one.jsonl'],
      ['forked.jsonl', 'copy', 'one.jsonl'],
      ['resumed.jsonl', 'copy', 'one.jsonl'],
    ]);
    expect(all.bills.sharedRequests).toBeGreaterThan(20);
  });

  test('a fork with replies of its own is in the bills once, and in no mean', async () => {
    const folder = temporaryFolder();
    const shared = project(3);
    const own: Step[] = [{ user: 'Another way, please.' }, { say: 'This way, then.' }];
    lines(folder, 'parent.jsonl', claude(3, shared));
    const before = await run([folder]);
    const forked = claudeLines([...shared.slice(0, 8), ...own], {
      sessionId: 'forked',
      replyIds: (at) => (at < 8 ? `msg_3_${at}` : `own_${at}`),
    });
    lines(folder, 'forked.jsonl', forked);
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    expect(after.leftOut).toMatchObject([
      { session: 'forked.jsonl', why: 'fork', of: 'parent.jsonl', ownRequests: 1 },
    ]);
    expect(after.bills.requests).toBe(before.bills.requests + 1);
    expect(after.bills.dollars).toBeGreaterThan(before.bills.dollars);
    const screen = formatFirstScreen(after).replaceAll(/\s+/g, ' ');
    expect(screen).toContain('Left out of all other figures: 1 fork (1 request of their own)');
  });

  test('a copy that was cut in the middle of a reply is a copy', async () => {
    const folder = temporaryFolder();
    const ids = (at: number): string => `msg_0123456789abcdefgh${at}`;
    const kept = claudeLines(project(10), { sessionId: 's10', replyIds: ids });
    const last = JSON.parse(kept.at(-1) ?? '');
    const more = { ...last, uuid: 'more', parentUuid: last.uuid };
    more.message = { ...last.message, content: [{ type: 'text', text: 'And more.' }] };
    lines(folder, 'whole.jsonl', [...kept, JSON.stringify(more)]);
    lines(folder, 'cut.jsonl', kept);
    const paths = ['whole.jsonl', 'cut.jsonl'].map((name) => join(folder, name));
    const [alone, both] = [await factsOf(paths.slice(0, 1)), await factsOf(paths)];
    expect({ ...both.bills, sharedRequests: 0 }).toEqual(alone.bills);
    expect(both.leftOut).toMatchObject([{ why: 'copy', ownRequests: 0 }]);
  });

  const chat = (replies: readonly string[]): string =>
    JSON.stringify(
      replies.flatMap((content, at) => [
        { role: 'user', content: at === 0 ? 'Mend the build.' : `And ${at}?` },
        { role: 'assistant', content, tool_calls: [] },
      ]),
    );
  const chats = async (all: Readonly<Record<string, readonly string[]>>) => {
    const folder = temporaryFolder();
    const paths = Object.entries(all).map(([name, replies]) => {
      writeFileSync(join(folder, name), chat(replies));
      return join(folder, name);
    });
    const { leftOut, bills } = await factsOf(paths);
    return { leftOut: leftOut.map(({ session, why }) => `${basename(session)} ${why}`), bills };
  };

  test('without ids what was said tells a copy, and two runs that begin alike are two', async () => {
    const { leftOut, bills } = await chats({
      'a.json': ['I look.', 'One.', 'Two.', 'Three.'],
      'b.json': ['I look.', 'One.', 'Two.', 'Three.'],
      'c.json': ['I look.', 'Eins.', 'Zwei.', 'Drei.'],
      'd.json': ['I look.', 'One.'],
    });
    expect(leftOut).toEqual(['b.json copy', 'd.json copy']);
    // a and c share a first reply, and each was asked for
    expect(bills.requests).toBe(8);
  });

  test('without ids a copy is one beside a longer run that begins as both do', async () => {
    const { leftOut, bills } = await chats({
      'a.json': ['I look.', 'One.', 'Eins.', 'Zwei.', 'Drei.'],
      'b.json': ['I look.', 'One.', 'Two.', 'Three.'],
      'c.json': ['I look.', 'One.', 'Two.', 'Three.'],
    });
    expect(leftOut).toEqual(['c.json copy']);
    expect(bills.requests).toBe(9);
  });

  test('adding twenty files of sub-agents with one turn changes no mean (law 3)', async () => {
    const folder = temporaryFolder();
    lines(folder, 'one.jsonl', claude(4, project(4)));
    lines(folder, 'two.jsonl', claude(5, project(5)));
    const before = await run([folder]);
    for (let at = 0; at < 20; at++) {
      const steps: Step[] = [{ user: `Look at part ${at}.` }, { say: `Part ${at} is fine.` }];
      const replyIds = (step: number): string => `agent_${at}_${step}`;
      // of a session that is not there: each is a file of its own
      lines(
        folder,
        `agent-${at}.jsonl`,
        claudeLines(steps, { sessionId: 'gone', agentId: `agent${at}`, replyIds }),
      );
    }
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    expect(after.verdict).toEqual(before.verdict);
    expect(after.bills.subAgents).toMatchObject({ threads: 20, requests: 20 });
    expect(after.bills.requests).toBe(before.bills.requests + 20);
    expect(after.leftOut.every(({ why }) => why === 'sub-agent')).toBe(true);
    expect(formatFirstScreen(after).replaceAll(/\s+/g, ' ')).toContain('20 files of sub-agents');
  });

  test('one-turn files of people move no mean either; alone they are replayed', async () => {
    const folder = temporaryFolder();
    lines(folder, 'one.jsonl', claude(6, project(6)));
    const before = await run([folder]);
    const short = claude(7, [{ user: 'What is this?' }, { say: 'A kite.' }]);
    lines(folder, 'short.jsonl', short);
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    const alone = temporaryFolder();
    lines(alone, 'short.jsonl', short);
    const only = await run([alone]);
    expect(only.rows.length).toBeGreaterThan(0);
    expect(only.leftOut).toMatchObject([{ why: 'short', counted: true }]);
  });
});

describe('P361: forks of Codex', () => {
  const parent = '019f0000-0000-7000-8000-000000000001';
  const child = '019f0000-0000-7000-8000-000000000002';

  test('what a fork copied is its parent’s, and its own requests are counted', async () => {
    const folder = temporaryFolder();
    lines(folder, 'parent.jsonl', codexLines(parent, { turns: 9 }));
    const before = await run([folder]);
    const copied = { turns: 5, of: parent };
    const meta = { forked_from_id: parent };
    lines(folder, 'fork.jsonl', codexLines(child, { turns: 8, copied, meta }));
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    expect(after.leftOut).toMatchObject([
      { session: 'fork.jsonl', why: 'fork', of: 'parent.jsonl', ownRequests: 3 },
    ]);
    expect([before.bills.requests, after.bills.requests]).toEqual([9, 12]);
    expect(after.bills.billedRequests).toBe(12);
  });

  test('a parent stands for a fork that went on for longer', async () => {
    const folder = temporaryFolder();
    lines(folder, 'parent.jsonl', codexLines(parent, { turns: 6 }));
    const before = await run([folder]);
    const copied = { turns: 5, of: parent };
    const meta = { forked_from_id: parent };
    lines(folder, 'fork.jsonl', codexLines(child, { turns: 15, copied, meta }));
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    expect(after.leftOut).toMatchObject([{ session: 'fork.jsonl', ownRequests: 10 }]);
    expect(after.bills.requests).toBe(16);
  });

  test('a fork whose parent is not there is in no mean, with the reason', async () => {
    const folder = temporaryFolder();
    lines(folder, 'whole.jsonl', codexLines(parent, { turns: 9 }));
    const before = await run([folder]);
    const missing = '019f0000-0000-7000-8000-00000000000f';
    const meta = { history_base: { thread_id: missing, end_byte_offset: 400 } };
    lines(folder, 'rollout-fork.jsonl', codexLines(child, { turns: 8, meta }));
    const after = await run([folder]);
    expect(after.totals).toEqual(before.totals);
    expect(formatFirstScreen(after).replaceAll(/\s+/g, ' ')).toContain(
      `rollout-fork.jsonl (a fork of ${missing}, whose file is not there)`,
    );
  });
});

const NOTHING_LOST = sumLosses([]);

describe('laws of counting once', () => {
  const SEED = 15;
  const RUNS = 60;

  /** Requests of sessions, by the number of their reply; the parts of a family begin alike. */
  const world = fc.array(
    fc.record({
      calls: fc.integer({ min: 3, max: 9 }),
      copies: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
      ids: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  );

  test(`copies and resumes change no sum, in any order (seed ${SEED}, ${RUNS} worlds)`, async () => {
    let worlds = 0;
    await fc.assert(
      fc.asyncProperty(world, fc.integer(), async (families, turn) => {
        worlds += 1;
        const folder = temporaryFolder();
        const paths: string[] = [];
        for (const [at, { calls, copies, ids }] of families.entries()) {
          const steps = project(at + 1, calls);
          const cuts = [steps.length, ...copies.map((cut) => Math.min(cut + 1, steps.length))];
          for (const [place, cut] of cuts.entries()) {
            const name = `${at}-${place}.jsonl`;
            const kept = steps.slice(0, cut);
            if (ids) lines(folder, name, claude(at + 1, kept, `s${at}-${place}`));
            else writeSession(folder, name, kept);
            paths.push(join(folder, name));
          }
        }
        const mains = paths.filter((path) => path.endsWith('-0.jsonl'));
        const turned = paths.map((_, at) => paths[(at + Math.abs(turn)) % paths.length] as string);
        const [alone, all, moved] = [
          await factsOf(mains),
          await factsOf(paths),
          await factsOf(turned),
        ];
        expect(alone.leftOut).toEqual([]);
        expect({ ...all.bills, sharedRequests: 0 }).toEqual(alone.bills);
        expect(moved.bills).toEqual(all.bills);
        const names = ({ leftOut }: Counted) =>
          leftOut.map(({ session, why, of }) => `${session} ${why} ${of}`).sort();
        expect(names(moved)).toEqual(names(all));
        expect(all.leftOut).toHaveLength(paths.length - mains.length);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(worlds).toBeGreaterThanOrEqual(RUNS);
  });

  test('like sub-agents with and without ids and bills: the order of files changes no bill', () => {
    const reply = fc
      .record({
        id: fc.option(fc.integer({ min: 0, max: 5 })),
        size: fc.integer({ min: 0, max: 2 }),
      })
      .map(({ id, size }) => {
        const tokens = [0, 1_000, 20_000][id === null ? size : id % 3] as number;
        const bill = { promptTokens: tokens, outputTokens: 0, dollars: tokens, unpricedTokens: 0 };
        const idKey = id === null ? null : `id${id}`;
        const facts = { chainKey: 'asked', model: 'm', isMessage: true };
        return { ...facts, idKey, bill: tokens === 0 ? null : bill };
      });
    const all = fc.array(fc.array(reply, { maxLength: 4 }), { minLength: 2, maxLength: 4 });
    const main = [1, 2, 3].map((at) => ({
      ...{ idKey: `main${at}`, chainKey: `main${at}`, model: 'm', isMessage: true, bill: null },
    }));
    const billsOf = (agents: readonly (readonly [readonly RecordedReply[], number])[]) =>
      countOnce(
        agents.map(([replies, at]) => ({
          ...{ format: 'qwen-code' as const, id: null, parent: null, losses: NOTHING_LOST },
          mains: [{ session: `${at}`, replies: main, lacksStart: false }],
          agents: replies.map((each) => ({ replies: [each] })),
        })),
      ).bills;
    fc.assert(
      fc.property(all, fc.integer({ min: 1, max: 3 }), (agents, turn) => {
        const files = agents.map((replies, at) => [replies, at] as const);
        const turned = files.map(
          (_, at) => files[(at + turn) % files.length] as (typeof files)[number],
        );
        expect(billsOf(turned)).toEqual(billsOf(files));
        expect(billsOf([...files].reverse())).toEqual(billsOf(files));
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  test('the order of folders on the command line changes nothing', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    lines(one, 'a.jsonl', claude(8, project(8)));
    lines(two, 'b.jsonl', claude(8, project(8), 'copied'));
    lines(two, 'c.jsonl', claude(9, project(9)));
    const [there, back] = [await run([one, two]), await run([two, one])];
    expect(back).toEqual(there);
    expect(formatReport(there).replaceAll(/\s+/g, ' ')).toContain(
      'Left out of all other figures: 1 copy. They are in what was billed.',
    );
  });
});

test('replies without content one behind the other are each billed', async () => {
  const folder = temporaryFolder();
  const record = (second: number, fields: Record<string, unknown>): string =>
    JSON.stringify({
      sessionId: 's',
      version: '2.1.60',
      timestamp: new Date(Date.UTC(2026, 1, 8) + second * 1000).toISOString(),
      ...fields,
    });
  const reply = (second: number, content: readonly unknown[]): string =>
    record(second, {
      type: 'assistant',
      uuid: `u${second}`,
      parentUuid: `u${second - 1}`,
      message: {
        id: `msg_01${`${second}`.repeat(20)}`,
        role: 'assistant',
        model: 'claude-opus-4-8',
        content,
        usage: { input_tokens: 100_000, output_tokens: 1 },
      },
    });
  const asked = { type: 'user', uuid: 'u0', parentUuid: null };
  const file = [
    record(0, { ...asked, message: { role: 'user', content: 'Go.' } }),
    ...[reply(1, []), reply(2, []), reply(3, [{ type: 'text', text: 'Gone.' }])],
  ];
  lines(folder, 'one.jsonl', file);
  lines(folder, 'copy.jsonl', file);
  const { bills } = await factsOf(['one.jsonl', 'copy.jsonl'].map((name) => join(folder, name)));
  expect(bills).toMatchObject({ requests: 3, promptTokens: 300_000 });
});

test('sub-agents of unrelated sessions that begin without content and ids are each billed', async () => {
  const folder = temporaryFolder();
  const ids = ['1', '2'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);
  for (const [at, id] of ids.entries()) {
    lines(folder, `${id}.jsonl`, claude(at + 40, project(at + 40, 3), id));
    const empty = {
      ...{ type: 'assistant', uuid: 'REDACTED', parentUuid: null, isSidechain: true, agentId: 'a' },
      ...{ sessionId: id, version: '2.1.60', timestamp: '2026-02-08T00:00:00.000Z' },
      message: {
        ...{ id: 'REDACTED', role: 'assistant', model: 'claude-opus-4-8', content: [] },
        usage: { input_tokens: 100_000, output_tokens: 1 },
      },
    };
    const said = {
      ...empty,
      ...{ uuid: `s${at}`, parentUuid: 'REDACTED' },
      message: { ...empty.message, id: `own_${at}`, content: [{ type: 'text', text: `${at}.` }] },
    };
    const all = [empty, said].map((record) => JSON.stringify(record));
    mkdirSync(join(folder, id, 'subagents'), { recursive: true });
    lines(join(folder, id, 'subagents'), 'agent-a.jsonl', all);
  }
  const { bills } = await factsOf(ids.map((id) => join(folder, `${id}.jsonl`)));
  expect(bills.subAgents).toMatchObject({ threads: 2, requests: 4 });
});

describe('two threads of one file are no copies of each other (law 3)', () => {
  const qwen = (uuid: string, type: string, parts: unknown, more: object = {}) =>
    JSON.stringify({
      ...{ uuid, parentUuid: null, sessionId: 'q', type, version: '0.9.1' },
      ...{ timestamp: '2026-06-01T08:00:00.000Z', message: { role: 'user', parts } },
      ...more,
    });
  const reply = (uuid: string, parts: unknown, more: object = {}) =>
    qwen(uuid, 'assistant', parts, {
      ...{ model: 'qwen3-coder-plus', usageMetadata: { promptTokenCount: 500 } },
      ...more,
    });
  /** Two sub-agents are asked the same; one answers as the other does, or with nothing. */
  const file = (answer: readonly unknown[]): string[] => [
    qwen('u', 'user', [{ text: 'Count the trees.' }]),
    reply('r', [{ text: 'I ask two others.' }]),
    ...['one', 'two'].flatMap((agentId) => [
      qwen(`${agentId}-u`, 'user', [{ text: 'How many?' }], { agentId, isSidechain: true }),
      reply(`${agentId}-r`, answer, { agentId, isSidechain: true }),
    ]),
    qwen('u2', 'user', [{ text: 'And?' }]),
    reply('r2', [{ text: 'Four.' }]),
  ];

  test.each([
    ['the same', [{ text: 'Four.' }]],
    ['nothing', [{ text: '' }]],
  ])(
    'without ids: sub-agents that answer %s are each billed, and a copy of the file bills nothing more',
    async (_, answer) => {
      const folder = temporaryFolder();
      lines(folder, 'one.jsonl', file(answer));
      lines(folder, 'copy.jsonl', file(answer));
      const [alone, both] = [['one.jsonl'], ['copy.jsonl', 'one.jsonl']].map((names) =>
        factsOf(names.map((name) => join(folder, name))),
      );
      const { bills } = (await alone) as Counted;
      expect(bills.subAgents).toMatchObject({ threads: 2, requests: 2 });
      expect(bills).toMatchObject({ requests: 4, promptTokens: 2_000 });
      expect((await both)?.bills).toMatchObject({ requests: 4, promptTokens: 2_000 });
    },
  );

  test.each([
    ['with ids, other bills', true, 1_000, 20_000],
    ['with ids, like bills', true, 20_000, 20_000],
    ['without ids, other bills', false, 1_000, 20_000],
    ['without ids, one without a bill', false, 0, 20_000],
  ])(
    'a copy that lost one of two like sub-agents bills the same in any order: %s',
    async (_, hasIds, one, two) => {
      const folder = temporaryFolder();
      const agent = (agentId: string, promptTokenCount: number) => [
        qwen(`${agentId}-u`, 'user', [{ text: 'How many?' }], { agentId, isSidechain: true }),
        reply(hasIds ? agentId.repeat(12) : `REDACTED-${agentId}`, [{ text: 'Four.' }], {
          ...{ agentId, isSidechain: true, usageMetadata: { promptTokenCount } },
        }),
      ];
      const main = file([]).filter((line) => !line.includes('agentId'));
      const agents = [agent('one', one), agent('two', two)];
      const copies = [agents, agents.slice(1), agents.slice(0, 1)];
      for (const [at, own] of copies.entries()) {
        lines(folder, `${at}.jsonl`, [...main.slice(0, 2), ...own.flat(), ...main.slice(2)]);
      }
      const orders = [[0], [0, 1], [1, 0], [2, 1, 0], [2, 1], [1, 2]];
      const found = await Promise.all(
        orders.map((order) => factsOf(order.map((at) => join(folder, `${at}.jsonl`)))),
      );
      const [alone, ab, ba, all, cb, bc] = found.map(({ bills }) => ({
        ...bills,
        sharedRequests: 0,
        subAgents: { ...bills.subAgents, threads: 0 },
      }));
      expect(alone).toMatchObject({ requests: 4, promptTokens: 1_000 + one + two });
      expect(ab).toEqual(alone);
      expect(ba).toEqual(alone);
      expect(all).toEqual(alone);
      expect(bc).toEqual(cb);
    },
  );

  test('sub-agents of one session in files of their own that begin with nothing', async () => {
    const folder = temporaryFolder();
    const id = '11111111-1111-4111-8111-111111111111';
    lines(folder, `${id}.jsonl`, claude(50, project(50, 3), id));
    mkdirSync(join(folder, id, 'subagents'), { recursive: true });
    for (const agentId of ['a', 'b']) {
      const empty = {
        ...{ type: 'assistant', uuid: 'REDACTED', parentUuid: null, isSidechain: true, agentId },
        ...{ sessionId: id, version: '2.1.60', timestamp: '2026-02-08T00:00:00.000Z' },
        message: {
          ...{ id: 'REDACTED', role: 'assistant', model: 'claude-opus-4-8', content: [] },
          usage: { input_tokens: 100_000, output_tokens: 1 },
        },
      };
      const message = {
        ...empty.message,
        id: `o${agentId}`,
        content: [{ type: 'text', text: agentId }],
      };
      const said = { ...empty, uuid: `s${agentId}`, parentUuid: 'REDACTED', message };
      lines(
        join(folder, id, 'subagents'),
        `agent-${agentId}.jsonl`,
        [empty, said].map((record) => JSON.stringify(record)),
      );
    }
    const { bills } = await factsOf([join(folder, `${id}.jsonl`)]);
    expect(bills.subAgents).toMatchObject({ threads: 2, requests: 4 });
  });
});
