import {
  type AgentContext,
  methods,
  type PermissionOption,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { Answer, Ask, Question } from '../../permissions/permissions.ts';
import { messageOf } from '../../shown.ts';
import type { ToolCalls } from './tool-calls.ts';

interface AskOptions {
  readonly client: AgentContext;
  readonly sessionId: () => string;
  readonly toolCalls: ToolCalls;
}

const NO: Answer = { kind: 'no', reason: 'The person said no.' };

/** Asks the person at the editor: once, for this session, for always, or no. */
export function askInEditor({ client, sessionId, toolCalls }: AskOptions): Ask {
  return async (question, signal) => {
    const answers = answersTo(question);
    const options = answers.map(({ option }) => option);
    const toolCall = toolCalls.asked(question);
    const params = { sessionId: sessionId(), toolCall, options };
    const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
    try {
      const { outcome } = await client.request<RequestPermissionResponse>(
        methods.client.session.requestPermission,
        params,
        waiting,
      );
      const id = outcome.outcome === 'selected' ? outcome.optionId : undefined;
      return answers.find(({ option }) => option.optionId === id)?.answer ?? NO;
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageOf(error);
      return { kind: 'no', reason: `Nobody could be asked: ${reason}` };
    }
  };
}

interface Offer {
  readonly option: PermissionOption;
  readonly answer: Answer;
}

function answersTo({ rules }: Question): Offer[] {
  const [narrowest] = rules;
  return [
    {
      option: { optionId: 'once', kind: 'allow_once', name: 'Allow once' },
      answer: { kind: 'once' },
    },
    ...rules.map(
      (rule, index): Offer => ({
        option: {
          ...{ optionId: `session-${index}`, kind: 'allow_always' },
          name: `Allow ${rule} in this session`,
        },
        answer: { kind: 'session', rule },
      }),
    ),
    ...(narrowest === undefined
      ? []
      : [
          {
            option: {
              ...({ optionId: 'always', kind: 'allow_always' } as const),
              name: `Always allow ${narrowest}`,
            },
            answer: { kind: 'always', rule: narrowest } as const,
          },
        ]),
    { option: { optionId: 'no', kind: 'reject_once', name: 'No' }, answer: NO },
  ];
}
