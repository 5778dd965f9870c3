import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '@varve/context';
import { createFork, createWarmUp, type ForkResult } from '@varve/fork-agent';
import { type AgentDefinition, agentListMessage, createAgent } from '@varve/fork-agent/definitions';
import { forkResultBlock } from '@varve/fork-agent/hand-back';
import { isAbortError, untilAborted } from '@varve/guards';
import { type Entry, isToolUse, type Message, type Request, toolUses } from '@varve/messages';
import { MODELS, resolveModel } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import { forkLog, readLog } from '@varve/transcript/node';
import type { Emit } from '../events.ts';
import type { CommandHook } from '../hooks/events.ts';
import { readHooks } from '../hooks/events.ts';
import type { Hooks, HooksOptions } from '../hooks/hooks.ts';
import type { Instructions } from '../instructions/instructions.ts';
import { textOf } from '../loop.ts';
import { type ConnectedModel, effortParams, isEffort, modelsOf } from '../model.ts';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type Permissions,
} from '../permissions/permissions.ts';
import { environmentText } from '../prompt/blocks.ts';
import type { PromptFacts } from '../prompt/facts.ts';
import { changedFiles } from '../reminders/changed-files.ts';
import { createReminders } from '../reminders/collect.ts';
import type { Producer, Reminder } from '../reminders/producers.ts';
import { shown } from '../shown.ts';
import { findSkills } from '../skills/find.ts';
import { createSkills } from '../skills/skills.ts';
import { createFileCache, type FileCache } from '../tools/files.ts';
import { howItEnded, runShell } from '../tools/shell.ts';
import type { Tool, ToolOutput, Tools, ToolsOptions } from '../tools/tool.ts';
import { runChild } from './child.ts';
import { AGENT_TOOLS, type FoundAgents, unusedIn } from './definitions.ts';
import { createPost } from './post.ts';
import { watchProgress } from './progress.ts';
import { createTasks, type Tasks } from './tasks.ts';
import type { BackgroundCommand, TaskInput, Team } from './team.ts';
import { AGENT_RULES, LOST, startedShellText, startedText } from './texts.ts';
import { createWorktree } from './worktree.ts';

/** The session that agents are of, and its parts made anew for each of them. */
export interface TeamOptions {
  readonly cwd: string;
  readonly sessionId: string;
  /** Holds what is kept of the session beside its log. */
  readonly folder: string;
  /** The log of the session. */
  readonly logPath: string;
  readonly entries: readonly Entry[];
  readonly emit: Emit;
  readonly facts: PromptFacts;
  readonly find: () => FoundAgents;
  /** How other sessions of the folder call this one. @default they cannot reach it */
  readonly name?: string | undefined;
  /** Mailboxes of all sessions of the folder. */
  readonly mailFolder: string;
  readonly connect: (model: string) => ConnectedModel;
  readonly later: () => { readonly context: Context; readonly permissions: Permissions };
  readonly permissionsOf: (own: { cwd: string; mode: PermissionMode }) => Permissions;
  readonly storage: ToolStorage | undefined;
  readonly files: FileCache;
  readonly notice: (text: string) => void;
  readonly toolsOf: (
    own: Pick<ToolsOptions, 'cwd' | 'files' | 'emit' | 'team' | 'skills'> & {
      readonly storage: ToolStorage | undefined;
    },
  ) => Tools;
  readonly hooksOf: (
    own: Pick<HooksOptions, 'agent' | 'permissionMode' | 'parse' | 'cwd'> & {
      readonly more: readonly CommandHook[];
    },
  ) => Hooks;
  readonly instructionsOf: (cwd: string) => Instructions;
  /** Where skills are looked for. */
  readonly skillsIn: Parameters<typeof findSkills>[0];
  /** Seconds between summaries of what an agent does; 0 for none. */
  readonly progressSeconds: number;
  /** Whether the agents there are are told by a message, and not by the description of the tool. */
  readonly isListed: boolean;
  /** That may be spent in all. @default no limit */
  readonly dollars?: number | undefined;
  readonly windowTokens?: number | undefined;
  readonly percent?: number | undefined;
}

/** Requests of one agent at most, where its definition does not say. */
const MOST_TURNS = 200;
const MAIN = 'main';

