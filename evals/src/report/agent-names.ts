/** What people call the agents, by the format of their sessions. */
const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  opencode: 'OpenCode',
  pi: 'pi',
  'gemini-cli': 'Gemini CLI',
  'qwen-code': 'Qwen Code',
  goose: 'Goose',
  atif: 'ATIF',
  'swe-agent': 'SWE-agent',
  'openhands-output': 'OpenHands',
  varve: 'varve',
  'anthropic-messages': 'Anthropic messages',
  'openai-chat': 'OpenAI chats',
  'openai-responses': 'OpenAI responses',
};

export const agentName = (format: string): string => NAMES[format] ?? format;
