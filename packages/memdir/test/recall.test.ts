import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createMemdir, inMemoryFolder } from '../src/index.ts';
import type { RecallResult, SelectMemories } from '../src/recall.ts';
import { DAY_MS, fileText, NOW, newMemory, testMemory } from './support.ts';

const pathsOf = (result: RecallResult): readonly string[] =>
  result.kind === 'recalled' ? result.memories.map(({ path }) => path) : [];
const textsOf = (result: RecallResult): string =>
  result.kind === 'recalled' ? result.memories.map(({ text }) => text).join('\n') : '';
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

describe('D5 recall of a session', () => {
  const files = {
    'deploy.md': fileText('Deploy', 'Deploy with the blue script on Tuesday.', {
      type: 'feedback',
    }),
    'pump.md': fileText('Pump', 'The pump pressure is nine bar.'),
    'team/gate.md': fileText('Gate', 'The north gate opens at seven.'),
  };

  test('a file is found by its text, also in the folder of the team and without an index', async () => {
    const recall = testMemory(files).memory.startRecall();
    expect(pathsOf(await recall.recall('What is the pump pressure?'))).toEqual(['pump.md']);
    expect(pathsOf(await recall.recall('When does the north gate open?'))).toEqual([
      'team/gate.md',
    ]);
  });

  test('what was shown is not shown again until it restarts', async () => {
    const recall = testMemory(files).memory.startRecall();
    const turn = 'What is the pump pressure?';
    expect(pathsOf(await recall.recall(turn))).toEqual(['pump.md']);
    expect(await recall.recall(turn)).toEqual({ kind: 'none', reason: 'already-shown' });
    recall.restart();
    expect(pathsOf(await recall.recall(turn))).toEqual(['pump.md']);
  });

  test('78 what the session wrote is found at once', async () => {
    const { memory } = testMemory(files);
    const recall = memory.startRecall();
    expect((await recall.recall('How hot is the kiln?')).kind).toBe('none');
    await memory.save(newMemory('Kiln', 'The kiln is as hot as 900 degrees.'));
    expect(pathsOf(await recall.recall('How hot is the kiln?'))).toEqual(['project_kiln.md']);
  });

  test('the set found by words is handed out at once, and what the model chose follows', async () => {
    const order: string[] = [];
    const select: SelectMemories = async ({ candidates }) => {
      order.push(`select of ${candidates.map(({ path }) => path).join(' ')}`);
      return ['deploy.md', 'invented.md', 'pump.md'];
    };
    const recall = testMemory(files).memory.startRecall({ select });
    const result = await recall.recall('What is the pump pressure?', {
      onFirst: (memories) => order.push(`first ${memories.map(({ path }) => path).join(' ')}`),
    });
    expect(order).toEqual(['first pump.md', 'select of pump.md deploy.md team/gate.md']);
    expect(pathsOf(result)).toEqual(['deploy.md']); // the first was handed out, and nothing is invented
  });

  test('without `onFirst` the choice of the model stands alone, none of them too', async () => {
    const asked: unknown[] = [];
    const select: SelectMemories = async (query) => {
      asked.push(query);
      return [];
    };
    const { memory } = testMemory(files);
    const recall = memory.startRecall({ select });
    const turn = 'What is the pump pressure?';
    expect(await recall.recall(turn, { recentTools: ['Bash'] })).toEqual({
      kind: 'none',
      reason: 'nothing-fits',
    });
    expect(asked).toMatchObject([
      {
        turn,
        recentTools: ['Bash'],
        maxFiles: 5,
        candidates: [{ path: 'pump.md', age: 'yesterday' }, {}, {}],
      },
    ]);
  });

  test.each<[string, SelectMemories]>([
    ['never answers', () => new Promise(() => undefined)],
    ['fails', () => Promise.reject(new Error('no model'))],
    [
      'throws',
      () => {
        throw new Error('no model');
      },
    ],
  ])('a model that %s costs its budget and nothing else', async (_, select) => {
    const recall = testMemory(files).memory.startRecall({ select, budgetMs: 20 });
    expect(pathsOf(await recall.recall('What is the pump pressure?'))).toEqual(['pump.md']);
  });

  test.each([
    ['a text', 'banana'],
    ['null', null],
    ['a path of its own', ['nope.md']],
    ['values that are no paths', [5, null]],
    ['an object', { paths: ['deploy.md'] }],
  ])('%s for an answer is none: what was found by words stands', async (_, answer) => {
    const select = (async () => answer) as unknown as SelectMemories;
    const recall = testMemory(files).memory.startRecall({ select });
    expect(pathsOf(await recall.recall('What is the pump pressure?'))).toEqual(['pump.md']);
  });

  test('the budget of a model that hangs is over also where nothing else keeps the process alive', async () => {
    const program = join(import.meta.dirname, 'programs', 'hanging-select.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout).toBe('recalled\n');
  });

  test('a folder that hangs is not read, within the budget, also where nothing else keeps the process alive', async () => {
    const program = join(import.meta.dirname, 'programs', 'hanging-folder.ts');
    const started = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout).toBe('MemdirError not-read\n');
    expect(performance.now() - started).toBeLessThan(30_000);
  }, 60_000);

  test('an abort ends it with its reason, and nothing counts as shown', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const select: SelectMemories = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        stop.abort(reason);
      });
    const recall = testMemory(files).memory.startRecall({ select });
    const turn = 'What is the pump pressure?';
    await expect(recall.recall(turn, { signal: stop.signal })).rejects.toBe(reason);
    await expect(recall.recall(turn, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a long file is cut at the end of a paragraph, within 4 KB with its path', async () => {
    const paragraph = `The pump pressure note. ${'Wörter und so fort. '.repeat(20)}`.trim();
    const body = Array.from({ length: 30 }, (_, at) => `${at} ${paragraph}`).join('\n\n');
    const recall = testMemory({ 'pump.md': fileText('Pump', body) }).memory.startRecall();
    const result = await recall.recall('pump pressure');
    expect(result).toMatchObject({ memories: [{ isCut: true }] });
    const text = textsOf(result);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(4_096);
    expect(text.endsWith(`${paragraph}\n\n[cut here: the rest is in pump.md]`)).toBe(true);
  });

  test.each([
    ['201 lines', Array.from({ length: 201 }, (_, at) => `pump pressure ${at}`).join('\n'), 200],
    ['one line of 50 KB', `pump pressure ${'🦊'.repeat(12_500)}`, 4],
  ])('%s are cut, and no character is halved', async (_, body, mostLines) => {
    const recall = testMemory({ 'pump.md': fileText('Pump', body) }).memory.startRecall();
    const text = textsOf(await recall.recall('pump pressure'));
    expect(text).toContain('[cut here');
    expect(text.split('\n').length).toBeLessThanOrEqual(mostLines + 2);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(4_096);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\uFFFD');
  });

  test('a session is shown at most 60 KB, a turn five files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `p${at}.md`,
        fileText(`Pump ${at}`, `pressure${at} ${`w${at} `.repeat(1_500)}`),
      ]),
    );
    const recall = testMemory(many).memory.startRecall();
    let bytes = 0;
    const reasons = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      const result = await recall.recall('the pump again');
      expect(pathsOf(result).length).toBeLessThanOrEqual(5);
      bytes += new TextEncoder().encode(textsOf(result)).length;
      if (result.kind === 'none') reasons.add(result.reason);
    }
    expect(bytes).toBeLessThanOrEqual(61_440 + 100);
    expect(bytes).toBeGreaterThan(50_000);
    expect([...reasons]).toEqual(['session-full']);
  });

  test.each(['go on', 'OK', 'thanks!', 'yes, please', 'weiter', '続けて', '继续', '', '…', '👍'])(
    '216 %j never searches',
    async (turn) => {
      const { folder } = testMemory({
        'ok.md': fileText('ok go on thanks 続けて', 'go on ok thanks weiter'),
      });
      let looked = 0;
      const counting = {
        ...folder,
        list: (...args: Parameters<typeof folder.list>) => {
          looked++;
          return folder.list(...args);
        },
      };
      const recall = createMemdir({ folder: counting, now: () => NOW }).startRecall();
      expect(await recall.recall(turn)).toEqual({ kind: 'none', reason: 'nothing-to-search' });
      expect(looked).toBe(0);
    },
  );

  test('216 a turn that fits nothing gets nothing', async () => {
    const recall = testMemory(files).memory.startRecall();
    expect(await recall.recall('Compute the eigenvalues of a quaternion')).toEqual({
      kind: 'none',
      reason: 'nothing-fits',
    });
    expect((await recall.recall('a script for the zebra')).kind).toBe('none'); // one word, not in the name
  });

  test('217 a file that holds every word does not reach the top of every turn, and is reported where it does', async () => {
    const subjects = Array.from(
      { length: 40 },
      (_, at) => [`subject${at}a`, `subject${at}b`, `subject${at}c`] as const,
    );
    const own = subjects.map(
      ([a, b, c], at) =>
        [`f${at}.md`, fileText(`${a} ${b}`, `${a} is ${b} when ${c} holds.`)] as const,
    );
    const overview = fileText(
      'Project overview',
      subjects
        .flat()
        .map((word) => `${word} and ${word}.`)
        .join('\n'),
    );
    const recall = testMemory({
      ...Object.fromEntries(own),
      'overview.md': overview,
    }).memory.startRecall();
    let hits = 0;
    for (const [at, [a, , c]] of subjects.entries()) {
      const paths = pathsOf(await recall.recall(`What about ${a} with ${c}?`));
      recall.restart();
      expect(paths[0]).toBe(`f${at}.md`);
      if (paths.includes('overview.md')) hits++;
    }
    expect(hits).toBeLessThanOrEqual(8);
    expect(recall.hubs()).toEqual([]);
  });

  test('217 a hub is reported with its share of unlike turns', async () => {
    const recall = testMemory({
      'all.md': fileText('Kiln pump gate', 'Every word.'),
    }).memory.startRecall();
    for (const word of [
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
      'nine',
      'ten',
    ]) {
      await recall.recall(`${word}x ${word}y ${word}z kiln`);
    }
    expect(recall.hubs()).toEqual([{ path: 'all.md', share: 1 }]);
  });

  test('218 two projects with opposite rules: each sees its own', async () => {
    const rule = (word: string) => ({
      'style.md': fileText('Quote style', `Use ${word} quotes in this code.`, { type: 'feedback' }),
    });
    for (const word of ['single', 'double']) {
      const recall = testMemory(rule(word)).memory.startRecall();
      const text = textsOf(await recall.recall('Which quotes are used in the code style?'));
      expect(text).toContain(`Use ${word} quotes`);
    }
  });

  test('121 one fact in many words is shown once, what contradicts it and what is another fact too', async () => {
    const about = { description: 'The port of staging' };
    const starts = ['So', 'And', 'Also', 'Indeed', 'Yes', 'Again', 'Well', 'Now', 'Hence'];
    const copies = starts.map((start, at) => {
      const often = at % 2 === 0 ? '' : 'always ';
      const text = `${start}, the staging database host ${often}listens on port 5432 for every service.`;
      return [`copy${at}.md`, fileText(`Staging port ${start}`, text, about)] as const;
    });
    const recall = testMemory({
      ...Object.fromEntries(copies),
      'other.md': fileText(
        'Staging backup',
        'The staging database host on port 5432 is backed up at night.',
        about,
      ),
      'against.md': fileText(
        'Staging port closed',
        'The staging database host does not listen on port 5432 for every service.',
        about,
      ),
    }).memory.startRecall();
    const paths = pathsOf(
      await recall.recall(
        'Which port does the staging database host listen on, and when is it backed up at night?',
      ),
    );
    expect(paths.filter((path) => path.startsWith('copy'))).toHaveLength(1);
    expect(paths).toContain('against.md');
    expect(paths).toContain('other.md');
  });

  const SAME_VALUE = [
    'The cache size is eight',
    'Cache size equals eight',
    'We use a cache size of eight',
    'Cache size: 8',
    'Size of cache is eight',
    'The size for the cache is eight',
    'Our cache has size eight',
    'The cache is of size eight',
    'Eight is the cache size',
  ];
  test.each([
    ['The cache size is twelve, not eight', 'Cache size correction'],
    ['The cache size is now twelve', 'Cache size correction'],
    ['The cache size is 12', 'Newer note'],
  ])('121 nine ways to give one value take one place, behind the newer %j', async (text, name) => {
    const at = (days: number) => ({ modified: daysAgo(days) });
    const copies = SAME_VALUE.map(
      (body, index) =>
        [`copy${index}.md`, fileText(`Cache size ${index}`, `${body}.`, at(40 - index))] as const,
    );
    const recall = testMemory({
      ...Object.fromEntries(copies),
      'eviction.md': fileText('Cache eviction', 'The cache eviction is LRU.', at(50)),
      'newer.md': fileText(name, `${text}.`, at(3)),
    }).memory.startRecall();
    const paths = pathsOf(await recall.recall('What is the cache size?'));
    expect(paths.slice(0, 2)).toEqual(['newer.md', 'copy8.md']);
    expect(paths.filter((path) => path.startsWith('copy'))).toEqual(['copy8.md']);
  });

  test('121 one value of two subjects is two facts, and an older value comes behind', async () => {
    const recall = testMemory({
      'a.md': fileText('Staging', 'The port is 5432.', { modified: daysAgo(5) }),
      'b.md': fileText('Production', 'The port is 5432.', { modified: daysAgo(6) }),
      'c.md': fileText('Testing port', 'The port of testing is 5432.', { modified: daysAgo(7) }),
      'd.md': fileText('Testing port before', 'The port of testing is 1234.', {
        modified: daysAgo(90),
      }),
    }).memory.startRecall({ minShare: 0 });
    const paths = pathsOf(
      await recall.recall('Which port has staging, production, or testing before?'),
    );
    expect([...paths].sort()).toEqual(['a.md', 'b.md', 'c.md', 'd.md']);
    expect(paths.indexOf('c.md')).toBeLessThan(paths.indexOf('d.md'));
  });

  const query = 'On which port does the database host listen for every service?';
  test.each<[string, readonly (readonly [name: string, body: string])[]]>([
    [
      'another subject',
      ['staging', 'production', 'testing'].map((stage) => [
        `Port ${stage}`,
        `The ${stage} database host listens on port 5432 for every service.`,
      ]),
    ],
    [
      'another subject in the name alone',
      [
        ['Staging', 'The database host listens on port 5432 for every service.'],
        ['Production', 'The database host listens on port 5432 for every service.'],
      ],
    ],
    [
      'another order',
      [
        ['One', 'The database host listens on the port before the service, for every host.'],
        ['Two', 'The database service listens on the port before the host, for every host.'],
      ],
    ],
    [
      'a word that bends it',
      ['may', 'must', 'should', 'can'].map((word) => [
        `Port ${word}`,
        `The database host ${word} listen on port 5432 for every service.`,
      ]),
    ],
    [
      'a smaller scope',
      [
        ['All', 'The database host listens on port 5432 for every service.'],
        ['Some', 'The database host listens on port 5432 for every service of the nightly build.'],
      ],
    ],
  ])('121 211 213 facts with %s are all shown', async (_, facts) => {
    const about = { description: 'On what it listens' };
    const recall = testMemory(
      Object.fromEntries(
        facts.map(([name, body], at) => [`f${at}.md`, fileText(name, body, about)]),
      ),
    ).memory.startRecall();
    expect(pathsOf(await recall.recall(query))).toHaveLength(facts.length);
  });

  test('121 700 copies of one fact are one, and hide nothing', async () => {
    const copy = fileText('Port', 'The database host listens on port 5432 for every service.');
    const { memory } = testMemory({
      ...Object.fromEntries(
        Array.from({ length: 700 }, (_, at) => [
          `c${at}.md`,
          copy.replace('name: Port', `name: ${'So '.repeat(at)}port`),
        ]),
      ),
      'other.md': fileText('Backup', 'The database host of every service is backed up at night.'),
    });
    const paths = pathsOf(
      await memory
        .startRecall()
        .recall('Which port has the database, and is it backed up at night?'),
    );
    expect(paths.filter((path) => path.startsWith('c'))).toHaveLength(1);
    expect(paths).toContain('other.md');
  });

  test('121 what is nearly the same comes behind what is not', async () => {
    const near = ['nearly', 'surely', 'openly', 'plainly', 'mostly'].map((word, at) => [
      `n${at}.md`,
      fileText(`Port ${word}`, `The database host ${word} listens on the port for every service.`),
    ]);
    const { memory } = testMemory({
      ...Object.fromEntries(near),
      'against.md': fileText(
        'Port closed',
        'The database host never listens on the port for every service, as the handbook of operations says.',
      ),
    });
    const paths = pathsOf(await memory.startRecall().recall(query));
    expect(paths[1]).toBe('against.md');
    expect(paths).toHaveLength(5);
  });

  test('110 both forms of an accent, wide letters and ß find the same; what differs more does not', async () => {
    const recall = testMemory({ 'r.md': fileText('Résumé Maße', 'Text.') }).memory.startRecall();
    for (const turn of ['Re\u0301sume\u0301', 'RÉSUMÉ', 'Ｒésumé', 'MASSE', 'maße']) {
      expect(pathsOf(await recall.recall(turn))).toEqual(['r.md']);
      recall.restart();
    }
    expect((await recall.recall('Resume')).kind).toBe('none');
  });

  test.each([
    ['배포 스크립트는 어디에 있나요', '배포 스크립트 위치'],
    ['デプロイの手順を教えて', 'デプロイの手順'],
    ['部署脚本在哪里', '部署脚本的位置'],
    ['サーバーはどこですか', 'ビルドサーバーの場所'],
    ['ｻｰﾊﾞｰはどこですか', 'ビルドサーバーの場所'],
    ['コンポーネントの設計', 'Reactコンポーネント'],
    ['how does React render', 'Reactコンポーネント'],
    ['MVVM은 무엇인가요', 'MVVM패턴'],
    ['第3章はどこ', '第3章の内容'],
    ['佐々木さんは誰ですか', '佐々木さんの担当'],
    ['เซิร์ฟเวอร์อยู่ที่ไหน', 'ชื่อเซิร์ฟเวอร์'],
    ['ម៉ាស៊ីនបម្រើនៅឯណា', 'ឈ្មោះម៉ាស៊ីនបម្រើ'],
    ['सर्वर कहाँ है', 'सर्वर का नाम'],
    ['أين الخادِم', 'اسم الخادِم'],
    ['𠮷野家はどこ', '𠮷野家の場所'],
    ['where is the zero\u200Bwidth thing', 'zerowidth'],
    ['where is the ⚠️warning', 'warning'],
  ])(
    '110 a language is found by its words, one without blanks by pairs: %s',
    async (turn, name) => {
      const recall = testMemory({
        'a.md': fileText(name, 'x'),
        'b.md': fileText('Other', 'y'),
      }).memory.startRecall();
      expect(pathsOf(await recall.recall(turn))).toEqual(['a.md']);
    },
  );

  test('options that are none are refused', () => {
    const { memory } = testMemory();
    expect(() => memory.startRecall({ maxFiles: 0 })).toThrow(RangeError);
    expect(() => memory.startRecall({ minShare: 2 })).toThrow(RangeError);
    expect(() => createMemdir({ folder: inMemoryFolder() } as never)).toThrow(TypeError);
  });
});

