import type { Entry, Message, Tool, Usage } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';

/** One step of a hand-made session. */
export type Step =
  | { readonly user: string }
  | { readonly say: string }
  | {
      /** Name and input of a call, and what it gave. */
      readonly call: readonly [name: string, input: Record<string, unknown>];
      readonly result: string;
      readonly thinking?: string;
      /** Said before the call. */
      readonly words?: string;
      readonly usage?: Usage;
    };

export interface ThreadOptions {
  /** Between a message and the next, in milliseconds. @default 10 seconds */
  readonly gapMs?: number;
  readonly startMs?: number;
  readonly id?: string;
  /** Of thinking. @default one for each step */
  readonly signature?: string;
  /** In a head without text. @default no head */
  readonly tools?: readonly Tool[];
}

const START_MS = Date.UTC(2026, 5, 1, 9);

/** A main thread of the given steps, with a clock and a head that holds no text. */
export function threadOf(steps: readonly Step[], options: ThreadOptions = {}): ImportedThread {
  const { gapMs = 10_000, startMs = START_MS, id = 'main', tools } = options;
  const messages = steps.flatMap((step, at) => messagesOf(step, at, options));
  const entries = messages.map((message, at): Entry => {
    const createdAt = new Date(startMs + at * gapMs).toISOString();
    return { id: `e${at}`, at: createdAt, type: 'message', message: { ...message, createdAt } };
  });
  const head = tools && { id: 'head', model: 'claude-opus-4-8', system: [], tools, params: {} };
  const first = head && { id: 'e', at: new Date(startMs).toISOString(), type: 'head', head };
  return {
    id,
    kind: 'main',
    startsMidSession: false,
    entries: [...(first ? [first as Entry] : []), ...entries],
  };
}

function messagesOf(step: Step, at: number, options: ThreadOptions): Message[] {
  if ('user' in step) {
    return [{ id: `m${at}`, role: 'user', content: [{ type: 'text', text: step.user }] }];
  }
  const response = { id: `r${at}`, model: 'claude-opus-4-8', stopReason: 'end_turn' } as const;
  if ('say' in step) {
    const content = [{ type: 'text', text: step.say }];
    return [{ id: `m${at}`, role: 'assistant', content, response }];
  }
  const [name, input] = step.call;
  const callId = `call_${at}`;
  const thinking = step.thinking
    ? [{ type: 'thinking', thinking: step.thinking, signature: options.signature ?? `s${at}` }]
    : [];
  const words = step.words ? [{ type: 'text', text: step.words }] : [];
  return [
    {
      id: `m${at}`,
      role: 'assistant',
      content: [...thinking, ...words, { type: 'tool_use', id: callId, name, input }],
      response: { ...response, stopReason: 'tool_use', ...(step.usage && { usage: step.usage }) },
    },
    {
      id: `m${at}r`,
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: callId, content: step.result }],
    },
  ];
}

export const read = (path: string, result: string): Step => ({
  call: ['Read', { file_path: path }],
  result,
});

export const write = (path: string, content: string): Step => ({
  call: ['Write', { file_path: path, content }],
  result: 'The file was written.',
});

export const edit = (path: string, oldText: string): Step => ({
  call: ['Edit', { file_path: path, old_string: oldText, new_string: `${oldText} // changed` }],
  result: 'The file was updated.',
});

/** A small generator of the same numbers for the same seed (mulberry32), 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface GeneratedOptions {
  readonly seed: number;
  readonly calls: number;
  /** Lines of each file that is read. */
  readonly lines: number;
  /** Goes into every name, so that two projects share no words. */
  readonly project?: string;
}

/**
 * A session that reads files, searches, and edits lines of files it read up to 40 calls before; a person speaks every 25
 * calls.
 */
export function generatedSteps(options: GeneratedOptions): Step[] {
  const { seed, calls, lines, project = 'Alpha' } = options;
  const random = randomFrom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const steps: Step[] = [{ user: `Refactor the project ${project}, step by step.` }];
  const files: { readonly path: string; readonly text: readonly string[] }[] = [];
  for (let call = 0; call < calls; call++) {
    if (call > 0 && call % 25 === 0)
      steps.push({ say: `Part ${call} is done.` }, { user: 'Go on.' });
    const known = files.slice(-40);
    const file = known[pick(known.length)];
    if (file === undefined || random() < 0.6) {
      const path = `/srv/${project}/module${seed}x${call}/${project}File${call}.ts`;
      const text = Array.from({ length: lines }, (_, at) => codeLine(project, pick(1e6), at));
      files.push({ path, text });
      steps.push(read(path, text.map((line, at) => `${at + 1}\t${line}`).join('\n')));
    } else {
      steps.push(edit(file.path, file.text[pick(file.text.length)] as string));
    }
  }
  return [...steps, { say: 'All of it is done.' }];
}

const codeLine = (project: string, number: number, at: number): string =>
  `const ${project.toLowerCase()}Value${number} = compute${project}${at}(${number}, 'item-${number % 97}');`;
