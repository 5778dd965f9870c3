import { recordOf, textOf } from '@varve/guards';
import type { Entry, JsonObject } from '@varve/messages';
import type { Emit } from '../events.ts';

/** What runs beside the conversation, or within a call of it. */
export interface Task {
  readonly id: string;
  readonly kind: 'agent' | 'shell';
  /** A command, or what an agent is to do. */
  readonly what: string;
  /** Who began it: `main`, or the id of an agent. */
  readonly owner: string;
  readonly callId: string;
  readonly isBackground: boolean;
  readonly startedMs: number;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** What an agent says that it does, or the last line of a command. */
  readonly progress: string;
}

export interface TaskStart
  extends Pick<Task, 'kind' | 'what' | 'owner' | 'callId' | 'isBackground'> {
  /** What its id begins with. */
  readonly name: string;
  readonly stop: () => void;
}

/** A task for the one who runs it. */
export interface RunningTask {
  readonly id: string;
  progress(text: string): void;
  /** `news` is what its owner is told, once. */
  end(state: 'done' | 'failed' | 'stopped', news?: string): void;
}

export interface TasksOptions {
  readonly emit: Emit;
  /** Notes in the log what was begun. */
  readonly note: (data: JsonObject) => Promise<void>;
  /** The log that is gone on with. */
  readonly entries: readonly Entry[];
}

const NOTE = 'task';

/** How long the end of a session waits for what runs, in milliseconds. */
const CLOSE_MS = 2_000;

/** All tasks of a session, those of its agents included. */
export function createTasks({ emit, note, entries }: TasksOptions) {
  const tasks = new Map<string, Task>();
  const stops = new Map<string, () => void>();
  const ends = new Map<string, Promise<void>>();
  const news: { readonly owner: string; readonly text: string }[] = [];
  const watchers = new Set<() => void>();
  const earlier = entries.flatMap((entry) => {
    const data = recordOf(entry.type === 'note' && entry.by === 'agent' ? entry.data : undefined);
    return data.kind === NOTE ? [{ id: textOf(data.id), what: textOf(data.what) }] : [];
  });
  const taken = new Set(earlier.map(({ id }) => id));

  /** The same calls give the same ids, so that requests are the same in each face. */
  function newId(name: string): string {
    let count = 1;
    while (taken.has(`${name}-${count}`)) count += 1;
    taken.add(`${name}-${count}`);
    return `${name}-${count}`;
  }

  function tell(owner: string, text: string): void {
    news.push({ owner, text });
    for (const watcher of watchers) watcher();
  }

  const running = (): Task[] => [...tasks.values()].filter(({ state }) => state === 'running');

  return {
    tell,
    /** What was begun by an earlier process. */
    earlier,
    async begin({ name, stop, ...facts }: TaskStart): Promise<RunningTask> {
      const id = newId(name);
      await note({ kind: NOTE, id, what: facts.what });
      let onEnd = () => {};
      const ended = new Promise<void>((resolve) => {
        onEnd = resolve;
      });
      const task: Task = {
        ...{ ...facts, id, startedMs: Date.now(), state: 'running', progress: '' },
      };
      tasks.set(id, task);
      stops.set(id, stop);
      ends.set(id, ended);
      emit({ kind: 'task-start', task });
      const change = (changed: Partial<Task>): Task => {
        const next = { ...(tasks.get(id) as Task), ...changed };
        tasks.set(id, next);
        return next;
      };
      return {
        id,
        progress(text) {
          emit({ kind: 'task-progress', task: change({ progress: text }) });
        },
        end(state, text) {
          emit({ kind: 'task-end', task: change({ state }) });
          onEnd();
          if (text !== undefined) tell(facts.owner, text);
        },
      };
    },
    list: (): readonly Task[] => [...tasks.values()],
    find: (id: string): Task | undefined => tasks.get(id),
    /** Resolves once a task has ended. */
    ended: (id: string): Promise<void> => ends.get(id) ?? Promise.resolve(),
    /** Has a task ended; false where it is not running. */
    stop(id: string): boolean {
      if (tasks.get(id)?.state !== 'running') return false;
      stops.get(id)?.();
      return true;
    },
    /** What has happened and its owner does not know, once. */
    takeNews(owner: string): string[] {
      const mine = news.filter((each) => each.owner === owner);
      for (const each of mine) news.splice(news.indexOf(each), 1);
      return mine.map(({ text }) => text);
    },
    hasNews: (owner: string): boolean => news.some((each) => each.owner === owner),
    /** Whether an agent is at work whose answer comes later. */
    awaitsAgent: (): boolean =>
      running().some(({ kind, isBackground }) => kind === 'agent' && isBackground),
    /** Told each time something has happened. The result takes that back. */
    watch(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    /** Ends what runs, of one owner or all of it, and waits for that a moment. */
    async close(owner?: string): Promise<void> {
      const left = running().filter((task) => owner === undefined || task.owner === owner);
      for (const { id } of left) stops.get(id)?.();
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.all(left.map(({ id }) => ends.get(id))), late]);
    },
  };
}

export type Tasks = ReturnType<typeof createTasks>;
