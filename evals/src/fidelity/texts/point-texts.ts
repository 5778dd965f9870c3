import { createHash } from 'node:crypto';
import { isThinking, type Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { resolvePricing } from '../../resolve-pricing.ts';
import { createRecording, type Recording } from '../../session/recording.ts';
import type { Compacted } from '../compactor.ts';
import { COMPACTORS } from '../compactors/arms.ts';
import { ARMS, type Arm, BUDGET } from '../questions/arm-names.ts';
import type { OpenPoint } from '../questions/load.ts';
import { recordedCompactions } from '../recorded-compactions.ts';
import { messagesText } from '../request-text.ts';

/** What an arm leaves of a point, as a text to read. */
export interface ArmText {
  /** Of the point, the arm and the text: it tells none of them. */
  readonly id: string;
  readonly point: string;
  readonly arm: Arm;
  /** SHA-256 of the text. */
  readonly digest: string;
  readonly tokens: number;
  readonly text: string;
  readonly left: Compacted;
}

export interface PointTexts {
  readonly recording: Recording;
  /** In the recording. */
  readonly messageIndex: number;
  readonly texts: readonly ArmText[];
}

/** A recorded compaction is near where its summary and all that came since have no larger share. */
const NEAR = 0.15;

/** The texts of all arms at a point; no model is called. Same session, same code, same texts. */
export async function pointTexts(open: OpenPoint): Promise<PointTexts> {
  const recording = createRecording(open.recorded, {
    ...{ profile: pricing.profile, modelId: pricing.model.id },
    estimator: createEstimator(),
  });
  const next = open.history[open.messageIndex]?.id;
  const messageIndex = recording.history.findIndex(({ id }) => id === next);
  const place: Place = { open, recording, past: recording.history.slice(0, messageIndex) };
  const texts: ArmText[] = [];
  for (const arm of ARMS) {
    const left = arm === 'recorded' ? recordedLeft(place) : await compacted(arm, place);
    if (left) texts.push(armText(arm, left, place));
  }
  return { recording, messageIndex, texts };
}

/** Nothing is priced here. */
const pricing = resolvePricing({ ttl: '5m' });

interface Place {
  readonly open: OpenPoint;
  readonly recording: Recording;
  readonly past: readonly Message[];
}

function compacted(arm: Exclude<Arm, 'recorded'>, { recording, past }: Place) {
  const run = COMPACTORS[arm].create({ head: recording.head, sizeOf: recording.sizes.message });
  for (const message of past) run.add(message);
  return run.compact(Math.floor(sizeOf(past, recording) * BUDGET));
}

/** What the newest compaction left and what came since; undefined where that is far back. */
function recordedLeft({ open, recording, past }: Place): Compacted | undefined {
  const found = recordedCompactions(open.recorded, recording.history)
    .filter(({ messageIndex }) => messageIndex <= past.length)
    .at(-1);
  const [left] = found?.left ?? [];
  if (found === undefined || left === undefined) return undefined;
  const messages = [...left.messages, ...past.slice(found.messageIndex)];
  const isNear = sizeOf(messages, recording) <= sizeOf(past, recording) * NEAR;
  return isNear ? { messages, synthesised: left.synthesised } : undefined;
}

const sizeOf = (messages: readonly Message[], { sizes }: Recording): number =>
  messages.reduce((sum, message) => sum + sizes.message(message), 0);

function armText(arm: Arm, left: Compacted, { open, recording }: Place): ArmText {
  const text = `${messagesText(left.messages.map(withoutThinking))}\n`;
  const digest = sha256(text);
  const id = sha256([open.id, arm, digest].join('\n')).slice(0, ID_CHARACTERS);
  return { id, point: open.id, arm, digest, tokens: sizeOf(left.messages, recording), text, left };
}

/** It is not sent again behind the turn it belongs to. */
const withoutThinking = (message: Message): Message => ({
  ...message,
  content: message.content.filter((block) => !isThinking(block)),
});

const ID_CHARACTERS = 12;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
