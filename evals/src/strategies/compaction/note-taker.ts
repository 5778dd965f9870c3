import { createFork } from '@varve/fork-agent';
import type { Block, Head, Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import type { RunFork } from '@varve/session-memory';
import type { OwnCall } from '../../strategy.ts';

export interface NoteTakerOptions {
  /** The conversation's last request. */
  readonly parent: () => Request;
  /** The notes that should stand there now, under the same headings. */
  readonly write: () => string;
  /** The notes as they are. */
  readonly notes: () => string;
  readonly path: string;
  /** Tokens of a block. */
  readonly sizeOf: (block: Block) => number;
  readonly onCall: (call: OwnCall) => void;
}

/**
 * Stands for the model that takes notes: a real child of the conversation, whose replies are the edits that lead to the
 * wanted notes. What it would have been billed for is handed over call by call.
 */
export function createNoteTaker(options: NoteTakerOptions): RunFork {
  return async ({ view, runTool, ...run }) => {
    const sent = options.parent();
    const messages = view.open ? [...view.messages, view.open.assistant] : view.messages;
    const onCall = (call: Pick<OwnCall, 'request' | 'outputTokens'>): void => {
      const request = asRecorded(call.request, sent.head);
      options.onCall({ ...call, request, isStandIn: true });
    };
    const client = createStandIn({ ...options, onCall });
    const parent = { ...sent, head: withEditTool(sent.head), messages };
    const fork = createFork({ client, parent, tools: runTool });
    const result = await fork.run(run);
    const { stopReason, error: cause } = result;
    if (stopReason === 'end' || stopReason === 'empty') return { kind: 'done' };
    return { kind: 'failed', reason: stopReason, cause };
  };
}

/** Many recordings lack their tools; a child is let use only those that are there. It is priced with the recorded head. */
function withEditTool(head: Head): Head {
  if (head.tools.some(({ name }) => name === EDIT)) return head;
  return { ...head, tools: [...head.tools, { name: EDIT }] };
}

const EDIT = 'Edit';

function asRecorded(request: Request, head: Head): Request {
  const stands = ({ at }: Request['markers'][number]): boolean =>
    at !== 'tools' || head.tools.length > 0;
  return { ...request, head, markers: request.markers.filter(stands) };
}

/** Edits in its first reply; it would end with a second, if it were asked again. */
function createStandIn(options: NoteTakerOptions): ModelClient {
  let turns = 0;
  return {
    provider: 'stand-in',
    stream: (request) =>
      createModelStream(async function* () {
        turns += 1;
        const content = turns === 1 ? editsOf(options) : [];
        const outputTokens = content.reduce((sum, block) => sum + options.sizeOf(block), 0);
        options.onCall({ request, outputTokens });
        const stopReason = content.length > 0 ? ('tool_use' as const) : ('end_turn' as const);
        const { model } = request.head;
        const response = {
          id: `notes-${turns}`,
          model,
          content,
          stopReason,
          usage: NOTHING_BILLED,
        };
        yield { type: 'response-end', response } as const;
      }),
  };
}

const NOTHING_BILLED = { input_tokens: 0, output_tokens: 0 };

/** One edit for each section that changes. */
function editsOf({ notes, write, path }: NoteTakerOptions): Block[] {
  let text = notes();
  const wanted = chunksOf(write());
  return chunksOf(text).flatMap((before, at) => {
    const after = wanted[at] ?? before;
    if (after === before) return [];
    const { oldText, newText } = changeBetween(before, { after, whole: text });
    text = text.replace(oldText, () => newText);
    const input = { file_path: path, old_string: oldText, new_string: newText };
    return [{ type: 'tool_use', id: `edit-${at}`, name: EDIT, input }];
  });
}

/** Notes by their headings; both have the same ones, those of the template. */
const chunksOf = (notes: string): readonly string[] => notes.split(/^(?=# )/m);

/** The lines that differ, with as many before them as make them stand in `whole` once. */
function changeBetween(
  before: string,
  { after, whole }: { readonly after: string; readonly whole: string },
) {
  const [old, wanted] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, wanted.length);
  let start = 0;
  while (start < most && old[start] === wanted[start]) start++;
  let same = 0;
  while (same < most - start && old.at(-1 - same) === wanted.at(-1 - same)) same++;
  const part = (lines: readonly string[]) => lines.slice(start, lines.length - same).join('\n');
  if (start > 0 && start === wanted.length - same) start--; // lines that go take their line end along
  while (start > 0 && !standsOnce(whole, part(old))) start--;
  return { oldText: part(old), newText: part(wanted) };
}

const standsOnce = (text: string, part: string): boolean =>
  part.trim() !== '' && text.indexOf(part) === text.lastIndexOf(part);
