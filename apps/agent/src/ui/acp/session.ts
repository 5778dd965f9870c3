import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  McpServer,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import { listOf, recordOf } from '@varve/guards';
import { isPerson } from '@varve/messages/persons';
import type { AgentEvent } from '../../events.ts';
import { interrupted, type Prompt, runTurn, type TurnEnd, textOf } from '../../loop.ts';
import type { ConnectedModel } from '../../model.ts';
import type { Options } from '../../options.ts';
import { PERMISSION_MODES } from '../../permissions/permissions.ts';
import { createSession, type Session } from '../../session.ts';
import { titleOf } from '../../session-list.ts';
import { messageOf } from '../../shown.ts';
import { askInEditor } from './ask.ts';
import { type Choices, choicesOf, choose } from './choices.ts';
import { commandIn, commandList, runCommand } from './commands.ts';
import { promptOf } from './content.ts';
import { editorFiles } from './files.ts';
import { createToolCalls } from './tool-calls.ts';
import { createUpdates } from './updates.ts';

export interface AcpSessionOptions {
  readonly options: Options;
  readonly connect: (model: string) => ConnectedModel;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly cwd: string;
  /** Folders beside `cwd`. */
  readonly folders: readonly string[];
  readonly servers: readonly McpServer[];
  readonly resume: string | undefined;
}

