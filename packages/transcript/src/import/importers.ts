import { createAnthropicMessages } from './anthropic-messages.ts';
import { createAtif } from './atif.ts';
import { createClaudeCode } from './claude-code.ts';
import { createCodex } from './codex.ts';
import { createCopilotCli } from './copilot-cli.ts';
import { createGeminiCli } from './gemini-cli.ts';
import { createGoose } from './goose.ts';
import type { CreateImporter } from './importer.ts';
import { createOpenaiChat } from './openai-chat.ts';
import { createOpenaiResponses } from './openai-responses.ts';
import { createOpencode } from './opencode.ts';
import { createOpenhandsOutput } from './openhands-output.ts';
import { createPi } from './pi.ts';
import { createQwenCode } from './qwen-code.ts';
import { createSweAgent } from './swe-agent.ts';
import type { SessionFormat } from './types.ts';
import { createVarve } from './varve.ts';

export const IMPORTERS: Readonly<Record<SessionFormat, CreateImporter>> = {
  'claude-code': createClaudeCode,
  codex: createCodex,
  'copilot-cli': createCopilotCli,
  opencode: createOpencode,
  pi: createPi,
  'gemini-cli': createGeminiCli,
  'qwen-code': createQwenCode,
  goose: createGoose,
  atif: createAtif,
  'swe-agent': createSweAgent,
  'openhands-output': createOpenhandsOutput,
  varve: createVarve,
  'anthropic-messages': createAnthropicMessages,
  'openai-chat': createOpenaiChat,
  'openai-responses': createOpenaiResponses,
};
