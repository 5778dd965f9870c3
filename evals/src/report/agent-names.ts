/** What people call the agents, by the format of their sessions. */
const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  opencode: 'OpenCode',
  pi: 'pi',
  'gemini-cli': 'Gemini CLI',
  'swe-agent': 'SWE-agent',
  'openhands-output': 'OpenHands',
  varve: 'varve',
  'anthropic-messages': 'Anthropic messages',
  'openai-chat': 'OpenAI chats',
  'openai-responses': 'OpenAI responses',
};

export const agentName = (format: string): string => NAMES[format] ?? format;

/** In a sentence. */
export const SUPPORTED_AGENTS =
  'Claude Code, Codex, Copilot CLI, OpenCode, Kilo, pi, Gemini CLI, SWE-agent and OpenHands, and messages as Anthropic and OpenAI take them';
