import { mayChange } from '@varve/messages/tools';
import { errorSignature } from './error-signature.ts';
import type { DoneCall } from './extractor.ts';
import { isMiss } from './miss.ts';
import { nameOfFile, oneLine, subjectOf } from './names.ts';
import { seenOutcomeOf } from './test-facts.ts';

/** Calls in their order, to be told in a line once it is asked what was done since a message. */
export interface DoneSince {
  /** Keeps a place in a list: nothing is read. */
  note(done: DoneCall, position: number): void;
  /** What was done behind a message, the newest last; undefined where nothing was. */
  since(position: number): string | undefined;
}

interface Noted {
  readonly done: DoneCall;
  readonly position: number;
}

/** Calls that are remembered at least; where older ones are forgotten, numbers are the least. */
const MOST_CALLS = 200;
/** Different things that are told of. */
const MOST_TOLD = 10;
const MAX_COMMAND = 90;
const MAX_REASON = 120;

export function createDoneSince(): DoneSince {
  let noted: Noted[] = [];
  let forgotten = -1;
  return {
    note(done, position) {
      noted.push({ done, position });
      if (noted.length < 2 * MOST_CALLS) return;
      forgotten = noted.at(-MOST_CALLS - 1)?.position ?? -1;
      noted = noted.slice(-MOST_CALLS);
    },
    since(position) {
      const least = forgotten > position ? 'at least ' : '';
      const behind = noted.slice(noted.findLastIndex((each) => each.position <= position) + 1);
      const told = inWords(behind, least);
      if (told.length === 0) return undefined;
      const shown = told.slice(-MOST_TOLD);
      const more = told.length - shown.length;
      return [...(more > 0 ? [`${least}${more} more before`] : []), ...shown].join('; ');
    },
  };
}

/** What is done again is told once, at its last time; looks one behind the other are one. */
function inWords(noted: readonly Noted[], least: string): readonly string[] {
  const told = new Map<string, { readonly words: string; readonly times: number }>();
  let looks: string[] = [];
  const endLooks = (): void => {
    const names = [...new Set(looks)].filter((name) => name !== '');
    const more = names.length > MOST_LOOKS ? ` and ${least}${names.length - MOST_LOOKS} more` : '';
    if (names.length > 0)
      told.set(`look ${told.size}`, {
        words: `looked at ${names.slice(-MOST_LOOKS).join(', ')}${more}`,
        times: 1,
      });
    looks = [];
  };
  for (const { done } of noted) {
    if (isKeeping(done)) continue;
    if (isLook(done)) {
      looks.push(labelOf(done));
      continue;
    }
    endLooks();
    const label = labelOf(done);
    const times = (told.get(label)?.times ?? 0) + 1;
    told.delete(label);
    told.set(label, { words: `${label}${endOf(done)}`, times });
  }
  endLooks();
  return [...told.values()].map(({ words, times }) =>
    times > 1 ? `${words} (${least}${times} times)` : words,
  );
}

const MOST_LOOKS = 3;

/** The lists of the agent itself stand elsewhere. */
const isKeeping = ({ call: { kind } }: DoneCall): boolean =>
  kind === 'todo' || kind === 'task-create' || kind === 'task-update' || kind === 'skill';

const isLook = ({ call, outcome }: DoneCall): boolean =>
  !mayChange(call) && call.kind !== 'ask' && call.kind !== 'plan' && outcome.status === 'passed';

const isChange = ({ call: { kind } }: DoneCall): boolean =>
  kind === 'edit' || kind === 'write' || kind === 'patch';

function labelOf({ call }: DoneCall): string {
  if (call.kind === 'edit' || call.kind === 'write')
    return `${call.kind === 'edit' ? 'edited' : 'wrote'} ${nameOfFile(call.path ?? '') || call.name}`;
  if (call.kind === 'patch')
    return `edited ${call.files
      .slice(0, MOST_LOOKS)
      .map(({ path }) => nameOfFile(path))
      .join(', ')}`;
  if (call.kind === 'read') return call.paths.map(nameOfFile).join(', ');
  const subject = oneLine(subjectOf(call), MAX_COMMAND);
  return call.kind === 'shell' ? `\`${subject.replaceAll('`', "'")}\`` : subject;
}

/** How a call ended, in quotes what its output says of it. */
function endOf(done: DoneCall): string {
  const { status } = seenOutcomeOf(done);
  if (status === 'passed') return isChange(done) ? '' : ': ok';
  if (status === 'refused') return ': refused, not run';
  if (status === 'unknown') return ': not known whether it ran';
  if (status !== 'failed') return `: ${status}`;
  if (isMiss(done)) return ': found nothing';
  if (!mayChange(done.call)) return ': failed';
  return `: failed, "${oneLine(errorSignature(done.text), MAX_REASON).replaceAll('"', "'")}"`;
}
