import { setTimeout as wait } from 'node:timers/promises';
import { type AgentDefinition, agentListMessage } from '@varve/fork-agent/definitions';
import { isAbortError, untilAborted } from '@varve/guards';
import { isToolUse, type Message, toolUses } from '@varve/messages';
import { textOf } from '../loop.ts';
import type { Producer, Reminder } from '../reminders/producers.ts';
import { messageOf, shown } from '../shown.ts';
import type { Tool, ToolOutput } from '../tools/tool.ts';
import { createBackgroundShell } from './background-shell.ts';
import { AGENT_TOOLS, type FoundAgents, unusedIn } from './definitions.ts';
import { createPost } from './post.ts';
import { createAgentRunner, type Parent } from './run-agent.ts';
import { createTasks, type Tasks } from './tasks.ts';
import type { OwnState, TaskInput, Team, TeamOptions } from './team.ts';
import { LOST, startedText } from './texts.ts';

const MAIN = 'main';

/** The agents of a session and its background work (F6–F10). */
export function createTeam(options: TeamOptions) {
  const { entries, emit, later, notice } = options;
  const context = () => later().context;
  const main = options.name ?? MAIN;
  const tasks = createTasks({
    ...{ emit, entries },
    note: (data) => context().note({ by: 'agent', data }),
  });
  const post = createPost({
    ...{ main, folder: options.mailFolder, sessionId: options.sessionId },
    hasName: options.name !== undefined,
    onMail: (text) => tasks.tell(MAIN, text),
  });
  const shells = createBackgroundShell(tasks);
  const runner = createAgentRunner({ ...options, post, teamOf, takeNews: tasks.takeNews });
  let found = options.find();
  let list = textOf(agentListMessage(found.definitions));
  let told = lastListIn(
    entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
  );
  let mayBeGone = false;
  /** Kinds of which a person was told what does nothing. */
  const warned = new Set<string>();

  /** How the calls of one caller reach agents and background work. */
  function teamOf(owner: string, self: string, own: OwnState = {}): Team {
    const mine = (id: string) => {
      const task = tasks.find(id);
      const isMine = task !== undefined && (owner === MAIN || task.owner === owner);
      if (isMine) return task;
      const ids = tasks.list().filter((each) => owner === MAIN || each.owner === owner);
      throw new Error(
        `There is no task ${id}. There are: ${ids.map((each) => each.id).join(', ') || 'none'}.`,
      );
    };
    return {
      async task(input, at) {
        if (owner !== MAIN) throw new Error('An agent starts no agents; do it yourself.');
        return startAgent(input, at);
      },
      async send(input) {
        const sent = await post.send(self, input);
        if (input.kind === 'shutdown-answer' && input.accept) own.isDismissed = true;
        return sent;
      },
      shell: (command) => shells.start(owner, command),
      async output(id, { waitMs, signal }) {
        const { kind } = mine(id);
        if (waitMs > 0) await orAbort(tasks.ended(id), waitMs, signal);
        const { state, progress } = mine(id);
        const how = state === 'running' ? 'It is running.' : `It has ended (${state}).`;
        if (kind === 'agent')
          return `${how}${progress === '' ? '' : ` ${progress}.`} Its answer comes as a message.`;
        const printed = shells.unread(id) ?? '';
        return printed === '' ? `${how} It printed nothing since.` : `${how}\n\n${printed}`;
      },
      async stop(id) {
        const { kind } = mine(id);
        if (!tasks.stop(id)) return `${id} has ended already.`;
        await tasks.ended(id);
        const printed = shells.unread(id) ?? '';
        const more = printed === '' ? '' : ` It had printed since you asked last:\n\n${printed}`;
        return `The ${kind === 'shell' ? 'command' : 'agent'} ${id} was stopped.${more}`;
      },
    };
  }

  async function startAgent(
    input: TaskInput,
    { callId, signal }: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<ToolOutput> {
    const definition = definitionOf(input.subagent_type);
    const isBackground = input.run_in_background ?? definition?.background ?? false;
    const parent = definition === undefined ? parentOf(callId) : undefined;
    const type = definition?.name ?? 'fork';
    const stop = new AbortController();
    const task = await tasks.begin({
      ...{ kind: 'agent', name: type, what: input.description, owner: MAIN, callId, isBackground },
      stop: () => stop.abort(),
    });
    const until = isBackground ? stop.signal : AbortSignal.any([signal, stop.signal]);
    const run = { id: task.id, type, input, callId, definition, parent, signal: until };
    const running = runner.run(run, task.progress).finally(() => tasks.close(task.id));
    if (isBackground) {
      running.then(
        ({ content, state }) =>
          task.end(
            state,
            state === 'stopped'
              ? content
              : `The background agent ${task.id} (${input.description}) has ended.\n${content}`,
          ),
        (error: unknown) => {
          if (stop.signal.aborted) task.end('stopped', `The agent ${task.id} was stopped.`);
          else task.end('failed', `The agent ${task.id} failed: ${messageOf(error)}`);
        },
      );
      return { content: startedText(task.id) };
    }
    try {
      const { content, state } = await running;
      task.end(state);
      const byPerson = stop.signal.aborted && !signal.aborted ? 'The person stopped it.\n' : '';
      return { content: `${byPerson}${content}`, isError: state !== 'done' };
    } catch (error) {
      task.end(isAbortError(error) ? 'stopped' : 'failed');
      if (stop.signal.aborted && !signal.aborted)
        return { content: `The person stopped the agent ${task.id}.`, isError: true };
      throw error;
    }
  }

  function definitionOf(type: string | undefined): AgentDefinition | undefined {
    if (type === undefined || type === '' || type === 'fork') return undefined;
    const definition = found.definitions.find(({ name }) => name === type);
    if (definition !== undefined) {
      if (!warned.has(type))
        for (const text of unusedIn(definition)) notice(`The agent ${shown(type)}: ${text}.`);
      warned.add(type);
      return definition;
    }
    const names = found.definitions.map(({ name }) => name).join(', ');
    throw new Error(
      `There is no kind of agent ${type}. There are: ${names}; without one it is a fork.`,
    );
  }

  /** What a fork begins with: the request whose answer holds the call. */
  function parentOf(callId: string): Parent {
    const { request, reply } = context().lastRequest() ?? {};
    if (!request || !reply || !toolUses(reply).some(({ id }) => id === callId))
      throw new Error('This conversation cannot be forked now.');
    return { request, reply, tokens: context().size().tokens };
  }

  function lost(): string[] {
    const ids = new Set(tasks.earlier.map(({ id }) => id));
    for (const entry of entries)
      if (entry.type === 'message')
        for (const text of textsIn(entry.message))
          for (const id of ids) if (saysEnd(text, id)) ids.delete(id);
    return tasks.earlier.filter(({ id }) => ids.has(id)).map(({ id, what }) => `- ${id} (${what})`);
  }
  let left = lost();

  /** The agents there are, what of earlier work was lost, answers and mail. */
  const producer: Producer = {
    name: 'agents',
    isNeeded: true,
    async collect() {
      if (mayBeGone) told = lastListIn(context().view().messages);
      mayBeGone = false;
      const all: Reminder[] = [];
      const text = list;
      if (options.isListed && text !== told)
        all.push({
          text,
          told() {
            told = text;
          },
        });
      if (left.length > 0)
        all.push({
          text: `${LOST}\n${left.join('\n')}`,
          told() {
            left = [];
          },
        });
      const news = [...tasks.takeNews(MAIN), ...(await post.receive())];
      return [...all, ...news.map((text) => ({ text }))];
    },
  };

  return {
    tasks,
    team: teamOf(MAIN, main),
    producer,
    /** The tools of the session, the agents among them where they are not told by a message. */
    tools(tools: readonly Tool[]): readonly Tool[] {
      if (options.isListed) return tools;
      return tools.map((tool) =>
        AGENT_TOOLS.includes(tool.name)
          ? { ...tool, description: `${tool.description}\n\n${list}` }
          : tool,
      );
    },
    /** Something of the conversation became something else: perhaps the list did. */
    check(): void {
      mayBeGone = true;
    },
    found: () => found,
    /** Reads the definitions again. */
    refresh(): FoundAgents {
      found = options.find();
      list = textOf(agentListMessage(found.definitions));
      return found;
    },
    /** What a person sees of a task: what a command printed last, or an agent did. */
    shown: (id: string): string => shells.shown(id) ?? runner.shown(id) ?? '',
    hasNews: () => tasks.hasNews(MAIN),
    /** Resolves once there is something to tell, or no agent is left that could have something. */
    async nextNews(signal: AbortSignal): Promise<boolean> {
      while (!tasks.hasNews(MAIN) && tasks.awaitsAgent()) await nextChange(tasks, signal);
      return tasks.hasNews(MAIN);
    },
    async close(): Promise<void> {
      await tasks.close();
      await post.close();
    },
  };
}

export type AgentTeam = ReturnType<typeof createTeam>;

const LIST_START =
  /^(?:<system-reminder>\n)?(?:Kinds of agents that|No kinds of agents) can be started now/;

/** The list that a conversation was told last. */
function lastListIn(messages: readonly Message[]): string | undefined {
  const text = messages
    .filter(({ origin }) => origin?.kind === 'reminder')
    .map(textOf)
    .findLast((each) => LIST_START.test(each));
  return text?.replace(/^<system-reminder>\n|\n<\/system-reminder>$/g, '');
}

function* textsIn({ content }: Message): Generator<string> {
  for (const block of content) {
    if (isToolUse(block)) continue;
    yield JSON.stringify(block);
  }
}

/** Whether a text tells of the end of a task. */
const saysEnd = (text: string, id: string): boolean =>
  (text.includes(LOST) && text.includes(`- ${id} (`)) ||
  text.includes(`<agent-result id=\\"${id}\\"`) ||
  new RegExp(`(?:agent|command) ${id} (?:\\(|was stopped|failed)`).test(text);

/** Resolves when a task begins, ends or says something. Rejects with the reason of an abort. */
async function nextChange({ watch }: Tasks, signal: AbortSignal): Promise<void> {
  let end = () => {};
  const change = new Promise<void>((resolve) => {
    end = watch(resolve);
  });
  try {
    await untilAborted(change, signal);
  } finally {
    end();
  }
}

/** Waits for a promise, at most so long. Rejects with the reason of an abort. */
async function orAbort(promise: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const { signal: ended } = waiting;
  try {
    await untilAborted(Promise.race([promise, wait(waitMs, undefined, { signal: ended })]), signal);
  } finally {
    waiting.abort();
  }
}
