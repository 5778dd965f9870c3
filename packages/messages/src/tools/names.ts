/** What a tool is by the name that well-known coding agents give it. */
export type NamedKind =
  | 'shell'
  | 'shell-output'
  | 'stop'
  | 'monitor'
  | 'read'
  | 'edit'
  | 'write'
  | 'search'
  | 'todo'
  | 'task-create'
  | 'task-update'
  | 'ask'
  | 'plan'
  | 'agent'
  | 'skill';

const NAMES: Readonly<Record<NamedKind, string>> = {
  shell:
    'bash cmd command container.exec exec exec_command execute_bash execute_command local_shell powershell pwsh run_command run_in_terminal run_shell_command run_terminal_cmd run_terminal_command shell shell_command terminal zsh',
  'shell-output':
    'bash_output check_task get_task_output read_bash read_output shell_output task_output write_bash write_stdin',
  stop: 'kill_bash kill_process kill_shell kill_task stop_bash stop_task task_stop',
  monitor: 'monitor',
  read: 'cat open open_file read read_file read_files read_many_files read_multiple_files read_notebook view view_file',
  edit: 'apply_diff apply_patch edit edit_file edit_notebook insert multi_edit notebook_edit patch replace replace_in_file search_and_replace search_replace str_replace',
  write: 'create create_file write write_file write_to_file',
  search:
    'code_search codebase_search file_search find find_file find_files glob grep grep_search list list_directory ls rg search search_file_content search_files',
  todo: 'manage_todo_list todo todo_write update_plan update_todo_list update_todos write_todos',
  'task-create': 'create_task task_create',
  'task-update': 'task_update update_task',
  ask: 'ask_followup_question ask_human ask_user ask_user_question question request_user_input',
  plan: 'exit_plan_mode plan_exit present_plan',
  agent: 'agent delegate_task dispatch_agent spawn_agent subagent task',
  skill: 'activate_skill load_skill skill use_skill',
};

/** Names are compared without case and punctuation: `read_file`, `ReadFile` and `readFile` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const KINDS: ReadonlyMap<string, NamedKind> = new Map(
  (Object.keys(NAMES) as NamedKind[]).flatMap((kind) =>
    NAMES[kind].split(' ').map((name) => [bare(name), kind] as const),
  ),
);

/** The kind of a tool by its name, a namespace in front of it aside; undefined where the name is not known. */
export function namedKind(name: string): NamedKind | undefined {
  return KINDS.get(bare(name)) ?? KINDS.get(bare(name.slice(name.lastIndexOf('.') + 1)));
}
