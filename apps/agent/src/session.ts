import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { restore } from '@varve/compact';
import { type CallModel, type Context, createContext } from '@varve/context';
import { codeOf, isRecord } from '@varve/guards';
import type { Entry, Head, Message } from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import type { ToolStorage } from '@varve/tool-storage';
import { forkLog, openLog, projectSlug, readLog, readThread } from '@varve/transcript/node';
import { type AgentTeam, createTeam } from './agents/create-team.ts';
import { findAgents } from './agents/definitions.ts';
import { draftPath, readDraft } from './draft.ts';
import type { Emit } from './events.ts';
import { hookedCompaction } from './hooks/compaction.ts';
import { createHooks, type Hooks, type HooksOptions } from './hooks/hooks.ts';
import { notifying } from './hooks/notify.ts';
import { createInstructions, isInstruction, NO_INSTRUCTIONS } from './instructions/instructions.ts';
import { sentOf } from './instructions/sent.ts';
import { type LayerOptions, type Layers, openLayers } from './layers.ts';
import { type Agent, type Limits, textOf } from './loop.ts';
import type { Mcp } from './mcp/mcp.ts';
import { startServers } from './mcp/start.ts';
import { memoryAccess } from './memory/memory.ts';
import {
  answerTokens,
  createCall,
  type Effort,
  effortOf,
  effortParams,
  INTERRUPTED,
  modelsOf,
  type OnLost,
} from './model.ts';
import { noteOf, type WriteNote } from './notes.ts';
import { createPermissions } from './permissions/decide.ts';
import type { Ask, PermissionMode, Permissions } from './permissions/permissions.ts';
import { forbidsFile, READERS, type Rule, readRule, searchGlob } from './permissions/rules.ts';
import { withFile } from './permissions/with-file.ts';
import { systemPrompt } from './prompt/blocks.ts';
import { factsNote, factsOf, takeFacts } from './prompt/facts.ts';
import { reminderMessage } from './prompt/reminder.ts';
import { createReminders } from './reminders/collect.ts';
import { createWork, type Work } from './reminders/work.ts';
import { createRounds } from './rounds.ts';
import { chosenOf } from './settings/chosen.ts';
import { type LoadedSettings, type LoadSettingsOptions, loadSettings } from './settings/load.ts';
import { saveAnswer, warnOf } from './settings/tell.ts';
import { shown } from './shown.ts';
import { type OnTelemetry, telemetryOf } from './telemetry.ts';
import { createFileCache, type OpenFiles, readIfThere } from './tools/files.ts';
import { storedTool, TOOLS } from './tools/index.ts';
import { createTools, type ToolsOptions } from './tools/tool.ts';

type Log = Awaited<ReturnType<typeof openLog>>;

export interface SessionOptions extends LayerOptions {
  readonly shell: string;
  /** Whether `model` is what was asked for; else settings may name another. @default true */
  readonly isModelGiven?: boolean | undefined;
  /** @default that of the settings, or `default` */
  readonly permissionMode?: PermissionMode | undefined;
  /** Trusts what the settings of the folder want to run and to allow, as they are now. @default false */
  readonly trusts?: boolean | undefined;
  /** Where other tools keep the settings of a person. @default the home folder */
  readonly home?: string | undefined;
  /** Asks whether to trust them. @default they are left out */
  readonly askTrust?: LoadSettingsOptions['askTrust'];
  /** More settings, above those of the project and of the person. */
  readonly flagSettings?: Readonly<Record<string, unknown>> | undefined;
  /** Asks a person before a call runs. @default nobody can be asked */
  readonly ask?: Ask | undefined;
  /** The editor that has files open. @default there is none */
  readonly editor?: OpenFiles | undefined;
  /** Told what layers, permissions and hooks did. @default a file, where there is one */
  readonly onTelemetry?: OnTelemetry | undefined;
  readonly telemetryFile?: string | undefined;
  /** What a person typed while a turn ran. @default nothing */
  readonly steering?: Agent['steering'] | undefined;
  /** The session to go on with, by its id. @default a new one */
  readonly resume?: string | undefined;
  /** Goes on in a new session, and leaves the one that is resumed as it is. @default false */
  readonly fork?: boolean | undefined;
  readonly limits?: Limits | undefined;
  readonly ownPrompt?: string | undefined;
  readonly appended?: string | undefined;
  /** Tokens, for a window that is smaller than that of the model. */
  readonly windowTokens?: number | undefined;
  /** How other sessions of the folder call this one in messages. @default they cannot */
  readonly name?: string | undefined;
  /** Whether somebody watches what agents do, so that they are asked for it from time to time. @default false */
  readonly isWatched?: boolean | undefined;
}

