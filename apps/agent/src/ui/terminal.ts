import {
  type AutocompleteProvider,
  CombinedAutocompleteProvider,
  type Component,
  Container,
  Editor,
  fuzzyFilter,
  Input,
  isKeyRelease,
  matchesKey,
  ProcessTerminal,
  SelectList,
  type SlashCommand,
  Spacer,
  Text,
  TuiMainScreen,
  truncateToWidth,
} from '@earendil-works/pi-tui';
import { untilAborted } from '@varve/guards';
import { isCommand } from '../commands/slash.ts';
import type { Answer, Question } from '../permissions/permissions.ts';
import { visible } from '../shown.ts';
import { changeAsked } from './change.ts';
import { clean, oneLine } from './clean.ts';
import { askedText, planIn, seconds } from './describe.ts';
import type { Choice, Face, Handlers } from './face.ts';
import { createTranscript, style } from './render.ts';

export interface TerminalOptions {
  readonly handlers: Handlers;
  /** Paths completed behind `@`, relative to the folder of the session. */
  readonly files: () => Promise<readonly string[]>;
  readonly cwd: string;
  /**
   * Leaves the terminal's scrollback alone when its size changes: what is drawn anew then stands there twice, and nothing that
   * was there before is lost. @default false
   */
  readonly keepScrollback?: boolean | undefined;
}

/** What is shown in place of the editor, or above it. */
type Asking = 'question' | 'choice' | 'reason';

/** Ctrl-C leaves if it is pressed again within this time, in milliseconds. */
const AGAIN_MS = 2_000;
const MOST_COMPLETIONS = 20;
/** What comes within this time of a sign that was typed is typing, and no answer to a question, in milliseconds. */
const TYPING_MS = 1_000;
/** Lines of a command within the question; a longer one stands above it, whole. */
const MOST_SHOWN = 10;

