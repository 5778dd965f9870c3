/** What a tool does, by the name that well-known coding agents give it. */
export type ToolKind =
  | 'shell'
  /** Output of, or input to, a command that runs. */
  | 'shell-output'
  | 'stop'
  | 'monitor'
  | 'read'
  | 'edit'
  | 'write'
  | 'search'
  | 'list'
  | 'web'
  | 'todo'
  | 'task-create'
  | 'task-update'
  /** Puts a question to the person. */
  | 'ask'
  /** Puts a plan to the person for approval. */
  | 'plan'
  | 'agent'
  | 'skill';

const NAMES: Readonly<Record<ToolKind, string>> = {
  shell:
    'bash cmd command exec exec_command execute_bash execute_command local_shell powershell pwsh run_command run_in_terminal run_shell_command run_terminal_cmd run_terminal_command shell shell_command terminal zsh',
  'shell-output':
    'bash_output check_task get_task_output read_bash read_output shell_output task_output write_bash write_stdin',
  stop: 'kill_bash kill_process kill_shell kill_task stop_bash stop_task task_stop',
  monitor: 'monitor',
  read: 'cat notebook_read open open_file read read_file read_files read_many_files read_multiple_files read_notebook read_stored view view_file',
  edit: 'apply_diff apply_patch edit edit_file edit_notebook insert multi_edit notebook_edit patch replace replace_in_file search_and_replace search_replace str_replace str_replace_based_edit_tool str_replace_edit str_replace_editor',
  write: 'create create_file write write_file write_to_file',
  search:
    'code_search codebase_search file_search find find_file find_files find_path glob grep grep_search rg ripgrep search search_code search_file_content search_files tool_search',
  list: 'list list_dir list_directory list_files ls tree',
  web: 'browse fetch fetch_url google_web_search read_url search_web web_fetch web_search',
  todo: 'manage_todo_list set_todos task_list task_tracker todo todo_list todo_write todos update_plan update_todo update_todo_list update_todos write_todos',
  'task-create': 'create_task task_create',
  'task-update': 'task_update update_task',
  ask: 'ask_followup_question ask_human ask_user ask_user_question question request_user_input',
  plan: 'exit_plan_mode plan_exit present_plan',
  agent: 'agent delegate_task dispatch_agent spawn_agent subagent task',
  skill: 'activate_skill load_skill skill use_skill',
};

/** All kinds. */
export const TOOL_KINDS: readonly ToolKind[] = Object.freeze(Object.keys(NAMES) as ToolKind[]);

/** Names of the tools of a kind as agents write them most: `read_file` stands for `ReadFile` and `readFile` too. */
export const toolNames = (kind: ToolKind): readonly string[] => NAMES[kind].split(' ');

/**
 * A name as names are compared: case and the joints between its words aside. `read_file`, `ReadFile`, `read-file` are one;
 * a dot, slash or colon is no joint but the end of a namespace.
 */
export const bareName = (name: string): string => name.toLowerCase().replace(/[_\s-]/g, '');

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  TOOL_KINDS.flatMap((kind) => toolNames(kind).map((name) => [bareName(name), kind] as const)),
);

/** Namespaces in which providers put the tools that a request declares: they say nothing about who brought a tool. */
const HOST = /^(?:functions|container|default_api)[.:]/i;

/**
 * Whether a name says that something else than the agent brought the tool: an MCP server (`mcp__x__y`), or any other
 * namespace (`x.ask_user`, `x/ask_user`, `x__ask_user`). Such a tool may call itself anything.
 */
export const isForeignTool = (name: string): boolean => /[.:/]|(?<=.)__/.test(withoutHost(name));

/** The kind of a tool by its name; undefined where the name is not known, or is one that another server gave. */
export function toolKind(name: string): ToolKind | undefined {
  const own = withoutHost(name);
  return isForeignTool(own) ? undefined : KINDS.get(bareName(own));
}

const withoutHost = (name: string): string => name.replace(HOST, '');
