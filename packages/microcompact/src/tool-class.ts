/** What a tool does, as far as clearing cares. `edit` and `write` change a file; `other` is never cleared. */
export type ToolClass = 'read' | 'shell' | 'search' | 'list' | 'web' | 'edit' | 'write' | 'other';

const NAMES: Readonly<Record<Exclude<ToolClass, 'other'>, readonly string[]>> = {
  read: [
    'cat',
    'notebook_read',
    'open_file',
    'read',
    'read_file',
    'read_files',
    'read_many_files',
    'read_multiple_files',
    'read_notebook',
    'read_stored',
    'view',
    'view_file',
  ],
  shell: [
    'bash',
    'bash_output',
    'cmd',
    'container.exec',
    'exec',
    'exec_command',
    'execute_command',
    'local_shell',
    'powershell',
    'pwsh',
    'run_command',
    'run_in_terminal',
    'run_shell_command',
    'run_terminal_cmd',
    'run_terminal_command',
    'shell',
    'shell_command',
    'task_output',
    'terminal',
    'write_stdin',
    'zsh',
  ],
  search: [
    'code_search',
    'codebase_search',
    'file_search',
    'find',
    'find_files',
    'find_path',
    'glob',
    'grep',
    'grep_search',
    'rg',
    'ripgrep',
    'search',
    'search_code',
    'search_file_content',
    'search_files',
    'tool_search',
  ],
  list: ['list', 'list_dir', 'list_directory', 'list_files', 'ls', 'tree'],
  web: [
    'browse',
    'fetch',
    'fetch_url',
    'google_web_search',
    'read_url',
    'search_web',
    'web_fetch',
    'web_search',
  ],
  edit: [
    'apply_diff',
    'apply_patch',
    'edit',
    'edit_file',
    'edit_notebook',
    'multi_edit',
    'notebook_edit',
    'patch',
    'replace',
    'replace_in_file',
    'search_and_replace',
    'search_replace',
    'str_replace',
    'str_replace_based_edit_tool',
    'str_replace_editor',
    'str_replace_edit',
  ],
  write: ['create', 'create_file', 'insert', 'write', 'write_file', 'write_to_file'],
};

/** Names are compared without case and punctuation: `read_file`, `ReadFile` and `readFile` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const CLASSES: ReadonlyMap<string, ToolClass> = new Map(
  (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((kind) =>
    NAMES[kind].map((name) => [bare(name), kind] as const),
  ),
);

/**
 * Tools whose results can be had again by running them again, by the names well-known coding agents give them: read,
 * shell, search, list, web, edit and write. What `compactableTools` takes the place of.
 */
export const COMPACTABLE_TOOLS: readonly string[] = Object.values(NAMES).flat();

/** Says which tools may be cleared, and of which class they are. */
export interface ToolRules {
  classOf(name: string): ToolClass;
  /** Never true of a tool that an MCP server brought (`mcp__server__tool`). */
  isCompactable(name: string): boolean;
}

/** Rules for a set of tool names; memoises per name. */
export function createToolRules(names: readonly string[] = COMPACTABLE_TOOLS): ToolRules {
  const allowed = new Set(names.map(bare));
  const known = new Map<string, { readonly kind: ToolClass; readonly compactable: boolean }>();
  const look = (name: string) => {
    let found = known.get(name);
    if (!found) {
      const key = bare(name);
      const kind = isMcp(name) ? 'other' : (CLASSES.get(key) ?? 'other');
      found = { kind, compactable: !isMcp(name) && allowed.has(key) };
      known.set(name, found);
    }
    return found;
  };
  return {
    classOf: (name) => look(name).kind,
    isCompactable: (name) => look(name).compactable,
  };
}

const isMcp = (name: string): boolean => /^mcp(__|\.|:|\/)/i.test(name);
