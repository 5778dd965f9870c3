import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AgentDefinition,
  agentListMessage,
  builtInAgents,
  createAgent,
  mergeDefinitions,
  parseAgentDefinition,
  parseAgentSettings,
  toolsOf,
} from '../src/definitions.ts';
import { call, HEAD, scripted } from './support.ts';

type DefinitionSource = AgentDefinition['source'];

const PAGE = `---
name: reviewer
description: Reviews a change.
tools: read, write
disallowed-tools: [write]
model: inherit
max-turns: 3
background: true
initialPrompt: Read the guide first.
mcpServers:
  docs: { command: docs }
---
You review.

Be brief.
`;

const parsed = (markdown: string): AgentDefinition => {
  const result = parseAgentDefinition(markdown);
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems));
  return result.definition;
};

const reasonsOf = (markdown: string) =>
  parseAgentDefinition(markdown).problems.map(({ reason, field }) => field ?? reason);

describe('parseAgentDefinition (F6)', () => {
  test('reads front matter and takes the body as system prompt', () => {
    expect(parsed(PAGE)).toEqual({
      name: 'reviewer',
      description: 'Reviews a change.',
      prompt: 'You review.\n\nBe brief.',
      source: 'project',
      tools: ['read', 'write'],
      disallowedTools: ['write'],
      maxTurns: 3,
      background: true,
      initialPrompt: 'Read the guide first.',
      mcpServers: { docs: { command: 'docs' } },
    });
  });

  test('reads what editors save on other systems the same', () => {
    expect(parsed(`\uFEFF${PAGE.replaceAll('\n', '\r\n')}`)).toMatchObject({
      name: 'reviewer',
      tools: ['read', 'write'],
    });
  });

  test.each([
    ['', ['no-front-matter']],
    ['You review.', ['no-front-matter']],
    ['---\nname: a', ['no-front-matter']],
    ['---\n---\nText', ['bad-front-matter']],
    ['---\n- a\n---\nText', ['bad-front-matter']],
    ['---\nname: [\n---\nText', ['bad-front-matter']],
    ['---\nname: a\n---\nText', ['description']],
    ['---\nname: a\ndescription: b\n---\n', ['prompt']],
    ['---\nname: A b\ndescription: c\n---\nText', ['name']],
    [
      '---\nname: a\ndescription: b\nmaxTurns: 0\ncolour: red\nextra: 1\n---\nText',
      ['maxTurns', 'extra'],
    ],
    [
      '---\nname: a\ndescription: b\n__proto__: 1\nconstructor: 2\n---\nText',
      ['__proto__', 'constructor'],
    ],
  ])('reports what it leaves out of %j', (markdown, expected) => {
    expect(reasonsOf(markdown)).toEqual(expected);
  });

  test.each([
    'tools:',
    'tools: 5',
    'tools: { read: true }',
    'tools: [read, 1]',
    'disallowedTools: 5',
    'disallowed-tools: { write: true }',
  ])('takes no agent whose %j nobody can read: it would have every tool', (line) => {
    const result = parseAgentDefinition(`---\nname: a\ndescription: b\n${line}\n---\nText`);
    const field = line.split(':')[0];
    expect(result).toMatchObject({ kind: 'invalid', problems: [{ reason: 'bad-value', field }] });
  });

  test.each([
    ['tools: []', []],
    ['tools: ""', []],
    ['tools: read,, read', ['read']],
  ])('reads %j as %j', (line, tools) => {
    expect(parsed(`---\nname: a\ndescription: b\n${line}\n---\nText`).tools).toEqual(tools);
  });

  test.each([
    'hooks: &a { x: *a }',
    'hooks: { x: .nan }',
    'hooks: { x: .inf }',
    `hooks: ${'['.repeat(200)}${']'.repeat(200)}`,
    `hooks: { x: ${'['.repeat(200)}${']'.repeat(200)} }`,
  ])('leaves out %j, which is no JSON', (line) => {
    const result = parseAgentDefinition(`---\nname: a\ndescription: b\n${line}\n---\nText`);
    expect(result.problems).toMatchObject([{ reason: 'bad-value', field: 'hooks' }]);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  test.each([
    'Use when: the user says "x".',
    'Reviews. Examples: <example>user: "Look at it"\\n</example> # 1',
    'Use it after:',
  ])('reads the description %j, which is no YAML, as it stands', (description) => {
    const page = `---\nname: a\ndescription: ${description}\ntools: read\n---\nText`;
    expect(parseAgentDefinition(page)).toMatchObject({
      kind: 'definition',
      definition: { name: 'a', description, tools: ['read'] },
      problems: [{ reason: 'bad-front-matter', field: 'description' }],
    });
    expect(parsed(page.replaceAll('\n', '\r\n')).description).toBe(description);
  });

  test.each([
    'description: a: b\nhooks: [',
    'description: a: b\nname: again',
    'description: a: b\n  tools: read',
  ])('does not guess at %j', (lines) => {
    const page = `---\nname: a\n${lines}\n---\nText`;
    expect(parseAgentDefinition(page)).toMatchObject({
      kind: 'invalid',
      problems: [{ reason: 'bad-front-matter' }],
    });
  });

  test('replaces half surrogates, which no provider takes', () => {
    const page = '---\nname: a\ndescription: "b\\ud800"\n---\nText \ud800';
    expect(parsed(page)).toMatchObject({ description: 'b\ufffd', prompt: 'Text \ufffd' });
  });

  test.each([20_000, 20_001])('reads front matter of %i characters up to its limit', (units) => {
    const head = 'name: a\ndescription: ';
    const page = `---\n${head}${'b'.repeat(units - head.length)}\n---\nText`;
    expect(parseAgentDefinition(page).kind).toBe(units > 20_000 ? 'invalid' : 'definition');
  });

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (head, body) => {
        expect(['definition', 'invalid']).toContain(
          parseAgentDefinition(`---\n${head}\n---\n${body}`).kind,
        );
      }),
    );
  });
});