describe('D6 freshness', () => {
  const headerAfter = async (modified: string, nowMs = NOW): Promise<string> => {
    const { memory, clock } = testMemory({ 'p.md': fileText('Pump', 'The pump.', { modified }) });
    clock.nowMs = nowMs;
    const text = textsOf(await memory.startRecall().recall('pump'));
    return text.slice(0, text.indexOf('\n\nThe pump.'));
  };

  test.each([
    [0, 'Memory saved today: p.md'],
    [0.99, 'Memory saved today: p.md'],
    [1, 'Memory saved yesterday: p.md'],
    [1.99, 'Memory saved yesterday: p.md'],
  ])('%f days old: %s', async (days, header) => {
    expect(await headerAfter(daysAgo(days))).toBe(header);
  });

  test.each([2, 47])('%i days old: the caveat first, then the path', async (days) => {
    expect(await headerAfter(daysAgo(days))).toMatch(
      new RegExp(
        `^Memory saved ${days} days ago; what it says was true then.*Check before.*\np\\.md$`,
      ),
    );
  });

  test.each([
    ['in the future', '2031-01-01', 'Memory saved today: p.md'],
    ['no date', 'last spring', 'Memory of an age that is not known'],
    ['a year alone', '2026', 'Memory of an age that is not known'],
    ['a month', '2026-11', 'Memory of an age that is not known'],
    ['a day that is none', '2026-02-31T99:00', 'Memory of an age that is not known'],
  ])('219 a stamp that is %s', async (_, stamp, header) => {
    expect(await headerAfter(stamp)).toContain(header);
  });

  test('the header is made once: the bytes of what was shown do not change with time', async () => {
    const { memory, clock } = testMemory({ 'p.md': fileText('Pump', 'The pump.') });
    const result = await memory.startRecall().recall('pump');
    const before = textsOf(result);
    clock.nowMs += 9 * DAY_MS;
    expect(textsOf(result)).toBe(before);
  });
});

