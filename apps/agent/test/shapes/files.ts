/** Skills, agents and server lists as people have them, each written anew from public documentation. */
const front = (fields: string, body: string) => `---\n${fields.trim()}\n---\n\n${body.trim()}\n`;

export interface SkillShape {
  readonly about: string;
  readonly text: string;
  /** What is read of it; `why` where it is refused. */
  readonly read: Readonly<Record<string, unknown>> | { readonly why: string };
}

export const SKILLS: readonly SkillShape[] = [
  {
    about: 'with the two fields that all have',
    text: front(
      'name: pdf-forms\ndescription: Fills in forms of PDF files. Use when a person has a form.',
      '# Forms\n\nRun `scripts/fill.py`.',
    ),
    read: {
      name: 'pdf-forms',
      description: 'Fills in forms of PDF files. Use when a person has a form.',
      isForModel: true,
    },
  },
  {
    about: 'with licence, metadata and tools, a description over several lines',
    text: front(
      'name: release-notes\ndescription: >\n  Writes notes of a release\n  from the commits since the last one.\nlicense: Apache-2.0\ncompatibility: needs git\nmetadata:\n  author: someone\n  version: "1.0"\nallowed-tools: Bash(git log:*) Read',
      'Look at the commits.',
    ),
    read: {
      name: 'release-notes',
      description: 'Writes notes of a release from the commits since the last one.',
    },
  },
  {
    about: 'that only a person calls, with arguments',
    text: front(
      'name: deploy\ndescription: Deploys to an environment\nargument-hint: "[environment]"\ndisable-model-invocation: true',
      'Deploy to $ARGUMENTS.',
    ),
    read: {
      name: 'deploy',
      hint: '[environment]',
      isForModel: false,
      isForPerson: true,
      text: 'Deploy to $ARGUMENTS.',
    },
  },
  {
    about: 'that only the model calls, saved with carriage returns and a byte order mark',
    text: `\uFEFF${front('name: legacy-context\ndescription: How the old billing works\nuser-invocable: false', 'It is old.')}`.replaceAll(
      '\n',
      '\r\n',
    ),
    read: { name: 'legacy-context', isForModel: true, isForPerson: false },
  },
  {
    about: 'without any front matter: a command as people had them first',
    text: '# Review the change\n\nLook at the diff and say what is wrong.\n',
    read: { name: 'folder', description: 'Review the change' },
  },
  {
    about: 'whose front matter is never closed',
    text: '---\nname: broken\ndescription: Never closed\n\nText.\n',
    read: { why: 'its front matter has no end' },
  },
];

export interface AgentShape {
  readonly about: string;
  readonly text: string;
  /** Fields of the definition; undefined where there is none. */
  readonly read: Readonly<Record<string, unknown>> | undefined;
  /** Fields that are named. @default none */
  readonly names?: readonly string[];
}

export const AGENTS: readonly AgentShape[] = [
  {
    about: 'a reviewer with a list of tools in one line',
    text: front(
      'name: code-reviewer\ndescription: Reviews changes. Use right after code was written.\ntools: Read, Grep, Glob, Bash\nmodel: inherit',
      'You review code.',
    ),
    read: {
      name: 'code-reviewer',
      tools: ['Read', 'Grep', 'Glob', 'Bash'],
      prompt: 'You review code.',
    },
  },
  {
    about: 'a debugger with a list over lines, a model and a colour',
    text: front(
      'name: debugger\ndescription: Finds the cause of a failure\ntools:\n  - Read\n  - Edit\n  - Bash\nmodel: sonnet\ncolor: orange',
      'Find the cause.',
    ),
    read: { name: 'debugger', tools: ['Read', 'Edit', 'Bash'], model: 'sonnet' },
  },
  {
    about: 'one with every tool but some, a mode and turns',
    text: front(
      'name: planner\ndescription: Plans\ndisallowedTools: Write, Edit\npermissionMode: plan\nmaxTurns: 20',
      'Plan.',
    ),
    read: {
      name: 'planner',
      disallowedTools: ['Write', 'Edit'],
      permissionMode: 'plan',
      maxTurns: 20,
    },
  },
  {
    about: 'one with a description of examples, as generators write them',
    text: front(
      'name: test-runner\ndescription: "Runs tests.\\n\\n<example>\\nuser: mend it\\nassistant: I run the tests.\\n</example>"',
      'Run them.',
    ),
    read: { name: 'test-runner' },
  },
  {
    about: 'one with fields that there are not',
    text: front('name: writer\ndescription: Writes\ntemperature: 0.2\npersona: kind', 'Write.'),
    read: { name: 'writer' },
    names: ['temperature', 'persona'],
  },
  {
    about: 'one without a description, with a name of other letters',
    text: front('name: My Agent!', 'Do it.'),
    read: undefined,
    names: ['name', 'description'],
  },
];

export interface ServersShape {
  readonly about: string;
  readonly servers: unknown;
  readonly read: readonly Readonly<Record<string, unknown>>[];
  /** Parts of problems. @default none */
  readonly names?: readonly string[];
}

/** `HOME_FOLDER` and `TOKEN` are in the environment. */
export const SERVERS: readonly ServersShape[] = [
  {
    about: 'a program by npx, with a key from the environment',
    servers: {
      github: {
        command: 'npx',
        args: ['-y', '@example/server-github'],
        env: { GITHUB_TOKEN: `\${TOKEN}` },
      },
    },
    read: [
      {
        name: 'github',
        kind: 'stdio',
        command: 'npx',
        args: ['-y', '@example/server-github'],
        env: { GITHUB_TOKEN: 'secret' },
      },
    ],
  },
  {
    about: 'folders as arguments, a type that is said, variables with something in their place',
    servers: {
      files: {
        type: 'stdio',
        command: `\${BIN:-/usr/bin}/files`,
        args: [`\${HOME_FOLDER}/docs`, 3],
        cwd: `\${HOME_FOLDER}`,
      },
    },
    read: [
      { name: 'files', command: '/usr/bin/files', args: ['/home/me/docs', '3'], cwd: '/home/me' },
    ],
  },
  {
    about: 'servers of the web, with headers',
    servers: {
      linear: {
        type: 'http',
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: `Bearer \${TOKEN}` },
      },
      old: { type: 'sse', url: 'https://old.example.com/sse' },
      plain: { url: 'http://localhost:3000/mcp' },
    },
    read: [
      { name: 'linear', kind: 'http', headers: { Authorization: 'Bearer secret' } },
      { name: 'old', kind: 'sse' },
      { name: 'plain', kind: 'http' },
    ],
  },
  {
    about:
      'one that is switched off, one with a name that tools cannot have, one with a limit of time',
    servers: {
      off: { command: 'never', disabled: true },
      'my server.v2': { command: 'node', args: ['server.mjs'], timeout: 60_000 },
    },
    read: [{ name: 'my_server_v2', timeoutMs: 60_000 }],
  },
  {
    about: 'variables that are not there, addresses that are none, kinds that nobody speaks',
    servers: {
      a: { command: 'x', env: { KEY: `\${MISSING}` } },
      b: { type: 'http', url: 'file:///etc/passwd' },
      c: { type: 'carrier-pigeon', url: 'https://example.com' },
      d: { args: ['only'] },
    },
    read: [],
    names: [
      'MCP server a: MISSING',
      'MCP server b: url',
      'MCP server c: type',
      'MCP server d: url',
    ],
  },
  {
    about: 'no servers at all',
    servers: {},
    read: [],
  },
];