/** A session of an editor. */
export interface AcpSession {
  readonly id: string;
  choices(): Choices;
  /** From now on the editor knows the session: what was to be said of it so far is said. */
  begin(): void;
  /** Says all that was said earlier. */
  showHistory(): void;
  /** What is said while a turn runs is heard in it, and ends with it. */
  prompt(content: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason>;
  cancel(): void;
  setMode(mode: string): void;
  setOption(id: string, value: unknown): Promise<void>;
  close(): Promise<void>;
}

/** A prompt that is to be answered. */
interface Asked {
  readonly said: Prompt;
  answer(reason: StopReason): void;
  fail(error: unknown): void;
}

export async function openAcpSession(given: AcpSessionOptions): Promise<AcpSession> {
  const { options, client, capabilities, cwd, resume } = given;
  let session: Session | undefined;
  let id = resume ?? '';
  const sessionId = () => id;
  let shownMode = '';
  let knownChoices = '';
  let hasTitle = false;
  /** What was to be said before the editor knew the session. */
  let early: SessionUpdate[] | undefined = [];
  const waiting: Asked[] = [];
  /** Those that the turn that runs answers. */
  let heard: Asked[] = [];
  let stopping: AbortController | undefined;
  let working: Promise<void> = Promise.resolve();
  /** Of the answer that arrives now, and why the last one ended. */
  let arrived = '';
  let lastStop: string | undefined;

  function send(update: SessionUpdate): void {
    if (early !== undefined) early.push(update);
    else client.notify('session/update', { sessionId: id, update }).catch(() => undefined); // nobody reads on
  }
  const toolCalls = createToolCalls(send, { cwd });
  const updates = createUpdates({
    ...{ send, toolCalls, capabilities },
    context: () => session?.agent.context,
  });

  function emit(event: AgentEvent): void {
    if (event.kind === 'session') id = event.sessionId;
    if (event.kind === 'text-delta') arrived += event.text;
    if (event.kind === 'reply' || event.kind === 'retry') arrived = '';
    if (event.kind === 'reply') lastStop = event.message.response?.stopReason;
    updates.emit(event);
    showMode();
  }

  /** A tool or a command may have changed it, too. */
  function showMode(): void {
    const mode = session?.permissions.mode;
    if (session === undefined || mode === undefined || mode === shownMode) return;
    const isFirst = shownMode === '';
    shownMode = mode;
    if (isFirst) return;
    send({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    showChoices();
  }

  /** What may be chosen, where the editor does not know it yet. */
  function showChoices(): void {
    const before = knownChoices;
    const { configOptions } = choices();
    if (knownChoices !== before) send({ sessionUpdate: 'config_option_update', configOptions });
  }

  function choices(): Choices {
    const now = choicesOf(session as Session, options);
    knownChoices = JSON.stringify(now.configOptions);
    return now;
  }

  session = await createSession({
    ...{ ...options, connect: given.connect, cwd, emit, resume },
    fork: false,
    flagSettings: withEditor(options.flagSettings, given),
    ask: askInEditor({ client, sessionId, toolCalls }),
    editor: editorFiles({ client, capabilities, sessionId }),
    steering: { take: () => hear().map(({ said }) => said) },
  });
  const { agent } = session;
  shownMode = session.permissions.mode;
  hasTitle = agent.context.view().messages.some(isPerson);

  /** Prompts that wait, up to the first command among them. */
  function hear(): Asked[] {
    const end = waiting.findIndex(({ said }) => commandIn(said) !== undefined);
    const taken = waiting.splice(0, end < 0 ? waiting.length : end);
    heard.push(...taken);
    return taken;
  }

  async function workThrough(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      heard = [next];
      stopping = new AbortController();
      try {
        const reason = await answer(next.said, stopping.signal);
        for (const asked of heard) asked.answer(reason);
      } catch (error) {
        for (const asked of heard) asked.fail(error);
      }
    }
    stopping = undefined;
  }

  async function answer(said: Prompt, signal: AbortSignal): Promise<StopReason> {
    const command = commandIn(said);
    arrived = '';
    lastStop = undefined;
    try {
      if (command !== undefined) {
        await runCommand(command, { session: session as Session, options, cwd, signal, updates });
        return 'end_turn';
      }
      tellTitle(said);
      const end = await runTurn(agent, said, signal);
      const text = wordsOf(end);
      if (text !== '') updates.tell(text, 'warning');
      return stopReasonOf(end, lastStop);
    } catch (error) {
      if (command === undefined) await interrupted(agent.context, signal.aborted ? arrived : '');
      if (signal.aborted) return 'cancelled';
      const message = messageOf(error);
      throw RequestError.internalError({ details: message }, message);
    } finally {
      updates.ended();
      showMode();
      if (command !== undefined) showChoices();
      send({ sessionUpdate: 'session_info_update', updatedAt: new Date().toISOString() });
    }
  }

  function tellTitle(said: Prompt): void {
    if (hasTitle) return;
    hasTitle = true;
    const text = typeof said === 'string' ? said : textOf({ content: said.slice(0, 1) });
    send({ sessionUpdate: 'session_info_update', title: titleOf(text) });
  }

  function cancel(): void {
    stopping?.abort();
    for (const asked of waiting.splice(0)) asked.answer('cancelled');
  }

  return {
    ...{ id, choices, cancel },
    begin() {
      const held = early ?? [];
      early = undefined;
      send({ sessionUpdate: 'available_commands_update', availableCommands: commandList(session) });
      for (const update of held) send(update);
      updates.usage();
    },
    showHistory() {
      const held = early ?? [];
      early = undefined;
      updates.history(agent.context, session.work.todos.list());
      early = held;
    },
    async prompt(content, signal) {
      const said = promptOf(content, cwd);
      return new Promise<StopReason>((answer, fail) => {
        const asked: Asked = { said, answer, fail };
        waiting.push(asked);
        signal.addEventListener('abort', () => {
          if (heard.includes(asked)) return stopping?.abort();
          waiting.splice(waiting.indexOf(asked), 1);
          answer('cancelled');
        });
        if (stopping === undefined) working = workThrough();
      });
    },
    setMode(mode) {
      const known = PERMISSION_MODES.find((each) => each === mode);
      if (known === undefined) throw RequestError.invalidParams({ mode }, 'There is no such mode.');
      session.permissions.setMode(known);
      shownMode = mode;
      showChoices(); // the other place where it is shown
    },
    async setOption(optionId, value) {
      if (!(await choose(session, options, { id: optionId, value })))
        throw RequestError.invalidParams(
          { [optionId]: value },
          'There is nothing like it to choose.',
        );
      if (session.permissions.mode === shownMode) return updates.usage();
      shownMode = session.permissions.mode;
      send({ sessionUpdate: 'current_mode_update', currentModeId: shownMode });
    },
    async close() {
      cancel();
      await working;
      await session.close();
    },
  };
}

/** Folders and MCP servers of the editor, beside those of the flags. */
function withEditor(
  settings: Options['flagSettings'],
  { folders, servers }: Pick<AcpSessionOptions, 'folders' | 'servers'>,
): Options['flagSettings'] {
  if (folders.length + servers.length === 0) return settings;
  const permissions = recordOf(settings?.permissions);
  const additionalDirectories = [...listOf(permissions.additionalDirectories), ...folders];
  const added = servers.map((server) => [server.name, serverOf(server)] as const);
  return {
    ...settings,
    permissions: { ...permissions, additionalDirectories },
    mcpServers: { ...recordOf(settings?.mcpServers), ...Object.fromEntries(added) },
  };
}

/** A server as `.mcp.json` has it. */
function serverOf(server: McpServer): object {
  const fields = (list: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));
  if ('command' in server) return { ...server, env: fields(server.env) };
  return { ...server, headers: fields(server.headers) };
}

function stopReasonOf({ kind }: TurnEnd, lastStop: string | undefined): StopReason {
  switch (kind) {
    case 'refused':
      return 'refusal';
    case 'turn-limit':
    case 'cost-limit':
      return 'max_turn_requests';
    case 'done':
      return lastStop === 'max_tokens' ? 'max_tokens' : 'end_turn';
    case 'blocked':
      return 'end_turn';
  }
}

/** Why a turn ended, where its answer does not say it. */
function wordsOf(end: TurnEnd): string {
  if (end.kind === 'blocked') return end.reason;
  if (end.kind === 'turn-limit') return 'The limit of --max-turns is reached.';
  if (end.kind === 'cost-limit') return 'The limit of --max-cost is reached.';
  return end.kind === 'refused' && end.text === '' ? 'The model refused to answer.' : '';
}