/** A conversation over a log on disk, and how to end it. */
export interface Session {
  readonly id: string;
  readonly agent: Agent;
  readonly permissions: Permissions;
  /** Undefined where results go in as they are. */
  readonly storage: ToolStorage | undefined;
  readonly layers: Layers;
  readonly settings: LoadedSettings;
  /** Writes summaries of what a person has folded. */
  readonly summarize: CallModel;
  /** Skills, plan and list of the session. */
  readonly work: Work;
  readonly mcp: Mcp;
  readonly agents: AgentTeam;
  /** Goes on with another model. */
  setModel(model: string): Promise<void>;
  /** How much the model thinks from now on; undefined for what it does by itself. */
  setEffort(effort: Effort | undefined): Promise<void>;
  close(): Promise<void>;
}

export async function createSession(given: SessionOptions): Promise<Session> {
  const { cwd, configDir, shell, ask, resume } = given;
  const names = TOOLS.map(({ name }) => name);
  const surroundings = () => takeFacts(cwd, shell, Date.now());
  const fresh = resume === undefined ? surroundings() : undefined; // asked for while settings are read
  const loaded = await loadSettings({
    ...{ ...given, flags: given.flagSettings, tools: names },
    sentOf: (project) => sentOf({ ...given, ...project, isSimple: given.simple ?? false }),
  });
  const { settings, root } = loaded;
  const { model, style, problems } = chosenOf(given, loaded);
  const options: SessionOptions = { ...given, model };
  const mode = options.permissionMode ?? settings.mode ?? 'default';
  const folder = sessionFolder(options);
  const { id, log, entries } = await openSession(folder, options);
  let started: Mcp | undefined;
  try {
    let telemetry: Emit | undefined;
    const emit: Emit = (event) => {
      options.emit(event);
      telemetry?.(event);
    };
    const known = factsOf(entries);
    const facts = known ?? { ...(await (fresh ?? surroundings())), style };
    const files = createFileCache(options);
    const notice = (text: string) => emit({ kind: 'notice', level: 'warning', text });
    const note: WriteNote = (data) => context.note({ by: 'agent', data });
    const work = createWork({
      settings: { ...options, flags: options.flagSettings },
      ...{ root, isCompatible: loaded.isCompatible, mode, files, entries, note, notice },
      later: () => ({ hooks, permissions, context }),
    });
    const tell: Emit = (event) => {
      if (event.kind === 'call-end') reminders.touched(event.call);
      work.seen(event);
      emit(event);
    };
    const hiding = settings.deny.filter(({ tool }) => READERS.has(tool));
    const hidden = hiding.flatMap((rule) => searchGlob(rule, cwd) ?? []);
    let connected = options.connect(model);
    const { params } = connected;
    const client = () => connected.client;
    const layers = await openLayers({
      ...{
        options: { ...options, emit },
        settings,
        folder,
        entries,
        client,
        sessionId: id,
        bases: basesOf(entries),
      },
      context: () => context,
      instructions: () => instructionsOf(cwd).initial(),
    });
    const { storage, memory, switches } = layers;
    const storedOf = () => storage && { tool: storage.readTool.name, results: storage.stored() };
    const env = { ...process.env, ...settings.env };
    started = await startServers({
      ...{ loaded, entries, cwd, emit, note },
      ...{ environment: env, context: () => context },
    });
    const mcp = started;
    const agents = createTeam({
      ...{ cwd, sessionId: id, folder: join(folder, id), logPath: logPath(folder, id), entries },
      ...{ emit, facts, storage, files, notice, toolsOf, hooksOf, permissionsOf, instructionsOf },
      ...{ mailFolder: join(folder, 'mail'), name: options.name, connect: options.connect },
      ...{ windowTokens: options.windowTokens, percent: options.compactPercent },
      progressSeconds: settings.progressSeconds ?? (options.isWatched ? 30 : 0),
      isListed: switches['agentList.asMessage'],
      dollars: options.limits?.dollars,
      skillsIn: { cwd, configDir, home: options.home, root, isCompatible: loaded.isCompatible },
      find: () =>
        findAgents({
          ...{ cwd, root, configDir, home: options.home, isCompatible: loaded.isCompatible },
          ...{ settings: settings.agents, isTrusted: loaded.untrusted === undefined },
        }),
      later: () => ({ context, permissions }),
    });
    const given = [...agents.tools(TOOLS), ...mcp.tools];
    function toolsOf({ storage: stored, ...own }: OwnTools) {
      const added = stored === undefined ? [] : [storedTool(stored)];
      return createTools({
        ...{ tools: given, added, find: mcp.find, env: settings.env, hidden },
        mayReachOwn: ({ href }) => permissions.names(href),
        ...own,
      });
    }
    const tools = toolsOf({
      ...{ cwd, files, emit: tell, storage, team: agents.team },
      ...{ skills: work.skills, plan: work.plan },
    });
    const onLost: OnLost = (billed, usage) =>
      void context.addUsage({ by: INTERRUPTED, model: billed, usage }).catch(() => undefined); // the session may have ended
    const summarize = createCall({
      ...{ client, emit, isShown: false },
      onLost: (...lost) => lost[2].isTold || onLost(...lost), // a compaction counts what failed by itself
    });
    const resumedFrom = lastReply(entries);
    const providerId = (last = resumedFrom) => idFor(headOf(context).model, last);
    const context = createContext({
      ...{ model, params, storage, log, entries },
      ...layers.context,
      models: modelsOf(model, options.windowTokens),
      maxOutputTokens: answerTokens(model, options.windowTokens),
      system: systemPrompt({ ...options, facts }),
      tools: tools.definitions,
      call: createCall({ client, emit, onLost, compareWith: providerId }),
      compaction: hookedCompaction(
        {
          ...layers.compaction,
          summarize,
          async restore(given) {
            const had = { reads: files.paths(), stored: storedOf(), ...work.toRestore() };
            const readFile = async (path: string) =>
              (await files.open(path)) ?? (await readIfThere(path));
            const back = await restore(had, { ...given, readFile });
            const signal = given.signal ?? new AbortController().signal;
            const texts = [...(await reminders.again(signal)), ...(await mcp.afterSummary())];
            return { ...back, messages: [...texts.map(reminderMessage), ...back.messages] };
          },
        },
        () => hooks,
      ),
      cleanUp: [
        ({ restoredFiles }) => files.keep(restoredFiles),
        () => reminders.check(),
        ({ by }) => mcp.check(by),
        work.check,
        agents.check,
      ],
      onEvent: (event) => emit({ kind: 'layer', event }),
    });
    const { model: kept } = headOf(context); // a session keeps the model it was switched to
    if (kept !== model) connected = options.connect(kept);
    if (known === undefined) await context.note(factsNote(facts));
    await layers.begin();
    telemetry = telemetryOf(options, { switches, context, mode: () => permissions.mode });
    await context.closeRound('The program was ended before this call gave a result.');
    function hooksOf({ more = [], ...own }: OwnHooks): Hooks {
      return createHooks({
        ...{ hooks: [...settings.hooks, ...more], cwd, emit, projectDir: root, sessionId: id },
        ...{ env, transcriptPath: logPath(folder, id) },
        ...own,
      });
    }
    const hooks: Hooks = hooksOf({
      permissionMode: () => permissions.mode,
      parse: (call, input) => {
        const parsed = tools.parse({ type: 'tool_use', id: call.id, name: call.name, input });
        return parsed.kind === 'refused' ? parsed.reason : parsed.call;
      },
    });
    function permissionsOf(own: { readonly cwd: string; readonly mode: PermissionMode }) {
      return createPermissions({
        ...{ ...own, askPerson: ask && notifying(withFile(ask, { ...own, files }), () => hooks) },
        copyOf: own.cwd === cwd ? [] : [cwd],
        allow: [
          ...settings.allow,
          ...allowedRules(entries, cwd),
          ...(memory?.isOn ? memoryAccess(memory.path, cwd) : []),
        ],
        ...{ ask: settings.ask, deny: settings.deny },
        folders: settings.folders,
        async onAllowed(answer) {
          await note({ kind: 'allowed', rule: answer.rule });
          saveAnswer(answer, loaded, notice);
          work.settingsSaved();
        },
      });
    }
    const permissions = permissionsOf({ cwd, mode });
    function instructionsOf(place: string) {
      if (!switches.instructions) return NO_INSTRUCTIONS;
      return createInstructions({
        ...{ cwd: place, root: place === cwd ? root : place, configDir, home: options.home },
        isCompatible: loaded.isCompatible,
        isDenied: (path) =>
          hiding.some((rule) => rule.specifier !== undefined && forbidsFile(rule, path, place)),
        onSkip: (path, why) => notice(`${shown(path)} is not read as instructions: ${why}.`),
      });
    }
    const reminders = createReminders({
      ...{ hooks, date: facts.date, notice, instructions: instructionsOf(cwd) },
      producers: [agents.producer, ...work.producers, mcp.producer],
      isInstructed: entries.some(isInstructedNote),
      isStillThere: () =>
        !switches.instructions ||
        context.view().messages.some((message) => isInstruction(textOf(message))),
      onInstructed: () => note({ kind: 'instructions' }),
    });
    const rounds = createRounds({ tools, permissions, hooks, emit: tell });
    const isResumed = resume !== undefined;
    const toolNames = [...given, ...(storage === undefined ? [] : [storage.readTool])].map(
      ({ name }) => name,
    );
    const session = {
      sessionId: id,
      cwd,
      model,
      tools: toolNames,
      mcpServers: mcp.servers.map(({ name, status }) => ({ name, status })),
      permissionMode: mode,
      isResumed,
    };
    emit({ kind: 'session', ...session });
    warnOf(loaded, notice);
    problems.forEach(notice);
    const source = !isResumed ? 'startup' : options.fork ? 'fork' : 'resume';
    await hooks.tell('SessionStart', source, { source, model });
    return {
      id,
      agent: {
        ...{ context, rounds, emit, hooks, reminders, limits: options.limits ?? {} },
        steering: options.steering ?? { take: () => [] },
        background: layers,
      },
      ...{ permissions, storage, work, mcp, layers, agents, summarize, settings: loaded },
      async setModel(next) {
        const other = options.connect(next);
        const system = systemPrompt({ ...options, model: next, facts });
        const effort = effortOf(headOf(context).params);
        const params = { ...other.params, ...effortParams(next, effort) };
        await context.setHead({ model: next, params, system });
        connected = other;
      },
      async setEffort(effort) {
        const params = { ...connected.params, ...effortParams(headOf(context).model, effort) };
        await context.setHead({ params });
      },
      async close() {
        await agents.close();
        await hooks.tell('SessionEnd', 'other', { reason: 'other' });
        await hooks.close();
        await mcp.close();
        await layers.close();
        await log.close();
      },
    };
  } catch (error) {
    await started?.close();
    await log.close();
    throw error;
  }
}

