import { describe, expect, test } from 'vitest';
import { microcompact } from '../src/index.ts';
import { history, outputsOf, rounds } from './build.ts';

const BASE = { mechanisms: ['count'], thinkingRule: 'free' } as const;

type Options = Parameters<typeof microcompact>[1];

const clears = (name: string, options: Options = {}): boolean =>
  microcompact(history(rounds(40, { name })), { ...BASE, ...options }).cleared.length > 0;

describe('compactable tools (M5)', () => {
  test.each([
    'Read',
    'read',
    'READ_FILE',
    'readFile',
    'view',
    'Bash',
    'bash',
    'shell',
    'PowerShell',
    'exec_command',
    'local_shell',
    'run_terminal_cmd',
    'container.exec',
    'functions.exec_command',
    'execute_bash',
    'read_bash',
    'write_stdin',
    'Grep',
    'grep_search',
    'Glob',
    'glob',
    'find',
    'LS',
    'list_dir',
    'WebSearch',
    'web_search',
    'google_web_search',
    'WebFetch',
    'web_fetch',
    'Edit',
    'MultiEdit',
    'apply_patch',
    'str_replace_based_edit_tool',
    'Write',
    'write_file',
    'NotebookEdit',
    'read_stored',
  ])('%s may be cleared', (name) => {
    expect(clears(name)).toBe(true);
  });

  test.each([
    'Task',
    'agent',
    'Skill',
    'TodoWrite',
    'ask_user',
    'my_database',
    '',
    'mcp__files__read',
    'mcp__read',
    'MCP__Files__Bash',
    'mcp.read',
    'mcp:read',
    'mcp/read',
    'evil.read',
    'evil__bash',
  ])('%j stays', (name) => {
    expect(clears(name)).toBe(false);
  });

  test('the set can be widened, narrowed and emptied, but not to an MCP tool', () => {
    expect(clears('my_database', { compactableTools: (usual) => [...usual, 'MyDatabase'] })).toBe(
      true,
    );
    expect(clears('Read', { compactableTools: (usual) => [...usual, 'MyDatabase'] })).toBe(true);
    expect(clears('Read', { compactableTools: ['grep'] })).toBe(false);
    expect(clears('Read', { compactableTools: [] })).toBe(false);
    expect(clears('mcp__files__read', { compactableTools: ['mcp__files__read'] })).toBe(false);
  });

  test('text of people and of the model, and thinking, stay unless asked for', () => {
    const messages = history(rounds(40, { thinking: 'Let me think. '.repeat(900) }));
    const { messages: cleared, receipt } = microcompact(messages, BASE);
    expect(receipt.droppedThinking).toBe(0);
    const others = (all: typeof messages) => all.filter(({ role }) => role === 'assistant');
    expect(others([...cleared])).toEqual(others(messages));
    expect(cleared[0]).toBe(messages[0]);
  });

  test('an error flag stays on a cleared error that was acted on', () => {
    const messages = history([
      { isError: true },
      ...rounds(1, { input: { file_path: 'src/file-0.ts' } }),
      ...rounds(30),
    ]);
    const { messages: cleared } = microcompact(messages, BASE);
    expect(outputsOf(cleared)[0]).toContain('Run the tool again');
    expect(cleared[2]).toMatchObject({ content: [{ is_error: true }] });
  });
});

describe('results that instruction files gave stay (M5)', () => {
  const clearsRead = (path: string): boolean =>
    microcompact(history(rounds(40, { name: 'Read', input: { file_path: path } })), BASE).cleared
      .length > 0;

  test.each([
    'AGENTS.md',
    'CLAUDE.md',
    './CLAUDE.local.md',
    '/repo/pkg/GEMINI.md',
    'memory/topics/tests.md',
    '/home/me/.agent/memories/a.md',
    'skills/deploy/SKILL.md',
    '.claude/rules/style.md',
    '.github/copilot-instructions.md',
    'MEMORY.md',
    '.codex/skills/deploy.md',
  ])('%s guides the session', (path) => {
    expect(clearsRead(path)).toBe(false);
  });

  test.each([
    '',
    'src/agents.ts',
    'src/memory/cache.ts',
    'README.md',
    'docs/memory.md.txt',
    'notes/claude.markdown',
    'skills/how-to-work.md',
  ])('%j is an ordinary file', (path) => {
    expect(clearsRead(path)).toBe(true);
  });
});
