import { checkOptions, required, untilAborted } from '@varve/guards';
import type { Block, Message, Request } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';
import type { CompactionOutcome, CompactNowOptions } from './compaction/context-compaction.ts';
import type { ContextParts } from './create-parts.ts';
import { ContextError } from './error.ts';
import type { CallModel, CallOptions, Reply, UserOptions } from './options.ts';

/** A person's message, requests, replies to them, and what happens where one is refused. */
export function createRoundTrip(parts: ContextParts, call: CallModel | undefined) {
  const { adding, sending, compacting, recovering, afterReply, memory } = parts;

  async function request(given: CallOptions): Promise<Request> {
    const made = await sending.request(given);
    parts.requestMade();
    return made;
  }

  async function reply(given: Reply): Promise<Message> {
    const added = await sending.reply(given);
    afterReply(added);
    return added;
  }

  /** Calls the model until it answers or nothing is left to try; rejects as it first did. */
  async function answer(model: CallModel, given: CallOptions): Promise<Reply> {
    let first: { readonly error: unknown } | undefined;
    for (;;) {
      let isOut = false;
      try {
        const next = await request(given);
        isOut = true;
        return await untilAborted(() => model(next, given), given.signal);
      } catch (error) {
        if (isOut) sending.failed();
        else if (!isTooLarge(error)) throw error;
        if (given.signal?.aborted) throw error;
        const after = (await recovering?.after(error, given.signal)) ?? 'other-error';
        if (after === 'other-error') throw error;
        first ??= { error };
        if (after === 'give-up') throw first.error;
      }
    }
  }

  return {
    request,
    reply,
    async user(content: string | readonly Block[], given: UserOptions): Promise<Message> {
      const message = memory
        ? await memory.user(content, given, adding.user)
        : await adding.user(content, given);
      if (isPerson(message)) recovering?.newTurn();
      return message;
    },
    async send(given: CallOptions): Promise<Message> {
      if (call === undefined) throw noCall();
      return reply(await answer(call, given));
    },
    async compact(given: CompactNowOptions): Promise<CompactionOutcome> {
      if (compacting === undefined) throw noCompaction();
      const { direction, pivot } = given;
      const side = ['from', 'up-to'];
      checkOptions<CompactNowOptions>(given, {
        focus: 'a text',
        direction: pivot === undefined ? side : required(side),
        pivot: direction === undefined ? 'a text' : required('a text'),
      });
      return compacting.byHand(given);
    },
    recover: async (error: unknown, { signal }: CallOptions): Promise<boolean> =>
      (await recovering?.after(error, signal)) === 'retry',
  };
}

/** A request that did not go out because its window has no room for it. */
const isTooLarge = (error: unknown): boolean =>
  ContextError.is(error) && error.code === 'message-too-large';

const noCall = (): ContextError =>
  new ContextError('no-call', 'Pass `call` to `createContext`, or use `request` and `reply`.');

const noCompaction = (): ContextError =>
  new ContextError('no-compaction', 'Pass `compaction` to `createContext` to compact by hand.');
