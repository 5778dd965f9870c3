import type { Block, Marker, Message, Request } from '@varve/messages';

/** What a server takes away from a request, by indices of the request that was sent. */
export interface ViewChanges {
  /** Messages before this one are not read. */
  readonly start: number;
  /** Blocks that are gone, by message. */
  readonly removed: Map<number, number[]>;
  /** Blocks that others stand for, by message and block. */
  readonly replaced: Map<number, Map<number, Block>>;
}

/** Applies changes to requests; a message that is changed in the same way again is the same object again. */
export function createViewBuilder(): (request: Request, changes: ViewChanges) => Request {
  const known = new WeakMap<Message, Map<string, Message>>();
  return (request, changes) => {
    const { start, removed, replaced } = changes;
    if (start === 0 && removed.size === 0 && replaced.size === 0) return request;
    const messages = request.messages.slice(start);
    for (const index of new Set([...removed.keys(), ...replaced.keys()])) {
      const message = request.messages[index] as Message;
      messages[index - start] = changed(message, {
        gone: removed.get(index) ?? [],
        blocks: replaced.get(index) ?? new Map(),
        known,
      });
    }
    return { ...request, messages, markers: moveMarkers(request.markers, changes) };
  };
}

interface ChangedOptions {
  readonly gone: readonly number[];
  readonly blocks: ReadonlyMap<number, Block>;
  readonly known: WeakMap<Message, Map<string, Message>>;
}

/** Replacements follow from the block alone, so their places tell one change from another. */
function changed(message: Message, { gone, blocks, known }: ChangedOptions): Message {
  const versions = known.get(message) ?? new Map<string, Message>();
  known.set(message, versions);
  const key = `${gone.join()} ${[...blocks.keys()].join()}`;
  const found = versions.get(key);
  if (found) return found;
  const content = message.content.flatMap((block, index) =>
    gone.includes(index) ? [] : [blocks.get(index) ?? block],
  );
  const version = { ...message, content };
  versions.set(key, version);
  return version;
}

function moveMarkers(markers: readonly Marker[], { start, removed }: ViewChanges): Marker[] {
  return markers.flatMap((marker): Marker[] => {
    if (marker.at !== 'message') return [marker];
    const gone = removed.get(marker.messageIndex) ?? [];
    if (marker.messageIndex < start || gone.includes(marker.blockIndex)) return [];
    const before = gone.filter((index) => index < marker.blockIndex).length;
    return [
      {
        ...marker,
        messageIndex: marker.messageIndex - start,
        blockIndex: marker.blockIndex - before,
      },
    ];
  });
}