/** The agents of a session and its background work (F6–F10). */
export function createTeam(options: TeamOptions) {
  const { cwd, folder, entries, emit, facts, connect, later, notice } = options;
  const context = () => later().context;
  const permissions = () => later().permissions;
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
  let warm: { readonly replyId: string; readonly up: ReturnType<typeof createWarmUp> } | undefined;
  let found = options.find();
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
      shell: (command) => startShell(owner, command),
      async output(id, { waitMs, signal }) {
        const { kind } = mine(id);
        if (waitMs > 0) await orAbort(tasks.ended(id), waitMs, signal);
        const { state, progress } = mine(id);
        const how = state === 'running' ? 'It is running.' : `It has ended (${state}).`;
        if (kind === 'agent')
          return `${how}${progress === '' ? '' : ` ${progress}.`} Its answer comes as a message.`;
        const printed = outputs.get(id)?.take() ?? '';
        return printed === '' ? `${how} It printed nothing since.` : `${how}\n\n${printed}`;
      },
      async stop(id) {
        mine(id);
        if (!tasks.stop(id)) return `${id} has ended already.`;
        await tasks.ended(id);
        return `${id} was stopped.`;
      },
    };
  }

  const outputs = new Map<string, { take(): string; last(): string }>();
  /** What each agent did last, a line for each call. */
  const doings = new Map<string, string[]>();

  async function startShell(owner: string, given: BackgroundCommand): Promise<string> {
    const { command, callId } = given;
    const stop = new AbortController();
    const what = given.description ?? command;
    const start = {
      kind: 'shell',
      name: 'shell',
      what,
      owner,
      callId,
      isBackground: true,
    } as const;
    const task = await tasks.begin({ ...start, stop: () => stop.abort() });
    let unread = '';
    let last = '';
    outputs.set(task.id, {
      last: () => last,
      take() {
        const text = unread;
        unread = '';
        return text;
      },
    });
    const onText = (text: string) => {
      unread = cut(unread + text);
      last = (last + text).slice(-MOST_SHOWN);
      const line = text.trimEnd().split('\n').at(-1) ?? '';
      if (line.trim() !== '') task.progress(line);
    };
    void runShell(command, { ...given, env: given.env, signal: stop.signal, onText }).then(
      (ended) => {
        const how = howItEnded(ended) ?? 'Exit code 0';
        const state = how === 'Exit code 0' ? 'done' : 'failed';
        task.end(state, `The background command ${task.id} (${what}) has ended. ${how}`);
      },
      (error: unknown) => {
        if (stop.signal.aborted) task.end('stopped');
        else task.end('failed', `The background command ${task.id} failed: ${error}`);
      },
    );
    return startedShellText(task.id);
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
    const running = runAgent(run, task.progress).finally(() => tasks.close(task.id));
    if (isBackground) {
      running.then(
        ({ content, state }) =>
          task.end(
            state,
            `The background agent ${task.id} (${input.description}) has ended.\n${content}`,
          ),
        (error: unknown) => {
          if (stop.signal.aborted) task.end('stopped', `The agent ${task.id} was stopped.`);
          else task.end('failed', `The agent ${task.id} failed: ${textOfError(error)}`);
        },
      );
      return { content: startedText(task.id) };
    }
    try {
      const { content, state } = await running;
      task.end(state);
      return { content, isError: state === 'failed' };
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

  interface Parent {
    readonly request: Request;
    readonly reply: Message;
    /** Of both. */
    readonly tokens: number;
  }

  interface AgentRun {
    readonly id: string;
    readonly type: string;
    readonly input: TaskInput;
    readonly callId: string;
    readonly definition: AgentDefinition | undefined;
    readonly parent: Parent | undefined;
    readonly signal: AbortSignal;
  }

  async function runAgent(
    { id, type, input, callId, definition, parent, signal }: AgentRun,
    onProgress: (text: string) => void,
  ): Promise<{ readonly content: string; readonly state: 'done' | 'failed' }> {
    const branch = `varve/${options.sessionId.slice(0, 8)}-${id}`;
    const worktree =
      definition?.isolation === 'worktree'
        ? await createWorktree(cwd, join(folder, 'worktrees', id), branch)
        : undefined;
    const place = worktree?.path ?? cwd;
    const mode = modeOf(definition?.permissionMode, permissions().mode);
    const own: OwnState = {};
    const allowed =
      worktree === undefined && mode === permissions().mode
        ? permissions()
        : options.permissionsOf({ cwd: place, mode });
    const storage = options.storage?.fork({ sessionId: `${options.sessionId}-${id}` });
    const files = parent === undefined ? createFileCache() : options.files.clone();
    const name = input.name ?? id;
    const childEmit: Emit = (event) =>
      event.kind === 'notice'
        ? emit(event)
        : emit({ kind: 'agent-event', agent: id, callId, event });
    const skills = createSkills({
      find: () => findSkills(options.skillsIn),
      entries: parent === undefined ? [] : context().entries(),
      ...{ note: async () => undefined, notice, said: () => [], agent: id },
    });
    const tools = options.toolsOf({
      ...{ cwd: place, files, emit: childEmit, storage, skills, team: teamOf(id, name, own) },
    });
    const read = definition?.hooks === undefined ? undefined : readHooks(definition.hooks);
    const hooks = options.hooksOf({
      ...{ cwd: place, more: read?.hooks ?? [] },
      agent: { agent_id: id, agent_type: type },
      permissionMode: () => allowed.mode,
      parse: (call, changed) => {
        const parsed = tools.parse({
          type: 'tool_use',
          id: call.id,
          name: call.name,
          input: changed,
        });
        return parsed.kind === 'refused' ? parsed.reason : parsed.call;
      },
    });
    const reminders = createReminders({
      ...{ hooks, notice, date: facts.date, instructions: options.instructionsOf(place) },
      producers: [skills.producer, changedFiles(files, () => hooks)],
      isInstructed: parent !== undefined,
      isStillThere: () => true,
      onInstructed: async () => undefined,
    });
    for (const skill of definition?.skills ?? [])
      await skills
        .call(skill, '')
        .catch((error: unknown) => notice(`${type}: ${textOfError(error)}`));
    let turn = 1;
    const seen: { sent?: Request; sentMs: number; since: Message[] } = { sentMs: 0, since: [] };
    const model =
      parent?.request.head.model ??
      modelIdOf(definition?.model, context().view().head?.model ?? '');
    const connected = connect(model);
    const models = modelsOf(model, options.windowTokens);
    const bill = (billedModel: string, usage: ForkResult['usage']) =>
      void context()
        .addUsage({ by: `agent:${type}`, model: billedModel, usage })
        .catch(() => undefined); // the session may have ended
    const endProgress =
      options.progressSeconds === 0
        ? undefined
        : watchProgress({
            ...{
              model,
              connect,
              everyMs: options.progressSeconds * 1000,
              onText: onProgress,
              onUsage: bill,
            },
            state: () => seen.sent && { sent: seen.sent, sentMs: seen.sentMs, since: seen.since },
          });
    const maxTurns = definition?.maxTurns ?? MOST_TURNS;
    const transcript = join(folder, 'agents', `${id}.jsonl`);
    try {
      const result = await runChild({
        ...{ id, type, callId, tools, permissions: allowed, hooks, storage, signal, emit },
        ...{ client: connected.client, transcript, prompt: input.prompt },
        ...{ windowTokens: options.windowTokens, percent: options.percent },
        maxTurns,
        inbox: post.open(name, (approved) => {
          if (approved && allowed.mode === 'plan')
            allowed.setMode(modeOf(undefined, permissions().mode));
        }),
        async remind(until) {
          const limits = { turns: maxTurns };
          const said = await reminders.collect({ turn: turn++, limits, signal: until });
          for (const { told: onTold } of said) await onTold?.();
          return [...said.map(({ text }) => text), ...tasks.takeNews(id)];
        },
        touched({ call }) {
          reminders.touched(call);
          const done = doings.get(id) ?? [];
          doings.set(
            id,
            [...done, `${call.name} ${JSON.stringify(call.input)}`.slice(0, 200)].slice(
              -MOST_DOINGS,
            ),
          );
        },
        isDismissed: () => own.isDismissed ?? false,
        warm: parent === undefined ? createWarmUp() : warmOf(parent.reply.id),
        async create(client, runner) {
          if (parent !== undefined) {
            const { request, reply, tokens } = parent;
            await beginTranscript(transcript, reply);
            const fork = createFork({
              ...{ client, parent: request, reply, parentTokens: tokens, models },
              ...{ tools: runner, agentTools: AGENT_TOOLS },
            });
            return { run: fork.run, head: request.head, prefix: [...request.messages, reply] };
          }
          const given = definition as AgentDefinition;
          const environment = environmentText({ ...facts, cwd: place }, model);
          const agent = createAgent({
            ...{ client, model, models, tools: runner, agentTools: AGENT_TOOLS },
            params: {
              ...connected.params,
              ...effortParams(model, isEffort(given.effort) ? given.effort : undefined),
            },
            definition: {
              ...given,
              model,
              prompt: [given.prompt, AGENT_RULES, environment].join('\n\n'),
            },
            offered: offeredTools(),
            maxOutputTokens: context().lastRequest()?.request.maxOutputTokens ?? 20_000,
          });
          return { run: agent.run, head: agent.head, prefix: [] };
        },
        onRequest(request) {
          if (context().usage().dollars >= (options.dollars ?? Number.POSITIVE_INFINITY))
            throw new Error('The limit of --max-cost is reached.');
          Object.assign(seen, { sent: request, sentMs: Date.now(), since: [] });
        },
        onResponse: (usage, billedModel) => bill(billedModel, usage),
        onMessage: (message) => seen.since.push(message),
      });
      const block = forkResultBlock(callId, { ...result, id });
      const where = await worktree?.close();
      const content = [String(block.content), reasonOf(result), where].filter(Boolean).join('\n');
      return { content, state: block.is_error ? 'failed' : 'done' };
    } catch (error) {
      await worktree?.close();
      throw error;
    } finally {
      endProgress?.();
    }
  }

  const offeredTools = () => {
    const tools = (context().lastRequest()?.request.head ?? context().view().head)?.tools ?? [];
    return tools.filter((tool) => !AGENT_TOOLS.includes(String(tool.name)));
  };

  /** A fork's log is that of the conversation up to the answer that started it, and then its own. */
  async function beginTranscript(path: string, reply: Message): Promise<void> {
    let entryId: string | undefined;
    for await (const { entry } of readLog(options.logPath))
      if (entry.type === 'message' && entry.message.id === reply.id) entryId = entry.id;
    if (entryId === undefined)
      throw new Error('The answer that started the fork is not in the log.');
    const at = new Date().toISOString();
    await forkLog(options.logPath, path, { entryId, id: `fork-${entryId}`, at });
  }

  /** Forks of one answer share what they write: the first one writes it, and then the others read it. */
  function warmOf(replyId: string): ReturnType<typeof createWarmUp> {
    if (warm?.replyId !== replyId) warm = { replyId, up: createWarmUp() };
    return warm.up;
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
      const list = textOf(agentListMessage(found.definitions));
      const all: Reminder[] = [];
      if (options.isListed && list !== told)
        all.push({
          text: list,
          told() {
            told = list;
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
      const list = textOf(agentListMessage(found.definitions));
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
      return found;
    },
    /** What a person sees of a task: what a command printed last, or an agent did. */
    shown: (id: string): string => outputs.get(id)?.last() ?? doings.get(id)?.join('\n') ?? '',
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

/** What an agent decides about itself. */
interface OwnState {
  isDismissed?: boolean;
}

export type AgentTeam = ReturnType<typeof createTeam>;

/** Rules of the parent's that hold whatever a definition says: planning stays planning, and all that is allowed stays so. */
function modeOf(asked: string | undefined, parent: PermissionMode): PermissionMode {
  if (parent === 'plan' || parent === 'bypassPermissions')
    return asked === 'plan' ? 'plan' : parent;
  return PERMISSION_MODES.find((mode) => mode === asked) ?? parent;
}

/** A model as definitions name it: by its id, or by a word of it, such as `haiku`. */
function modelIdOf(asked: string | undefined, parent: string): string {
  if (asked === undefined || resolveModel(asked).known) return asked ?? parent;
  const { provider } = resolveModel(parent).model;
  const fits = MODELS.filter(
    (each) => each.provider === provider && each.id.split('-').includes(asked),
  );
  return fits[0]?.id ?? parent;
}

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

const reasonOf = ({ stopReason, error }: ForkResult): string =>
  stopReason === 'failed' && error !== undefined ? `It failed: ${textOfError(error)}` : '';

const textOfError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const MOST_UNREAD = 200_000;
const MOST_SHOWN = 2_000;
const MOST_DOINGS = 20;

const cut = (text: string): string =>
  text.length <= MOST_UNREAD ? text : `[… cut …]\n${text.slice(-MOST_UNREAD)}`;

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
