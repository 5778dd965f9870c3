import { isRecord, listOf, textOf } from '@varve/guards';
import type { FileChange, Memdir } from '@varve/memdir';
import { formatText, hashOf, parseText } from '@varve/memdir/files';
import { type DreamPatch, type DreamStep, hashIfAny, planSteps, type StepFile } from './patch.ts';

/** A step that waits, with whether it still applies to what stands in the folder. */
export interface WaitingStep extends DreamStep {
  /** A file is not what the dream read any more: it can only be thrown away. */
  readonly isBroken: boolean;
}

const PREFIX = '.inbox/dream-';
const FENCE = '```json';

/** The file in which a step waits: for a person above, for `apply` below. The same step has the same file. */
export function waitingFile(step: DreamStep, at: string): FileChange {
  const { kind, reason, quotes, files, waits } = step;
  const stored = { kind, reason, quotes, files, waits };
  const json = JSON.stringify(stored);
  const path = `${PREFIX}${hashOf(json).slice(0, 12)}.md`;
  const name = `Dream: ${kind} ${files.map((file) => file.path).join(', ')}`;
  const body = [
    `${reason} (${waits ?? 'waits'})`,
    '',
    ...files.map(
      ({ path: each, after }) =>
        `- ${each} ${after === undefined ? 'goes to the archive' : 'changes'}`,
    ),
    ...quotes.map(({ source, quote }) => `> ${quote.replace(/\s+/g, ' ')} — ${source}`),
    '',
    FENCE,
    json,
    '```',
    '',
  ].join('\n');
  const header = { name, description: reason || kind, type: 'project', modified: at } as const;
  return { path, basis: undefined, text: formatText(header, body) };
}

/** What waits in the inbox, broken ones too. */
export async function readWaiting(
  memory: Memdir,
  signal: AbortSignal | undefined,
): Promise<readonly WaitingStep[]> {
  const { files } = await memory.folder.list('.inbox', { signal });
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith(PREFIX));
  const waiting: WaitingStep[] = [];
  for (const path of paths.sort()) {
    const found = await memory.folder.read(path, { signal });
    const step = found === undefined ? undefined : parseWaiting(path, found.text);
    if (step === undefined) continue;
    const plan = await planSteps(memory, [step], { only: [step.id], signal });
    waiting.push({ ...step, isBroken: plan.steps.length === 0 });
  }
  return waiting;
}

function parseWaiting(path: string, text: string): DreamStep | undefined {
  const { body } = parseText(text);
  const line = body.split(/\r\n|\n|\r/).find((_, at, all) => all[at - 1] === FENCE);
  try {
    const value: unknown = JSON.parse(line ?? '');
    if (!isRecord(value) || !Array.isArray(value.files)) return undefined;
    const files = listOf(value.files).flatMap((file): StepFile[] =>
      isRecord(file) && textOf(file.path) !== ''
        ? [
            {
              path: textOf(file.path),
              // What waits since before there were hashes has the text alone.
              basis: textIfAny(file.basis) ?? hashIfAny(textIfAny(file.before)),
              before: textIfAny(file.before),
              after: textIfAny(file.after),
              successor: textIfAny(file.successor),
            },
          ]
        : [],
    );
    const quotes = listOf(value.quotes).map((each) => ({
      source: isRecord(each) ? textOf(each.source) : '',
      quote: isRecord(each) ? textOf(each.quote) : '',
    }));
    if (files.length === 0) return undefined;
    const id = path.slice(PREFIX.length, -'.md'.length);
    return {
      ...{ id, kind: value.kind as DreamStep['kind'], reason: textOf(value.reason), quotes, files },
      ...{ waits: value.waits as DreamStep['waits'], waitsAt: path },
    };
  } catch {
    return undefined; // changed by hand
  }
}

const textIfAny = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Steps as a patch that `apply` takes. */
export const waitingPatch = (steps: readonly WaitingStep[], at: string): DreamPatch => ({
  at,
  steps: steps.filter(({ isBroken }) => !isBroken),
});