describe('parseAgentSettings (F6)', () => {
  test('reads agents by name', () => {
    const [good, bad] = parseAgentSettings('{"a":{"description":"b","prompt":"c"},"b":1}');
    expect(good).toMatchObject({ definition: { name: 'a', source: 'command-line' } });
    expect(bad).toMatchObject({ kind: 'invalid' });
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const [nested] = parseAgentSettings(
      `{"a":{"description":"b","prompt":"c","hooks":{"x":${deep}}}}`,
    );
    expect(nested?.kind).toBeDefined();
    expect(parseAgentSettings('[]')[0]).toMatchObject({ problems: [{ reason: 'bad-json' }] });
  });
});

describe('mergeDefinitions (F6)', () => {
  const of = (source: DefinitionSource, prompt: string = source): AgentDefinition => ({
    name: 'a',
    description: 'd',
    prompt,
    source,
  });
  const order: readonly DefinitionSource[] = [
    'built-in',
    'plugin',
    'user',
    'project',
    'command-line',
    'policy',
  ];

  test('takes the strongest source, whatever the order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...order], { minLength: 1 }), (sources) => {
        const strongest = order.findLast((source) => sources.includes(source));
        const [merged] = mergeDefinitions(sources.map((source) => of(source)));
        expect(merged?.source).toBe(strongest);
      }),
    );
  });

  test('takes the later of one source, and lists agents in one message that stays the same', () => {
    expect(mergeDefinitions([of('user', '1'), of('user', '2')])[0]?.prompt).toBe('2');
    const agents = builtInAgents({ editTools: ['write'], agentTools: ['agent'] });
    expect(agentListMessage(agents)).toEqual(agentListMessage([...agents].reverse()));
    expect(agentListMessage([]).content[0]?.text).toContain('No kinds');
  });
});

describe('createAgent (F9, F10)', () => {
  const options = { model: HEAD.model, offered: HEAD.tools, maxOutputTokens: 1_000 };
  const agents = builtInAgents({ editTools: ['write'], agentTools: ['agent'] });
  const named = (name: string) => agents.find((each) => each.name === name) as AgentDefinition;

  test('starts without context, on its own system prompt and tools', async () => {
    const client = scripted([[call('x', 'read')], 'Found.']);
    const agent = createAgent({
      ...options,
      client,
      definition: named('explore'),
      tools: () => 'ok',
    });
    const result = await agent.run({ directive: 'Where is parse()?' });
    expect(result).toMatchObject({ text: 'Found.', stopReason: 'end' });
    const [request] = client.asked;
    expect(request?.head.tools.map(({ name }) => name)).toEqual(['read']);
    expect(request?.messages).toHaveLength(1);
    expect(request?.head.system[0]?.text).toBe(named('explore').prompt);
  });

  test('gives general every tool, by reference', () => {
    expect(toolsOf(named('general'), HEAD.tools)).toBe(HEAD.tools);
  });

  test('keeps to the limits and tools of its definition', async () => {
    const client = scripted([[call('x', 'write')], [call('y')], [call('z')], 'never']);
    const definition = parsed(PAGE);
    const agent = createAgent({ ...options, client, definition, tools: () => 'ok' });
    const result = await agent.run({ directive: 'Review.', maxTurns: 10 });
    expect(result).toMatchObject({
      stopReason: 'turn-limit',
      turns: 3,
      denials: [{ callId: 'x' }],
    });
    expect(client.asked[0]?.messages[0]?.content[0]?.text).toBe('Read the guide first.\n\nReview.');
  });
});
