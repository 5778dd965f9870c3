import { join } from 'node:path';
import { createFork, createWarmUp, type ForkResult } from '@varve/fork-agent';
import { type AgentDefinition, createAgent } from '@varve/fork-agent/definitions';
import { forkResultBlock } from '@varve/fork-agent/hand-back';
import type { Message, Request } from '@varve/messages';
import { MODELS, resolveModel } from '@varve/tokens';
import { forkLog, readLog } from '@varve/transcript/node';
import type { Emit } from '../events.ts';
import { readHooks } from '../hooks/events.ts';
import { effortParams, INTERRUPTED, isEffort, modelsOf } from '../model.ts';
import { PERMISSION_MODES, type PermissionMode } from '../permissions/permissions.ts';
import { environmentText } from '../prompt/blocks.ts';
import { changedFiles } from '../reminders/changed-files.ts';
import { createReminders } from '../reminders/collect.ts';
import { messageOf } from '../shown.ts';
import { findSkills } from '../skills/find.ts';
import { createSkills } from '../skills/skills.ts';
import { createFileCache } from '../tools/files.ts';
import { runChild } from './child.ts';
import { AGENT_TOOLS } from './definitions.ts';
import type { createPost } from './post.ts';
import { watchProgress } from './progress.ts';
import type { OwnState, TaskInput, Team, TeamOptions } from './team.ts';
import { AGENT_RULES } from './texts.ts';
import { createWorktree } from './worktree.ts';

const _MAIN = 'main';

/** What agents of a session are run with, beside what the session gives them. */
export interface AgentRunnerOptions extends TeamOptions {
  readonly post: Pick<ReturnType<typeof createPost>, 'open'>;
  readonly takeNews: (owner: string) => readonly string[];
  /** How the calls of one agent reach others and background work. */
  readonly teamOf: (owner: string, self: string, own: OwnState) => Team;
}

export interface Parent {
  readonly request: Request;
  readonly reply: Message;
  /** Of both. */
  readonly tokens: number;
}

export interface AgentRun {
  readonly id: string;
  readonly type: string;
  readonly input: TaskInput;
  readonly callId: string;
  readonly definition: AgentDefinition | undefined;
  readonly parent: Parent | undefined;
  readonly signal: AbortSignal;
}

/** Requests of one agent at most, where its definition does not say. */
const MOST_TURNS = 200;
const MOST_DOINGS = 20;

/** Runs agents, each in a place, with rules, tools and a log of its own. */
export function createAgentRunner(options: AgentRunnerOptions) {
  const { cwd, folder, emit, facts, connect, later, notice, post, teamOf } = options;
  const context = () => later().context;
  const permissions = () => later().permissions;
  let warm: { readonly replyId: string; readonly up: ReturnType<typeof createWarmUp> } | undefined;
  /** What each agent did last, a line for each call. */
  const doings = new Map<string, string[]>();

  async function run(
    { id, type, input, callId, definition, parent, signal }: AgentRun,
    onProgress: (text: string) => void,
  ): Promise<{ readonly content: string; readonly state: 'done' | 'failed' | 'stopped' }> {
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
        .catch((error: unknown) => notice(`${type}: ${messageOf(error)}`));
    let turn = 1;
    const seen: { sent?: Request; sentMs: number; since: Message[] } = { sentMs: 0, since: [] };
    const model =
      parent?.request.head.model ??
      modelIdOf(definition?.model, context().view().head?.model ?? '');
    const connected = connect(model);
    const models = modelsOf(model, options.windowTokens);
    const billTo = (by: string) => (billedModel: string, usage: ForkResult['usage']) =>
      void context()
        .addUsage({ by, model: billedModel, usage })
        .catch(() => undefined); // the session may have ended
    const bill = billTo(`agent:${type}`);
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
    /** What it wrote last, also where its answer is not whole. */
    let written = '';
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
          return [...said.map(({ text }) => text), ...options.takeNews(id)];
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
        onLost: billTo(INTERRUPTED),
        onText(text) {
          written = text;
        },
        onMessage: (message) => seen.since.push(message),
      });
      const block = forkResultBlock(callId, { ...result, id });
      const where = await worktree?.close();
      const content = [String(block.content), reasonOf(result), where].filter(Boolean).join('\n');
      return { content, state: block.is_error ? 'failed' : 'done' };
    } catch (error) {
      const where = await worktree?.close();
      if (!signal.aborted) throw error;
      const did = doings.get(id)?.join('\n');
      const text = [written, did && `What it did last:\n${did}`].filter(Boolean).join('\n\n');
      const { content } = forkResultBlock(callId, { id, text, stopReason: 'empty' });
      const whole = [`The agent ${id} was stopped.`, String(content), where];
      return { content: whole.filter(Boolean).join('\n'), state: 'stopped' };
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

  return {
    run,
    /** What an agent did last, a line for each call; undefined for others. */
    shown: (id: string): string | undefined => doings.get(id)?.join('\n'),
  };
}

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

const reasonOf = ({ stopReason, error }: ForkResult): string =>
  stopReason === 'failed' && error !== undefined ? `It failed: ${messageOf(error)}` : '';