/** The newest answer of a log. */
const lastReply = (entries: readonly Entry[]): Message['response'] => {
  const last = entries.findLast((entry) => entry.type === 'message' && entry.message.response);
  return last?.type === 'message' ? last.message.response : undefined;
};

/** The id that the provider of a model gave an answer: it knows none of another one. */
const idFor = (model: string, last: Answered | undefined): string | null =>
  last !== undefined && providerOf(last.model) === providerOf(model) ? last.id : null;

type Answered = Pick<NonNullable<Message['response']>, 'id' | 'model'>;

const providerOf = (model: string) => resolveModel(model).model.provider;

const headOf = (context: Context): Head => context.view().head as Head;

type OwnTools = Pick<ToolsOptions, 'cwd' | 'files' | 'emit' | 'team' | 'skills' | 'plan'> & {
  readonly storage: ToolStorage | undefined;
};

type OwnHooks = Pick<HooksOptions, 'permissionMode' | 'parse'> &
  Partial<Pick<HooksOptions, 'agent' | 'cwd'>> & { readonly more?: HooksOptions['hooks'] };

const isInstructedNote = (entry: Entry): boolean => noteOf(entry).kind === 'instructions';

/** Rules that a person allowed earlier in the session. */
const allowedRules = (entries: readonly Entry[], cwd: string): Rule[] =>
  entries.flatMap((entry) => {
    const { kind, rule } = noteOf(entry);
    if (kind !== 'allowed' || typeof rule !== 'string') return [];
    const read = readRule(rule, cwd);
    return read.kind === 'rule' ? [read.rule] : [];
  });