/** The screen of a conversation: text above, left to the scrollback of the terminal; an editor below. */
export function createTerminal(options: TerminalOptions): Face {
  const { handlers, cwd } = options;
  const tui = new TuiMainScreen(terminalOf(options));
  const transcript = createTranscript();
  const [work, queue] = [new Text('', 0, 0), new Text('', 0, 0)];
  const bottom = new Container();
  const editor = new Editor(tui, EDITOR_THEME);
  let doing: { readonly text: string; readonly sinceMs: number } | undefined;
  let asking: Asking | undefined;
  let typedAtMs = Number.NEGATIVE_INFINITY;
  let [footerText, armedAt] = ['', Number.NEGATIVE_INFINITY];
  const footer: Component = {
    render(width) {
      const isArmed = performance.now() - armedAt < AGAIN_MS;
      return [truncateToWidth(style.dim(isArmed ? 'Ctrl-C again leaves' : footerText), width)];
    },
    invalidate: () => undefined,
  };

  bottom.addChild(editor);
  for (const part of [transcript, work, queue, bottom, footer]) tui.addChild(part);
  editor.onSubmit = (text) => {
    typedAtMs = Number.NEGATIVE_INFINITY;
    if (text.trim() === '') return;
    editor.addToHistory(text);
    handlers.submit(text);
  };

  /** What comes into the editor when nothing stands in it any more, one after the other. */
  let behind: readonly string[] = [];
  editor.onChange = (text) => {
    handlers.typed([editor.getExpandedText(), ...behind]);
    if (text === '' && behind.length > 0) queueMicrotask(nextInput); // what is sent is sent first
  };

  function nextInput(): void {
    const [next, ...rest] = behind;
    if (next === undefined || editor.getText() !== '') return;
    behind = rest;
    editor.setText(next);
    drawQueue();
  }

  let waiting: readonly string[] = [];
  function drawQueue(): void {
    const lines = [
      ...waiting.map((text) => `⏎ ${oneLine(text)}`),
      ...behind.map((text) => `↳ ${oneLine(text)}`),
    ];
    queue.setText(lines.map(style.dim).join('\n'));
    draw();
  }

  function draw(): void {
    collapse();
    tui.requestRender();
  }

  /** Takes old lines out of what is drawn, and out of what the renderer remembers to have drawn. */
  function collapse(): void {
    if (!transcript.isLong()) return;
    const drawn = tui.captureRenderState();
    const width = tui.terminal.columns;
    if (drawn.previousWidth !== width || drawn.previousHeight !== tui.terminal.rows) return;
    const rows = transcript.collapse(width, drawn.previousViewportTop);
    tui.restoreRenderState({
      ...drawn,
      previousLines: drawn.previousLines.slice(rows),
      cursorRow: drawn.cursorRow - rows,
      hardwareCursorRow: drawn.hardwareCursorRow - rows,
      maxLinesRendered: drawn.maxLinesRendered - rows,
      previousViewportTop: drawn.previousViewportTop - rows,
    });
  }

  function drawWork(): void {
    work.setText(style.dim(oneLine(workText(), 400)));
    draw();
  }

  function workText(): string {
    if (asking === 'choice') return 'Esc chooses nothing';
    if (asking === 'reason') return '● waiting for you · Esc goes back to the question';
    if (doing === undefined) return '';
    if (asking === 'question') return '● waiting for you · Esc stops';
    const took = performance.now() - doing.sinceMs;
    return `● ${doing.text}${took < 1_000 ? '' : ` · ${seconds(took)}`} · Esc stops`;
  }
  const clock = setInterval(() => {
    if (doing !== undefined) drawWork();
  }, 1_000);

  function controlC(): void {
    const isAgain = performance.now() - armedAt < AGAIN_MS;
    armedAt = performance.now();
    setTimeout(draw, AGAIN_MS).unref();
    if (isAgain) handlers.leave('interrupted');
    else if (doing !== undefined) handlers.stop();
    else editor.setText('');
    draw();
  }

  tui.addInputListener((data) => {
    if (isKeyRelease(data)) return undefined;
    const consume = (act: () => void) => {
      act();
      return { consume: true };
    };
    if (matchesKey(data, 'ctrl+c')) return consume(controlC);
    armedAt = Number.NEGATIVE_INFINITY; // another key came between
    if (matchesKey(data, 'shift+tab')) return consume(handlers.nextMode);
    const isEsc = matchesKey(data, 'escape') && !editor.isShowingAutocomplete();
    if (isEsc && doing !== undefined && asking !== 'choice' && asking !== 'reason')
      return consume(handlers.stop);
    if (matchesKey(data, 'ctrl+d') && doing === undefined && editor.getText() === '')
      return consume(() => handlers.leave('asked'));
    if (matchesKey(data, 'ctrl+z') && process.platform !== 'win32') return consume(suspend);
    if (asking === undefined && matchesKey(data, 'up') && !editor.isShowingAutocomplete())
      return consume(goUp);
    const isTyping = performance.now() - typedAtMs < TYPING_MS;
    if (asking === 'question' && (isTyping || (isTyped(data) && !isDigit(data)))) {
      typedAtMs = performance.now();
      return consume(() => {
        editor.handleInput(data);
        tui.requestRender();
      });
    }
    if (asking === undefined && isTyped(data)) typedAtMs = performance.now();
    return undefined;
  });

  /** An earlier message is gone on with at its end, where it is one line. */
  function goUp(): void {
    const before = editor.getText();
    editor.handleInput(KEYS.up);
    const text = editor.getText();
    if (text !== before && !text.includes('\n')) editor.handleInput(KEYS.lineEnd);
    tui.requestRender();
  }

  function suspend(): void {
    tui.stop();
    process.once('SIGCONT', () => {
      tui.start();
      tui.requestRender(true);
    });
    process.kill(process.pid, 'SIGTSTP');
  }

  /** What was typed and not sent, below a question. */
  const draft: Component = {
    render: (width) => (editor.getText() === '' ? [] : editor.render(width)),
    invalidate: () => editor.invalidate(),
  };

  function put(component: Component): void {
    bottom.clear();
    bottom.addChild(component);
    if (asking === 'question') bottom.addChild(draft);
    tui.setFocus(component);
    drawWork();
  }

  /** Shows something in place of the editor until it is answered; one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  function dialog<Result>(
    show: (done: (result: Result) => void) => Component,
    kind: Asking,
    signal?: AbortSignal,
  ): Promise<Result> {
    const run = async () => {
      signal?.throwIfAborted();
      asking = kind;
      try {
        const answered = () => new Promise<Result>((resolve) => put(show(resolve)));
        return await untilAborted(answered, signal);
      } finally {
        asking = undefined;
        put(editor);
      }
    };
    const result = last.then(run, run);
    last = result;
    return result;
  }

  tui.setFocus(editor);
  tui.start();

  return {
    show(text, tone) {
      transcript.add(text, tone);
      draw();
    },
    stream(text, tone) {
      transcript.stream(text, tone);
      draw();
    },
    endStream() {
      transcript.endStream();
      draw();
    },
    working(text) {
      if (text !== doing?.text)
        doing = text === '' ? undefined : { text, sinceMs: performance.now() };
      drawWork();
    },
    queued(texts) {
      waiting = texts;
      drawQueue();
    },
    footer(text) {
      footerText = oneLine(text, 400);
      draw();
    },
    async ask(question, signal) {
      const plan = planIn(question.call);
      if (plan !== undefined) this.show(plan, 'answer');
      const asked = askedText(question.call);
      if (plan === undefined && asked.split('\n').length > MOST_SHOWN) this.show(asked, 'plain');
      const show = (done: (answer: Answer | 'no') => void) => questionOf(question, done);
      for (;;) {
        const answer = await dialog(show, 'question', signal);
        if (answer !== 'no') return answer;
        const reason = await dialog(reasonInput, 'reason', signal);
        if (reason !== undefined)
          return { kind: 'no', reason: reason.trim() || 'The person said no.' };
      }
    },
    choose: (title, choices) =>
      dialog((done) => listOf(title, choices, (choice) => done(choice?.value)), 'choice'),
    offer(commands) {
      const offered = commands.map(({ name, hint, about }) => ({
        ...{ name, description: oneLine(about) },
        ...(hint === undefined ? {} : { argumentHint: hint }),
      }));
      editor.setAutocompleteProvider(completions(offered, cwd, options.files));
    },
    setInput(texts) {
      const given = texts.map((text) => clean(text.replace(/\r\n?/g, '\n')));
      const typed = editor.getExpandedText();
      const [only = '', ...others] = given;
      const isJoined = others.length === 0 && !isCommand(only) && !isCommand(typed);
      if (typed !== '' && isJoined) editor.setText(`${only}\n\n${typed}`);
      else behind = [...given, ...behind]; // nobody's typing goes on in another text
      handlers.typed([editor.getExpandedText(), ...behind]);
      nextInput();
      drawQueue();
    },
    async close() {
      clearInterval(clock);
      doing = undefined;
      for (const part of [work, queue, footer]) tui.removeChild(part);
      tui.removeChild(bottom);
      tui.addChild(new Spacer(1)); // the line that the shell goes on with
      tui.renderNow();
      await tui.terminal.drainInput(200);
      tui.stop();
    },
  };
}

function terminalOf({ keepScrollback = false }: TerminalOptions): ProcessTerminal {
  const terminal = new ProcessTerminal();
  if (!keepScrollback) return terminal;
  const write = terminal.write.bind(terminal);
  terminal.write = (data) => write(data.replaceAll(CLEAR_SCROLLBACK, ''));
  return terminal;
}

const KEYS = { up: '\x1b[A', lineEnd: '\x05' };
const CLEAR_SCROLLBACK = '\x1b[3J';

const LIST_THEME = {
  selectedPrefix: style.code,
  selectedText: style.code,
  description: style.dim,
  scrollInfo: style.dim,
  noMatch: style.dim,
};
const EDITOR_THEME = { borderColor: style.dim, selectList: LIST_THEME };

/** A list with a title. Digits choose, too, and Esc chooses nothing. */
function listOf(
  title: string,
  choices: readonly Choice[],
  done: (choice: Choice | undefined) => void,
  onTab?: () => void,
): Component {
  const items = choices.map(({ value, label, about }) => ({
    value,
    label: oneLine(label),
    ...(about === undefined ? {} : { description: oneLine(about) }),
  }));
  const list = new SelectList(items, 12, LIST_THEME, { maxPrimaryColumnWidth: 60 });
  const now = choices.findIndex(({ isNow }) => isNow);
  if (now >= 0) list.setSelectedIndex(now);
  list.onSelect = ({ value }) => done(choices.find((choice) => choice.value === value));
  list.onCancel = () => done(undefined);
  const heading = new Text(clean(title), 0, 0);
  return {
    render: (width) => [...heading.render(width), ...list.render(width)],
    handleInput(data) {
      const chosen = isDigit(data) ? choices[Number(data) - 1] : undefined;
      if (chosen !== undefined) done(chosen);
      else if (onTab !== undefined && matchesKey(data, 'tab')) onTab();
      else list.handleInput(data);
    },
    invalidate: () => list.invalidate(),
  };
}

/** A sign that is written, or a text that is pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is typed is told from keys that steer
const isTyped = (data: string): boolean => /^(?:[^\x00-\x1f\x7f]|\x1b\[200~)/.test(data);
const isDigit = (data: string): boolean => /^[1-9]$/.test(data);

/** May a call run? Tab widens the rule that would be allowed. */
function questionOf(question: Question, done: (answer: Answer | 'no') => void): Component {
  const { call, rules, reason, agent } = question;
  let width = 0;
  const lines = askedText(call).split('\n');
  const more = lines.length > MOST_SHOWN ? [`(${lines.length} lines, all of them above)`] : [];
  const shown = [...lines.slice(0, MOST_SHOWN), ...more, ...changeAsked(question)].join('\n  ');
  const isPlan = planIn(call) !== undefined;
  const title = isPlan
    ? 'Is this plan right?\n'
    : `May this run${agent === undefined ? '' : ` for ${agent}`}?${reason === undefined ? '' : ` ${reason}`}\n\n  ${shown}\n`;
  const listed = (): Component => {
    const rule = rules[width % Math.max(rules.length, 1)];
    const hint = rules.length > 1 ? 'Tab: wider or narrower' : undefined;
    const kinds: readonly (Choice & { readonly answer: Answer | 'no' })[] = [
      { value: 'once', label: isPlan ? '1. Yes, do it' : '1. Yes, once', answer: { kind: 'once' } },
      ...(rule === undefined
        ? []
        : ([
            {
              ...{
                value: 'session',
                label: `2. Yes, in this session: ${visible(rule)}`,
                about: hint,
              },
              answer: { kind: 'session', rule },
            },
            {
              ...{ value: 'always', label: `3. Yes, always in this folder: ${visible(rule)}` },
              answer: { kind: 'always', rule },
            },
          ] as const)),
      { value: 'no', label: `${rule === undefined ? 2 : 4}. No, and say why`, answer: 'no' },
    ];
    const take = (choice: Choice | undefined) =>
      done(kinds.find(({ value }) => value === choice?.value)?.answer ?? 'no');
    return listOf(title, kinds, take, () => {
      width += 1;
      current = listed();
    });
  };
  let current = listed();
  return {
    render: (columns) => current.render(columns),
    handleInput: (data) => current.handleInput?.(data),
    invalidate: () => current.invalidate(),
  };
}

/** Undefined where the person goes back. */
function reasonInput(done: (reason: string | undefined) => void): Component {
  const input = new Input({ prompt: 'Why not, or what instead? ' });
  input.onSubmit = done;
  input.onEscape = () => done(undefined);
  return input;
}

/** Commands behind a slash, files behind an at sign, paths with Tab. */
function completions(
  commands: readonly SlashCommand[],
  cwd: string,
  files: TerminalOptions['files'],
): AutocompleteProvider {
  const others = new CombinedAutocompleteProvider([...commands], cwd);
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, line, column, options) {
      const mention = /(?:^|\s)(@\S*)$/.exec((lines[line] ?? '').slice(0, column))?.[1];
      if (mention === undefined) {
        const known = await others.getSuggestions(lines, line, column, options);
        return known && { ...known, items: known.items.filter(({ label }) => isSafe(label)) };
      }
      const paths = (await files()).filter(isSafe);
      const found = fuzzyFilter(paths, mention.slice(1), (path) => path);
      const items = found
        .slice(0, MOST_COMPLETIONS)
        .map((path) => ({ value: `@${path}`, label: path }));
      return items.length === 0 ? null : { items, prefix: mention };
    },
    applyCompletion: (...given) => others.applyCompletion(...given),
    shouldTriggerFileCompletion: (...given) => others.shouldTriggerFileCompletion(...given),
  };
}

/** A name of a file that a terminal takes as nothing but a name. */
const isSafe = (name: string): boolean => clean(name) === name && !name.includes('\n');
