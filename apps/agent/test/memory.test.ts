import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf, sent, use, sharedWorkbench as workbench } from './support.ts';

type Replies = Parameters<typeof workbench>[0]['replies'];

async function project(replies: Replies, settings: object = {}) {
  const bench = await workbench({ replies });
  const { run, config, folder } = bench;
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'settings.json'), JSON.stringify(settings));
  const talk = (lines: readonly string[], args: readonly string[] = [], env = {}) =>
    run(['--plain', ...args], { input: `${lines.join('\n')}\n`, env });
  const memoryOf = (where = join(config, 'projects')) =>
    join(where, readdirSync(where)[0] as string, 'memory');
  const systemOf = (at = 0) =>
    ((bench.bodies()[at]?.system ?? []) as { readonly text: string }[]).map(({ text }) => text);
  return { ...bench, talk, memoryOf, systemOf, folder };
}

const RULE = 'Releases go out on Tuesdays only, never on Fridays.';

describe('D3: memory before the model', () => {
  test('rules are a block of the system prompt, the index stands before the first message, and what fits is recalled', async () => {
    const { talk, systemOf, bodies, memoryOf } = await project(() => 'Yes.');
    await talk([`#${RULE}`, 'Hello.']);
    expect(readdirSync(memoryOf())).toContain('MEMORY.md');
    const system = systemOf().at(-1) ?? '';
    expect(system).toMatch(/^# Long-term memory/);
    expect(system).toContain(memoryOf());
    await talk(['On which days can a release go out?']);
    const messages = bodies().at(-1)?.messages.map(sent) ?? [];
    const index = messages.find((text) => text.includes('The index of long-term memory')) ?? '';
    expect(messages.indexOf(index)).toBeLessThan(messages.length - 1);
    expect(index).toContain('Releases go out');
    expect(messages.at(-1)).toContain('Memories that may bear on this');
  });

  test('what stands in the prompt of a session stays, whatever the environment says when it is gone on with', async () => {
    const { talk, emulator } = await project(() => 'Yes.');
    await talk(['Hello.']);
    await talk(['Again.'], ['--continue'], { VARVE_NO_MEMORY: '1', VARVE_MEMORY_DIR: '/nowhere' });
    const [first, second] = emulator.requests.map(
      ({ json }) => json as { readonly system: unknown; readonly messages: readonly unknown[] },
    );
    expect(sent(second?.system)).toBe(sent(first?.system));
    expect(second?.messages.map(sent).slice(0, 1)).toEqual(first?.messages.map(sent).slice(0, 1));
  });
});

describe('D15: two writers', () => {
  test('the model writes memory without being asked for permission, and nothing else outside of the folder', async () => {
    const file = (name: string) => ({ file_path: name, content: `---\nname: a\n---\n\n${RULE}\n` });
    let path = '';
    const { run, memoryOf, config, root } = await project(({ request }) => {
      const count = request.messages.filter(({ role }) => role === 'assistant').length;
      if (count === 0) return use('call_1', 'Write', file(join(path, 'feedback_release.md')));
      if (count === 1) return use('call_2', 'Write', file(join(root, 'elsewhere.md')));
      return 'Done.';
    });
    const slug = (await run(['-p', 'x', '--max-turns', '1'])).code; // makes the folder
    expect(slug).toBe(3);
    path = memoryOf();
    const { stdout, code } = await run(['-p', 'Remember it.', '--output-format', 'json']);
    expect(code).toBe(4);
    expect(linesOf(stdout)[0]).toMatchObject({
      permission_denials: [{ tool_input: { file_path: join(root, 'elsewhere.md') } }],
    });
    expect(readFileSync(join(path, 'feedback_release.md'), 'utf8')).toContain(RULE);
    expect(readdirSync(config)).not.toContain('elsewhere.md');
  });

  test('#text is kept word for word, /memory lists it and takes it back, and secrets are masked', async () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}-AAAAAAAA`;
    const { talk, memoryOf, bodies } = await project(() => 'Yes.');
    const { stdout, stderr } = await talk([
      `# ${RULE}`,
      'Hello.',
      '/memory',
      '/memory undo',
      `#The key is ${key}`,
      '/memory',
    ]);
    expect(stderr).toBe('');
    expect(stdout).toContain('Remembered in feedback_');
    expect(stdout).toContain('1 file');
    expect(stdout).toContain('Taken back.');
    expect(bodies()[0]?.messages.map(sent).join()).toContain('had you remember this');
    const texts = readdirSync(memoryOf())
      .filter((name) => name.startsWith('feedback'))
      .map((name) => readFileSync(join(memoryOf(), name), 'utf8'));
    expect(texts).toHaveLength(1);
    expect(texts.join()).not.toContain(key);
  });

  test('a heading of a longer text is a prompt, and not remembered', async () => {
    const { run, bodies, config } = await project(() => 'Yes.');
    await run(['--plain', '# Title\n\nDo what it says.'], { input: '' });
    expect(bodies()[0]?.messages.map(sent).join()).toContain('# Title');
    expect(readdirSync(join(config, 'projects'))).toHaveLength(1);
  });
});