/** Where the sessions of a project are. */
export const sessionFolder = ({
  configDir,
  cwd,
}: Pick<SessionOptions, 'configDir' | 'cwd'>): string =>
  join(configDir, 'projects', projectSlug(cwd) ?? 'root');

interface OpenSession {
  readonly id: string;
  readonly log: Log;
  readonly entries: readonly Entry[];
}

async function openSession(
  folder: string,
  { resume, fork = false }: SessionOptions,
): Promise<OpenSession> {
  const id = resume === undefined || fork ? randomUUID() : resume;
  const path = logPath(folder, id);
  if (resume !== undefined && fork) await beginFork(logPath(folder, resume), path);
  const entries: Entry[] = [];
  const log = await openLog(path, { onEntry: (entry) => void entries.push(entry) });
  if (basesOf(entries).length === 0) return { id, log, entries };
  const thread: Entry[] = [];
  for await (const { entry } of readThread(path)) thread.push(entry);
  return { id, log, entries: thread };
}

async function beginFork(base: string, path: string): Promise<void> {
  let last = '';
  for await (const { entry } of readLog(base)) last = entry.id;
  const at = new Date().toISOString();
  await forkLog(base, path, { entryId: last, id: `fork-${randomUUID()}`, at });
}

/** Ids of the sessions that a session was forked from: results that they stored can be read. */
const basesOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.type !== 'note' || entry.by !== 'transcript' || !isRecord(entry.data)) return [];
    const { base } = entry.data;
    return isRecord(base) && typeof base.path === 'string' ? [base.path.replace(ENDING, '')] : [];
  });

const ENDING = /\.jsonl$/;
export const logPath = (folder: string, id: string): string => join(folder, `${id}.jsonl`);

/** Ids of the sessions of a folder in which something was said, or was to be when a kill came, the newest first. */
export async function listSessions(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const logs = await Promise.all(
    names
      .filter((name) => ENDING.test(name))
      .map(async (name) => ({ name, changedMs: (await stat(join(folder, name))).mtimeMs })),
  );
  const newest = logs.sort((one, other) => other.changedMs - one.changedMs);
  const ids: string[] = [];
  for (const { name } of newest) {
    const id = name.replace(ENDING, '');
    const { entered, wasEntered } = readDraft(draftPath(folder, id));
    if (entered.length > 0 || wasEntered || (await hasMessages(join(folder, name)))) ids.push(id);
  }
  return ids;
}

async function hasMessages(path: string): Promise<boolean> {
  for await (const { entry } of readThread(path)) if (entry.type === 'message') return true;
  return false;
}
