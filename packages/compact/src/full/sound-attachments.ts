import { checkHistory, legalCuts, type ProviderProfile } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';

/** What may follow a conversation, in whole rounds, and what may not. */
export interface SoundAttachments<M extends MessageLike> {
  /** A call stands in one round with its results. */
  readonly rounds: readonly (readonly M[])[];
  /** What a provider would refuse behind what is kept: a call without its result or the reverse, a message without content. */
  readonly leftOut: readonly M[];
}

/** Which of some messages may follow what is kept behind a summary. Looks at all of what is kept once, and once a round where something may not. */
export function soundAttachments<M extends MessageLike>(
  kept: readonly MessageLike[],
  offered: readonly M[],
  profiles: readonly ProviderProfile[],
): SoundAttachments<M> {
  const rounds = roundsOf(offered);
  const before = [STANDS_IN, ...kept];
  if (offered.length === 0 || isSound(before, offered, profiles)) return { rounds, leftOut: [] };
  const sound: (readonly M[])[] = [];
  const leftOut: M[] = [];
  for (const round of rounds) {
    if (isSound([...before, ...sound.flat()], round, profiles)) sound.push(round);
    else leftOut.push(...round);
  }
  return { rounds: sound, leftOut };
}

/** In place of the summary, which is a message of the user. */
const STANDS_IN: MessageLike = { role: 'user', content: 'Summary.' };

function roundsOf<M extends MessageLike>(messages: readonly M[]): readonly (readonly M[])[] {
  const cuts = [...new Set([0, ...legalCuts(messages, { behindSummary: true }), messages.length])];
  return cuts.slice(1).map((end, index) => messages.slice(cuts[index], end));
}

/** Whether nothing breaks a rule that was kept without them. */
function isSound(
  before: readonly MessageLike[],
  added: readonly MessageLike[],
  profiles: readonly ProviderProfile[],
): boolean {
  return profiles.every((profile) => {
    const known = new Set(checkHistory(before, profile).map(nameOf));
    return checkHistory([...before, ...added], profile).every((each) => known.has(nameOf(each)));
  });
}

const nameOf = ({ code, messageIndex, blockIndex }: ReturnType<typeof checkHistory>[number]) =>
  `${code} ${messageIndex} ${blockIndex}`;