const extracted = {
  content: [
    {
      ...{ type: 'tool_use', id: 'save_1', name: 'save_memory' },
      input: {
        ...{ name: 'Release day', type: 'feedback', description: 'When releases go out' },
        statements: [{ part: 'rule', text: RULE, turn: 1, quote: RULE }],
      },
    },
  ],
};

describe('D8: extraction', () => {
  test('is off as it comes: no request is made that nobody asked for', async () => {
    const { run, emulator } = await project(() => 'Understood.');
    await run(['-p', RULE]);
    expect(emulator.requests).toHaveLength(1);
  });

  test('asks the small model behind an answer, and its bill stands in /cost', async () => {
    const replies: Replies = ({ request }) => {
      const model = request.head.model;
      if (model !== 'claude-haiku-5-5') return 'Understood.';
      return JSON.stringify(request.messages.at(-1)).includes('tool_result') ? 'Done.' : extracted;
    };
    const settings = { varve: { layers: { 'memory.extract': true } } };
    const { talk, emulator } = await project(replies, settings);
    const { stdout } = await talk([RULE, '/cost']);
    const models = emulator.requests.map(({ json }) => (json as { readonly model: string }).model);
    expect(models[0]).toBe('claude-opus-5-5');
    expect(models).toContain('claude-haiku-5-5');
    expect(stdout).toContain('Understood.');
  });

  test.each([
    ['VARVE_NO_MEMORY', '1'],
    ['VARVE_REMOTE', '1'],
    ['VARVE_SIMPLE', '1'],
  ])('%s keeps it from running', async (name, value) => {
    const settings = { varve: { layers: { 'memory.extract': true } } };
    const { run, emulator } = await project(() => 'Understood.', settings);
    await run(['-p', RULE], { env: { [name]: value } });
    expect(emulator.requests).toHaveLength(1);
  });
});

const isOfHaiku = (body: string): boolean => body.includes('claude-haiku-5-5');