describe('220 a turn that asks to forget', () => {
  test('in words that no memory has: names of the newest, and no text', async () => {
    const { memory } = testMemory({
      'home.md': fileText('Home address', 'Karel lives in Brno, behind the mill.'),
      'gate.md': fileText('Gate', 'The gate opens at nine.'),
    });
    const found = await memory.startRecall().recall('please forget where my family stays');
    expect(found).toMatchObject({ kind: 'forget' });
    if (found.kind !== 'forget') throw new Error(found.kind);
    expect(found.matches.map(({ path }) => path).sort()).toEqual(['gate.md', 'home.md']);
    expect(JSON.stringify(found)).not.toMatch(/Brno|nine/);
  });

  const files = {
    'phone.md': fileText('Phone number', 'The phone number is 555 0199.', { type: 'user' }),
  };

  test.each([
    'Can you forget my phone number?',
    'Please forget my phone number.',
    'I would like you to forget the phone number',
    'Could you please delete my phone number?',
    'remove everything you know about my phone number',
    'Erase the memory about my phone number',
    "Don't remember my phone number",
    'I do not want you to keep my phone number',
    "can't you just forget my phone number",
    'Stop remembering my phone number',
    'would you mind deleting my phone number',
    'Do you mind erasing my phone number?',
    'Would you mind forgetting the phone number?',
    'could you get rid of my phone number',
    'I want my phone number gone from your memory',
    'I want the phone number gone from your memory',
    "I'd like the phone number out of your notes",
    'can we delete the phone number you saved',
    'Can we get rid of the phone number that you remembered?',
    "please don't keep my phone number",
    "Please don't keep the phone number on file",
    "don't store the phone number in your memory",
    'scrub my phone number',
    'Please scrub the phone number from your records',
    'How about erasing the phone number you have about me?',
    'My phone number should be deleted',
    'My phone number has to go',
    "I'd rather you forgot the phone number",
    "I'd rather you didn't keep my phone number",
    'Take the phone number out of your memory',
    'the phone number should be forgotten',
    'There is no need to remember my phone number',
    'Vergiss meine Telefonnummer: phone number',
    'Könntest du meine phone number vergessen?',
    'Oublie mon numéro (phone number)',
    'Olvida mi phone number',
    'Esqueça meu phone number',
    'Dimentica il phone number',
    'phone number を忘れて',
    '忘记我的 phone number',
    '删除我的电话 phone number',
    '내 phone number 잊어 줘',
    'Забудь мой phone number',
  ])('%s', async (turn) => {
    const asked: string[] = [];
    const select: SelectMemories = async ({ candidates }) => candidates.map(({ path }) => path);
    const recall = testMemory(files).memory.startRecall({ select });
    const result = await recall.recall(turn, { onFirst: () => asked.push('first') });
    expect(result).toEqual({
      kind: 'forget',
      matches: [{ path: 'phone.md', name: 'Phone number' }],
    });
    expect(JSON.stringify(result)).not.toContain('0199');
    expect(asked).toEqual([]);
  });

  test.each([
    "Don't forget to call the phone number in the test",
    'Is the phone number sent fire-and-forget?',
    'A set it and forget it phone number job',
    'Never forget the phone number check',
    'I always forget the phone number format, what is it?',
    'I forgot the phone number',
    'Delete the phone number column from the table',
    'delete my phone number column from the table',
    'Would you mind deleting the phone number column?',
    'Could you get rid of the phone number regex?',
    'I want the phone number warning gone from the build',
    'Can we delete the phone number file you saved in /tmp?',
    'Remove the phone number test you saved',
    'Fix the memory leak: remove the phone number memory cache',
    'Scrub the phone number fields from the logs',
    'Should the phone number be removed from the schema?',
    'I deleted the phone number check',
    "Please don't keep the old phone number parser",
    'I keep forgetting the phone number format',
    'you have my phone number test, it should be deleted from the branch or skipped',
    'Remove the phone number validation branch',
    "Don't keep two copies of the phone number parser",
    'Vergiss nicht die phone number',
    "N'oublie pas le phone number",
    'No olvides el phone number',
    '别忘了 phone number',
    'phone number を忘れないで',
  ])('is not: %s', async (turn) => {
    expect((await testMemory(files).memory.startRecall().recall(turn)).kind).toBe('recalled');
  });
});
