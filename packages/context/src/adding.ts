import { ownText } from '@varve/guards';
import { type Block, closeRound, type EntryBody, type Message } from '@varve/messages';
import type { ToolStorage } from '@varve/tool-storage';
import type { Tell } from './event.ts';
import { isBlocks } from './is-block.ts';
import type { Keeper } from './keeper.ts';
import { checkOrigin, resultMessage, userContent, waitingTools } from './messages-of.ts';
import type { ModelFacts } from './model-facts.ts';
import { createOffloading } from './offloading.ts';
import type { CallOptions, ToolOutput, UserOptions } from './options.ts';
import { withoutOwnMarkers } from './own-markers.ts';
import type { Enter } from './redact-entry.ts';
import type { Room } from './room-for.ts';
import { checkOutputs } from './sound-outputs.ts';

export interface AddingOptions {
  readonly keeper: Keeper;
  readonly storage: ToolStorage | undefined;
  readonly room: Room;
  /** Of the model that the next request goes to. */
  readonly facts: () => ModelFacts;
  readonly at: () => string;
  readonly tell: Tell;
  /** What is done to content before it is stored. */
  readonly enter: Enter;
}

/** What people and tools add to a conversation. */
export function createAdding(options: AddingOptions) {
  const { keeper, storage, room, facts, at, tell, enter } = options;
  const { layered } = keeper;
  const offloading = createOffloading({ storage, room, tell });
  const entered = (output: ToolOutput): ToolOutput => {
    const { content: given } = output;
    // a piece of a larger text is slow to read, and several read it
    if (typeof given === 'string') return { ...output, content: enter(ownText(given)) };
    return { ...output, content: enter(isBlocks(given) ? withoutOwnMarkers(given) : given) };
  };
  return {
    async user(content: string | readonly Block[], given: UserOptions): Promise<Message> {
      const { origin, signal } = given;
      signal?.throwIfAborted();
      checkOrigin(origin);
      const id = layered.nextId('message');
      const shown = await offloading.ofPerson(enter(userContent(content, facts().profiles)), {
        id,
        signal,
      });
      const message = { role: 'user', content: shown, ...(origin && { origin }) } as const;
      const [added] = keeper.add([message], {
        ...{ at: at(), note: noteOf(storage), code: 'malformed-message' as const },
      });
      await keeper.write();
      return added as Message;
    },

    async results(outputs: readonly ToolOutput[], { signal }: CallOptions) {
      signal?.throwIfAborted();
      checkOutputs(outputs, facts().profiles);
      const { open } = layered.view();
      const names = waitingTools(open, outputs);
      const shown = await offloading.ofTools(outputs.map(entered), { open, names, signal });
      const messages = shown.map(resultMessage);
      const added = keeper.add(messages, {
        ...{ at: at(), note: noteOf(storage), code: 'malformed-result' as const },
      });
      await keeper.write();
      return added;
    },

    async closeRound(reason: string): Promise<readonly Message[]> {
      if (typeof reason !== 'string' || reason.trim() === '') {
        throw new TypeError('Expected `reason` to be a text that is not blank.');
      }
      const { open } = layered.view();
      const now = at();
      const messages = open ? closeRound(open, { reason, at: now }) : [];
      const added = keeper.add(messages, { at: now, code: 'malformed-result' });
      await keeper.write();
      return added;
    },
  };
}

/** What the storage decided since the last note. */
function noteOf(storage: ToolStorage | undefined): EntryBody | undefined {
  const data = storage?.takeNote();
  return data === undefined ? undefined : { type: 'note', by: 'tool-storage', data };
}
