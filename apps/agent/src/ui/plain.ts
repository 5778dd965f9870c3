import { createInterface } from 'node:readline';
import { untilAborted } from '@varve/guards';
import type { Answer, Question } from '../permissions/permissions.ts';
import { visible } from '../shown.ts';
import { createAnswerLines } from './answer-lines.ts';
import { changeAsked } from './change.ts';
import { clean, oneLine } from './clean.ts';
import { askedText, planIn } from './describe.ts';
import type { Choice, Face, Handlers } from './face.ts';
import type { Tone } from './render.ts';

/** Plain lines, for terminals that can do no more, screen readers and pipes. */
export function createLines(handlers: Handlers): Face {
  const lines = createInterface({ input: process.stdin });
  let isMidLine = false;
  let isClosed = false;
  let answering: ((line: string) => void) | undefined;
  const write = (text: string) => void process.stdout.write(text);
  const answer = createAnswerLines(write);

  lines.on('line', (line) => {
    const take = answering;
    answering = undefined;
    if (take !== undefined) take(line);
    else if (line.trim() !== '') handlers.submit(line);
  });
  lines.on('close', () => {
    isClosed = true;
    answering?.(''); // nobody will say more
    handlers.leave('asked');
  });

  function show(text: string, tone?: Tone): void {
    endStream();
    if (tone === 'answer') {
      answer.stream(clean(text));
      answer.end();
    } else write(`${clean(text)}\n`);
  }

  function endStream(): void {
    answer.end();
    if (isMidLine) write('\n');
    isMidLine = false;
  }

  async function nextLine(signal?: AbortSignal): Promise<string> {
    if (isClosed) return '';
    const line = () =>
      new Promise<string>((resolve) => {
        answering = resolve;
      });
    return untilAborted(line, signal).finally(() => {
      answering = undefined;
    });
  }

  async function choose(title: string, choices: readonly Choice[]): Promise<string | undefined> {
    const listed = choices.map(
      ({ label, about }, index) =>
        `  ${index + 1}. ${oneLine(label)}${about ? ` (${oneLine(about)})` : ''}`,
    );
    show([title, ...listed].join('\n'));
    return choices[Number(await nextLine()) - 1]?.value;
  }

  return {
    ...{ show, endStream, choose },
    stream(text, tone) {
      const shown = clean(text);
      if (shown === '') return;
      if (tone === 'answer') return answer.stream(shown);
      answer.end();
      write(shown);
      isMidLine = !shown.endsWith('\n');
    },
    working: () => undefined,
    queued: () => undefined,
    footer: () => undefined,
    offer: () => undefined,
    setInput: (texts) => show(texts.map((text) => `(not sent: ${oneLine(text)})`).join('\n')),
    async ask(question, signal) {
      const plan = planIn(question.call);
      if (plan !== undefined) show(plan, 'answer');
      show(questionText(question));
      return answerOf(await nextLine(signal), question);
    },
    async close() {
      endStream();
      lines.close();
    },
  };
}

function questionText(question: Question): string {
  const {
    call,
    rules: [rule],
    reason,
    agent,
  } = question;
  if (planIn(call) !== undefined)
    return `Is this plan right?\ny (go on with it), or what is wrong with it:`;
  const wider = rule === undefined ? '' : `, s (in this session: ${visible(rule)}), a (always)`;
  return `May this run${agent === undefined ? '' : ` for ${agent}`}?${reason === undefined ? '' : ` ${reason}`}\n  ${[askedText(call), ...changeAsked(question)].join('\n  ')}\ny (once)${wider}, or why not:`;
}

function answerOf(line: string, { rules: [rule] }: Question): Answer {
  const text = line.trim();
  if (text === 'y' || text === 'yes') return { kind: 'once' };
  if (rule !== undefined && text === 's') return { kind: 'session', rule };
  if (rule !== undefined && text === 'a') return { kind: 'always', rule };
  return { kind: 'no', reason: text === '' || text === 'n' ? 'The person said no.' : text };
}