describe('E1: dream', () => {
  test('by hand it tidies with the small model, and says what it did', async () => {
    const { talk, emulator, write } = await project(({ request }) =>
      request.head.model === 'claude-haiku-5-5' ? 'Nothing to tidy.' : 'Yes.',
    );
    write('AGENTS.md', 'Write in plain words.\n');
    await talk([`#${RULE}`, 'Hello.']);
    const { stdout } = await talk(['/dream', '/dream apply', '/dream apply 99']);
    const dreamed = emulator.requests.map(({ json }) => sent(json)).filter(isOfHaiku);
    expect(dreamed[0]).toContain('Write in plain words.');
    expect(stdout).toContain('Memory was tidied');
    expect(stdout).toContain('No step is named: /dream waiting has their ids.');
    expect(stdout).toContain('No step 99: /dream waiting has their ids.');
    const models = emulator.requests.map(({ json }) => (json as { readonly model: string }).model);
    expect(models).toContain('claude-haiku-5-5');
  });

  test('/dream apply does a step that waits, and no other', async () => {
    const [rule, said] = [
      'Use the async runtime.',
      'Please do not forget to configure the async runtime.',
    ];
    const step = { path: '', source: '' };
    const { talk, run, memoryOf } = await project(({ request }) => {
      if (request.head.model !== 'claude-haiku-5-5') return 'Yes.';
      if (JSON.stringify(request.messages.at(-1)).includes('tool_result')) return 'Done.';
      return use('archive_1', 'archive_memory', {
        ...{ path: step.path, reason: 'it was said otherwise' },
        quotes: [{ source: step.source, quote: said }],
        removes: [{ quote: rule, why: 'replaced', source: step.source, by: said }],
      });
    });
    await talk([`#${rule}`]);
    const files = () => readdirSync(memoryOf()).filter((name) => /^(?!MEMORY).*\.md$/.test(name));
    [step.path = ''] = files();
    const { stdout: told } = await run(['-p', said, '--output-format', 'json']);
    step.source = String(linesOf(told)[0]?.session_id);
    const { stdout: waiting } = await talk(['/dream', '/dream waiting']);
    const [, id = 'none'] = /^ {2}(\w+) {2}archive /m.exec(waiting) ?? [];
    expect(waiting).toContain('1 waiting for you');
    expect(files()).toEqual([step.path]);
    const { stdout } = await talk([`/dream apply ${id}`, '/dream waiting']);
    expect(stdout).toContain('Done: ');
    expect(stdout).toContain('Nothing waits.');
    expect(files()).toEqual([]);
    await talk(['/dream undo']);
    expect(files()).toEqual([step.path]);
  });

  test('by itself it begins behind a turn once five sessions are new, where it is switched on, and never in print mode', async () => {
    const settings = { varve: { layers: { dream: true } } };
    const { talk, run, emulator, memoryOf } = await project(() => 'Yes.', settings);
    await talk([`#${RULE}`, 'Hello.']);
    await run(['-p', 'Say one.']);
    expect(emulator.requests).toHaveLength(2);
    const logs = dirname(memoryOf());
    const [log = ''] = readdirSync(logs).filter((name) => name.endsWith('.jsonl'));
    for (let count = 0; count < 4; count++)
      copyFileSync(join(logs, log), join(logs, `${count}.jsonl`));
    const { stdout } = await talk(['Hello again.', '!sleep 2']);
    expect(stdout).toContain('memory is being tidied');
  });
});

describe('N3: notes', () => {
  test('/summary takes them by a fork of the conversation that reads its cache', async () => {
    const file =
      '_What is being worked on now, and what is pending; written anew at every extraction._';
    const { talk, emulator } = await project(({ request }) => {
      const last = JSON.stringify(request.messages.at(-1));
      const path = /([^"\\\s]+summary\.md)/.exec(last)?.[1];
      const line = /\\n(_[^\n]*?_)\\n/.exec(last)?.[1] ?? file;
      if (path === undefined) return 'Counted.';
      return use('note_1', 'Edit', {
        file_path: path,
        old_string: line,
        new_string: `${line}\nThe numbers are counted.`,
      });
    });
    const { stdout } = await talk([
      `Count. ${'Many words of it. '.repeat(500)}`,
      '/summary',
      '/cost',
    ]);
    expect(stdout).toContain('The numbers are counted.');
    expect(stdout).toContain('calls of session-memory');
    const [first, fork] = emulator.requests.map(
      ({ json }) => json as { readonly system: unknown; readonly messages: readonly unknown[] },
    );
    expect(sent(fork?.system)).toBe(sent(first?.system));
    expect(sent(fork?.messages[0])).toBe(sent(first?.messages[0]));
  });
});
