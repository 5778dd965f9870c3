import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAbortError } from '@varve/guards';
import { COMMANDS, offeredIn } from './commands/index.ts';
import { createFileList } from './commands/mentions.ts';
import { isCommand, slashIn } from './commands/slash.ts';
import { createDraft, draftPath, type Entered, readDraft, unsaid } from './draft.ts';
import type { AgentEvent } from './events.ts';
import { notify } from './hooks/notify.ts';
import { interrupted, runTurn, type TurnEnd } from './loop.ts';
import { isToRemember, remember } from './memory/remember.ts';
import { type Options, UsageError } from './options.ts';
import { PERMISSION_MODES } from './permissions/permissions.ts';
import { createSession, type Session, sessionFolder } from './session.ts';
import { wishesOf } from './settings/tell.ts';
import { messageOf } from './shown.ts';
import { connectWith, resumedId } from './start.ts';
import { bashTool } from './tools/bash.ts';
import { createFileCache } from './tools/files.ts';
import { clean } from './ui/clean.ts';
import { dollars, tokens } from './ui/describe.ts';
import type { Face, Handlers } from './ui/face.ts';
import { follow, showEarlier } from './ui/follow.ts';
import { EXIT } from './ui/print.ts';

/** `varve`: a conversation with a person, until they leave. Gives the exit code. */
export async function runTerminal(options: Options): Promise<number> {
  if (!options.plain && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new UsageError('This is no terminal: use varve -p "what to do", or --plain.');
  const cwd = process.cwd();
  const connect = connectWith(options);
  connect(options.model); // what is missing is said before anything is drawn
  const first = await resumedId(options, cwd);

  const queue: Entered[] = [];
  /** What was taken from the queue, until it is done: its record may not stand in the log yet. */
  let underWay: readonly Entered[] = [];
  /** What stands in the input, and behind it. */
  let input: readonly string[] = [];
  let wasEntered = false;
  let session: Session | undefined;
  let draft: ReturnType<typeof createDraft> | undefined;
  /** Of what runs now. */
  let stopping: AbortController | undefined;
  /** Of the answer that arrives now. */
  let arrived = '';
  let end: (code: number) => void = () => undefined;
  const left = new Promise<number>((resolve) => {
    end = resolve;
  });
  let working: Promise<void> = Promise.resolve();
  let isLeaving = false;
  /** Nothing that waits is begun any more. */
  let isEnding = false;
  /** Until hooks are told that nobody answers. */
  let idle: NodeJS.Timeout | undefined;

  const handlers: Handlers = {
    submit(text) {
      clearTimeout(idle);
      queue.push(entered(text));
      if (session !== undefined && stopping === undefined) working = workThrough();
      else showQueue();
    },
    typed(texts) {
      input = texts;
      keepUnsent();
    },
    stop() {
      stopping?.abort();
      // what waited is not lost: it can be changed and sent again
      if (queue.length > 0) face.setInput(queue.splice(0).map(({ text }) => text));
      showQueue();
    },
    nextMode() {
      if (session === undefined) return;
      const { permissions } = session;
      const at = PERMISSION_MODES.indexOf(permissions.mode);
      permissions.setMode(PERMISSION_MODES[(at + 1) % PERMISSION_MODES.length] ?? 'default');
      drawFooter();
    },
    leave: (how) =>
      void (how === 'asked'
        ? leave(EXIT.done, { isNow: false })
        : leave(EXIT.interrupted, { isNow: true })),
  };
  const face = await createFace(options, handlers, cwd);
  const shown = follow(face);

  function emit(event: AgentEvent): void {
    if (event.kind === 'text-delta') arrived += event.text;
    if (event.kind === 'reply' || event.kind === 'retry') arrived = '';
    shown.event(event);
    if (event.kind === 'reply' || event.kind === 'results') drawFooter();
  }

  function showQueue(): void {
    face.queued(queue.map(({ text }) => text));
    keepUnsent();
  }

  function keepUnsent(): void {
    draft?.keep({ entered: [...underWay, ...queue], input, wasEntered });
  }

  function entered(text: string): Entered {
    return { text, after: session?.agent.context.entries().at(-1)?.id ?? '' };
  }

  /** What an earlier run was not able to send stands in the input: a person may have thought better of it. */
  function bringBack({ id, agent }: Session): void {
    const before = draft;
    const path = draftPath(sessionFolder({ ...options, cwd }), id);
    const left = readDraft(path);
    const unsent = unsaid(left.entered, agent.context.entries());
    wasEntered = left.wasEntered || unsent.length > 0;
    const texts = [...unsent, ...left.input].filter((each) => each.trim() !== '');
    if (texts.length > 0) {
      face.setInput(texts);
      face.show('What you had typed and not sent stands in the input again.', 'note');
    }
    draft = createDraft(path);
    // what waits goes on in this session, and no command that opened it
    queue.splice(0, queue.length, ...queue.map(({ text }) => entered(text)));
    underWay = [];
    keepUnsent();
    draft.close();
    before?.clear();
  }

  function drawFooter(): void {
    if (session === undefined) return;
    const { context } = session.agent;
    const model = context.view().head?.model ?? options.model;
    const size = context.size().tokens;
    const full = Math.round((100 * size) / context.limits().windowTokens);
    const { mode } = session.permissions;
    face.footer(
      `${model} · ${mode} · ${tokens(size)} tokens (${full} %) · ${dollars(context.usage().dollars)}`,
    );
  }

  async function open(which: { readonly resume?: string; readonly fork?: boolean }): Promise<void> {
    const mode = session?.permissions.mode ?? options.permissionMode;
    await session?.close();
    session = await createSession({
      ...options,
      ...{ cwd, connect, emit, permissionMode: mode },
      ...{ resume: which.resume, fork: which.fork ?? false },
      isWatched: true,
      ask: (question, signal) => face.ask(question, signal),
      askTrust: async (untrusted) => {
        const choices = [
          { value: 'no', label: 'No, leave them out' },
          { value: 'yes', label: 'Yes, until they change' },
        ];
        const title = `Do you trust this folder? Here ${wishesOf(untrusted)}`;
        return (await face.choose(title, choices)) === 'yes';
      },
      steering: { take: takeMessages },
    });
    const how = which.fork ? 'copied to' : which.resume === undefined ? 'new' : 'resumed';
    face.offer(offeredIn(session));
    face.show(`varve · ${basename(cwd)} · ${how} session ${session.id} · /help`, 'note');
    session.agents.tasks.watch(() => {
      if (stopping === undefined) working = workThrough();
    });
    showEarlier(face, session.agent.context.view());
    bringBack(session);
    drawFooter();
  }

  /** Messages that wait, up to the first command among them. */
  function takeMessages(): string[] {
    const end = queue.findIndex(({ text }) => isCommand(text));
    return take(end < 0 ? queue.length : end);
  }

  function take(count: number): string[] {
    const taken = queue.splice(0, count);
    underWay = [...underWay, ...taken];
    for (const { text } of taken) face.show(`\n> ${text}\n`, 'person');
    showQueue();
    return taken.map(({ text }) => text);
  }

  /** Does what a person asked for, one after the other, until nothing waits. */
  async function workThrough(): Promise<void> {
    while ((queue.length > 0 || session?.agents.hasNews()) && !isEnding) {
      stopping = new AbortController();
      face.working('thinking');
      const messages = takeMessages();
      try {
        if (messages.length > 0) await talk(messages.join('\n\n'), stopping.signal);
        else if (queue.length > 0) await runCommand(take(1)[0] as string, stopping.signal);
        else await talk(undefined, stopping.signal); // an agent has answered
      } catch (error) {
        if (isAbortError(error)) {
          shown.stopped();
          face.show('Stopped.', 'warning');
        } else face.show(messageOf(error), 'failure');
      }
      face.endStream();
      const isStopped = isEnding && stopping.signal.aborted;
      if (!isStopped) underWay = []; // else it is kept where it has no record yet
      showQueue();
      drawFooter();
    }
    stopping = undefined;
    face.working('');
    if (session === undefined) return;
    const { hooks } = session.agent;
    clearTimeout(idle);
    idle = setTimeout(() => notify(hooks, 'idle_prompt', 'varve waits for you'), IDLE_MS).unref();
  }

  async function talk(text: string | undefined, signal: AbortSignal): Promise<void> {
    const { agent } = session as Session;
    arrived = '';
    try {
      showEnd(face, await runTurn(agent, text, signal));
    } catch (error) {
      face.endStream();
      await interrupted(agent.context, signal.aborted ? arrived : '');
      throw error;
    }
  }

  async function runCommand(said: string, signal: AbortSignal): Promise<void> {
    const text = said.trim();
    if (text.startsWith('!')) return runShell(text.slice(1).trim(), signal);
    if (isToRemember(text)) {
      const { agent, layers } = session as Session;
      const { context } = agent;
      return face.show(await remember(text, { context, memory: layers.memory }), 'note');
    }
    const { name = '', words = '' } = slashIn(text) ?? {};
    const command = COMMANDS.find((each) => each.name === name);
    if (command === undefined && session?.work.skills.isCall(text)) return talk(text, signal);
    if (command === undefined)
      return face.show(`There is no command /${name}; /help lists them.`, 'warning');
    face.working(`/${name}`);
    await command.run({
      ...{ words, options, cwd, face, signal, open },
      session: session as Session,
      say: (next) => void queue.unshift(entered(next)),
      leave: () => queueMicrotask(() => handlers.leave('asked')), // which waits for this command
    });
  }

  /** A command that the person runs; the model sees it and what it printed with the next message. */
  async function runShell(command: string, signal: AbortSignal): Promise<void> {
    if (command === '') return;
    const wanting = wantsTerminal(command);
    if (wanting !== undefined)
      return face.show(
        `${wanting} wants the terminal for itself, which varve has: run it in another one.`,
        'warning',
      );
    face.working(`Bash ${command}`);
    const { agent } = session as Session;
    const output = await bashTool.run(
      { command },
      {
        ...{ signal, cwd, callId: 'person' },
        files: createFileCache(),
        emit: (event) => {
          if (event.kind === 'call-output') face.stream(event.text, 'plain');
        },
      },
    );
    face.endStream();
    const printed = typeof output === 'string' ? output : new TextDecoder().decode(bytesOf(output));
    const last = printed.slice(printed.lastIndexOf('\n') + 1);
    if (typeof output !== 'string' && output.isError) face.show(last, 'failure');
    const told = `The person ran \`${command}\`, which printed:\n\n${clean(printed)}`;
    await agent.context.user(told, { origin: { kind: 'command', typed: `!${command}` } });
  }

  /** Once what was asked for is done, or at once. */
  async function leave(code: number, { isNow }: { readonly isNow: boolean }): Promise<void> {
    if (isNow) {
      isEnding = true;
      stopping?.abort();
      const limit = wait(LEAVE_MS, undefined, { ref: false });
      await Promise.race([working, limit]);
    } else await working;
    if (isLeaving) return;
    isLeaving = isEnding = true;
    draft?.close();
    await session?.close().catch((error: unknown) => face.show(String(error), 'failure'));
    await face.close();
    end(code);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => handlers.leave('interrupted'));

  /** Opens the session, then does what was asked for meanwhile. */
  async function begin(): Promise<void> {
    await open({ ...(first === undefined ? {} : { resume: first }), fork: options.fork });
    if (options.prompt !== undefined) queue.unshift(entered(options.prompt));
    await workThrough();
  }
  working = begin();
  try {
    await working;
  } catch (error) {
    await face.close();
    throw error;
  }
  return left;
}

/** Programs that draw a screen of their own and wait for keys. */
const WANTS_TERMINAL =
  /^(?:vi|vim|nvim|view|nano|pico|micro|hx|helix|joe|mcedit|mc|top(?!\s+-\w*b)|htop|btop|atop|watch|tmux|screen|ranger|nnn|lazygit|tig|visudo|crontab -e|git (?:rebase (?:-i|--interactive)|add (?:-p|-i|--patch|--interactive)))(?=\s|$)/;

/** The program of a line that cannot run without a terminal; undefined where there is none. */
function wantsTerminal(line: string): string | undefined {
  const commands = line.split(/[|;&\n]+/).map((part) => part.trim());
  const plain = commands.map((each) => each.replace(/^(?:sudo\s+|\w+=\S*\s+)+/, ''));
  return plain.map((each) => WANTS_TERMINAL.exec(each)?.[0]).find((name) => name !== undefined);
}

/** How long varve waits before it says that it waits, in milliseconds. */
const IDLE_MS = 60_000;
/** How long what runs may take to end when a person leaves, in milliseconds. */
const LEAVE_MS = 5_000;

async function createFace(options: Options, handlers: Handlers, cwd: string): Promise<Face> {
  if (options.plain) {
    const { createLines } = await import('./ui/plain.ts');
    return createLines(handlers);
  }
  const { createTerminal } = await import('./ui/terminal.ts');
  const { keepScrollback } = options;
  const files = createFileList(cwd);
  return createTerminal({ handlers, cwd, files, keepScrollback });
}

/** Shows how a turn ended, where its answer does not say it. */
function showEnd(face: Face, end: TurnEnd): void {
  if (end.kind === 'blocked') face.show(end.reason, 'warning');
  if (end.kind === 'refused' && end.text === '')
    face.show('The model refused to answer.', 'warning');
  if (end.kind === 'turn-limit') face.show('The limit of --max-turns is reached.', 'warning');
  if (end.kind === 'cost-limit') face.show('The limit of --max-cost is reached.', 'warning');
}

function bytesOf({ content }: { readonly content: unknown }): Uint8Array {
  return content instanceof Uint8Array ? content : new TextEncoder().encode(String(content));
}
