import { createDream, type InstructionFile, type Said } from '@varve/dream';
import { agentFork } from '@varve/dream/agent';
import type { Chain, ChainMessage } from './chain.ts';
import type { Dreamer } from './run-dream.ts';

type DreamSessions = NonNullable<Parameters<typeof createDream>[0]['sessions']>;

const MOST_OUTPUT_TOKENS = 8_000;

/** The dream that ships, with a child of its own, over a memory and the sessions of its chain. */
export const shippedDreamer: Dreamer = {
  promptVersion: '',
  open({ memory, client, chain, now }) {
    const runFork = agentFork({ client, model: 'recorded', maxOutputTokens: MOST_OUTPUT_TOKENS });
    const dream = createDream({
      ...{ memory, now, runFork, sessions: sessionsOf(chain) },
      instructions: async () => instructionsOf(chain),
    });
    return {
      async dream() {
        const result = await dream.dreamNow();
        switch (result.kind) {
          case 'completed':
            return undefined;
          case 'killed':
            return 'killed';
          default:
            return result.reason === 'nothing-new' ? undefined : result.reason;
        }
      },
      async undo() {
        await dream.undo();
      },
    };
  },
};

/** The instruction files of a chain, as they were shown last. */
export function instructionsOf({ sessions }: Chain): readonly InstructionFile[] {
  const files = new Map<string, string>();
  for (const { messages } of sessions)
    for (const message of messages)
      if (message.origin === 'instruction') files.set(message.path, message.text);
  return [...files].map(([path, text]) => ({ path, text }));
}

/** What was said in the sessions of a chain, as a dream may search it. */
export function sessionsOf({ sessions }: Chain): DreamSessions {
  const idOf = (session: number) => `session-${String(session).padStart(2, '0')}`;
  return {
    path: 'sessions',
    list: async ({ sinceMs }) =>
      sessions
        .map(({ id, date }) => ({ id: idOf(id), touchedMs: Date.parse(`${date}T18:00:00Z`) }))
        .filter(({ touchedMs }) => touchedMs > sinceMs),
    async read(wanted) {
      const session = sessions.find(({ id }) => idOf(id) === wanted);
      if (session === undefined) return [];
      return session.messages.flatMap((message, at) => {
        const by = saidBy(message);
        const atMs = Date.parse(`${session.date}T09:00:00Z`) + at * 60_000;
        return by === undefined ? [] : [{ by, text: message.text, atMs }];
      });
    },
  };
}

function saidBy({ origin }: ChainMessage): Said['by'] | undefined {
  switch (origin) {
    case 'user':
    case 'assistant':
      return origin;
    case 'tool':
    case 'agent':
      return 'tool';
    default:
      return undefined;
  }
}
