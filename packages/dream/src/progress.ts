import { isRecord, textOf } from '@varve/guards';
import { withoutSecrets } from '@varve/memdir/files';
import type { Message } from '@varve/messages';

/** One turn of the child, as a list of background work shows it. */
export interface DreamTurn {
  readonly text: string;
  /** How many tools it called. */
  readonly toolCalls: number;
  /** Paths its calls name. */
  readonly touched: readonly string[];
}

export interface DreamProgress {
  readonly status: 'idle' | 'running' | 'completed' | 'failed' | 'killed';
  /** `updating` from the first change that was taken. */
  readonly phase: 'starting' | 'updating';
  /** The last 30. */
  readonly turns: readonly DreamTurn[];
  /** Paths of changes that were taken. */
  readonly touched: readonly string[];
}

export const IDLE: DreamProgress = { status: 'idle', phase: 'starting', turns: [], touched: [] };

const MOST_TURNS = 30;

export const withTurn = (progress: DreamProgress, turn: DreamTurn): DreamProgress => ({
  ...progress,
  turns: [...progress.turns, turn].slice(-MOST_TURNS),
});

export const withTouched = (progress: DreamProgress, paths: readonly string[]): DreamProgress => ({
  ...progress,
  phase: 'updating',
  touched: [...new Set([...progress.touched, ...paths])],
});

/** Undefined for a message that is none of the model. */
export function turnOf({
  role,
  content,
}: Pick<Message, 'role' | 'content'>): DreamTurn | undefined {
  if (role !== 'assistant') return undefined;
  const calls = content.filter(({ type }) => type === 'tool_use');
  const texts = content.flatMap((block) => (block.type === 'text' ? [textOf(block.text)] : []));
  const touched = calls.flatMap(({ input }) =>
    isRecord(input) ? [input.path, input.into].map(textOf).filter(Boolean) : [],
  );
  return { text: withoutSecrets(texts.join('\n')), toolCalls: calls.length, touched };
}
