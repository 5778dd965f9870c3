import { isRecord, listOf, recordOf } from '@varve/guards';
import { type JsonRecord, textOf, wordsOf } from './json.ts';

/** What can be read, in words. */
export const SUPPORTED =
  'read are sessions of Claude Code, Codex, GitHub Copilot CLI, OpenCode, Kilo, pi, Gemini CLI, Qwen Code, Goose, Cline, Roo Code, SWE-agent, mini-swe-agent and OpenHands, ATIF trajectories, and messages of the APIs of Anthropic and OpenAI';

/** The agent that a value of a file is from, where its sessions are known and not read; why, where that helps. */
export function otherAgent(value: unknown): string | undefined {
  if (Array.isArray(value)) return isEditorList(value) ? EDITOR_LIST : undefined;
  if (!isRecord(value)) return undefined;
  return SHAPES.find(([, matches]) => matches(value))?.[0];
}

const EDITOR_LIST =
  'Cline, Roo Code or Kilo Code, and is what the editor shows; what the model saw is in api_conversation_history.json beside it';

const isEditorList = (list: readonly unknown[]): boolean =>
  list.length > 0 &&
  list.every((item) => {
    const { ts, type } = recordOf(item);
    return typeof ts === 'number' && (type === 'say' || type === 'ask');
  });

const SHAPES: readonly (readonly [string, (value: JsonRecord) => boolean])[] = [
  [
    'Cursor, whose transcripts hold no results of its calls',
    ({ role, message, content, uuid }) =>
      (role === 'user' || role === 'assistant') &&
      content === undefined &&
      uuid === undefined &&
      Array.isArray(recordOf(message).content),
  ],
  [
    'Droid',
    ({ type, id, sessionTitle, title, cwd }) =>
      type === 'session_start' &&
      textOf(id) !== undefined &&
      [sessionTitle, title, cwd].some((field) => typeof field === 'string'),
  ],
  ['Kimi CLI', ({ role }) => KIMI_ROLES.has(role)],
  [
    'Amp',
    ({ id, v, messages }) =>
      wordsOf(id).startsWith('T-') && typeof v === 'number' && Array.isArray(messages),
  ],
  [
    'GitHub Copilot Chat in VS Code',
    ({ requests, responderUsername }) =>
      Array.isArray(requests) && typeof responderUsername === 'string',
  ],
  [
    'Continue',
    ({ sessionId, history }) =>
      textOf(sessionId) !== undefined &&
      listOf(history).some((item) => recordOf(item).contextItems !== undefined),
  ],
];

const KIMI_ROLES = new Set<unknown>(['_checkpoint', '_usage', '_system_prompt']);
