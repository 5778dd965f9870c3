import { createLedger, type Ledger, ledgerNotes } from '@varve/ledger';
import { createProjection, type Message } from '@varve/messages';
import {
  compactFromNotes,
  createSessionMemory,
  memoryNotes,
  type RunFork,
} from '@varve/session-memory';
import { DEFAULT_TEMPLATE, parseTemplate } from '@varve/session-memory/template';
import { createEstimator } from '@varve/tokens';
import type { Compactor } from '../compactor.ts';
import { summariesIn } from '../summaries-in.ts';

/**
 * `@varve/session-memory` with a stand-in for the child that takes notes: it fills the sections from a ledger by edits of
 * the notes, as a child does, within the limits of a section. What is measured is what notes under those limits hold, not
 * how well a model takes them.
 */
export const sessionMemory: Compactor = {
  name: 'session-memory+ledger',
  create({ sizeOf, ledger: shared }) {
    const ledger = shared?.() ?? createLedger();
    const memory = createSessionMemory({
      file: memoryNotes(PATH),
      runFork: createNoteTaker(ledger),
    });
    const log = createProjection();
    let [messages, count]: [readonly Message[], number] = [[], 0];
    return {
      add(message) {
        if (shared === undefined) ledger.add(message);
        const entry = { id: `e${count++}`, at: AT, type: 'message', message } as const;
        memory.observe(entry, log.append(entry));
        messages = [...messages, message];
      },
      async compact(budgetTokens) {
        if (total(messages, sizeOf) > budgetTokens) {
          await memory.extractNow();
          const { notes, template } = memory.snapshot();
          messages = fromNotes(messages, { notes, template, budgetTokens, sizeOf });
        }
        return { messages, synthesised: summariesIn(messages) };
      },
    };
  },
};

const AT = '2026-01-01T00:00:00Z';
const PATH = 'notes.md';
const textSize = createEstimator().text;

interface FromNotes
  extends Pick<
    ReturnType<ReturnType<typeof createSessionMemory>['snapshot']>,
    'notes' | 'template'
  > {
  readonly budgetTokens: number;
  readonly sizeOf: (message: Message) => number;
}

/** Half of the budget for notes and a tail in the rest; notes alone where no tail fits; what was there where they do not. */
function fromNotes(
  messages: readonly Message[],
  { notes, template, budgetTokens, sizeOf }: FromNotes,
): readonly Message[] {
  for (const share of [0.5, 0.9]) {
    const tailTokens = share === 0.9 ? 0 : budgetTokens * 0.4;
    const result = compactFromNotes(messages, {
      ...{ notes, template, sizeOf, textSize, thinking: 'free' as const },
      cursorIndex: messages.length - 1,
      thresholdTokens: budgetTokens,
      totalTokens: Math.min(12_000, Math.floor(budgetTokens * share)),
      tail: { minTokens: tailTokens, maxTokens: tailTokens, minTextMessages: 0 },
    });
    if (result.kind === 'none') continue;
    const content = [{ type: 'text' as const, text: result.summaryText }];
    const id = `notes-${messages.at(-1)?.id}`;
    const open = result.openRequests.map((index) => messages[index] as Message);
    const kept = [...open, ...messages.slice(result.keepFrom)];
    return [{ id, role: 'user', origin: { kind: 'summary', by: 'notes' }, content }, ...kept];
  }
  return messages;
}

function createNoteTaker(ledger: Ledger) {
  const bodies = new Map<string, string>();
  const { sections } = parseTemplate(DEFAULT_TEMPLATE);
  return async (fork: Parameters<RunFork>[0]) => {
    const texts = ledgerNotes(ledger, { sections, sizeOf: textSize });
    for (const [at, { heading, guidance }] of sections.entries()) {
      const body = texts[at] ? `\n${texts[at]}` : '';
      const before = bodies.get(heading) ?? '';
      if (body === before) continue;
      const input = {
        path: PATH,
        old_str: `${heading}\n${guidance}${before}`,
        new_str: `${heading}\n${guidance}${body}`,
      };
      const { isError } = fork.runTool({ id: heading, name: 'Edit', input });
      if (!isError) bodies.set(heading, body);
    }
    return { kind: 'done' } as const;
  };
}

const total = (messages: readonly Message[], sizeOf: (message: Message) => number): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);
