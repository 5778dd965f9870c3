import type { HttpReply } from '../core/http.ts';
import type { FaultKind } from './fault.ts';

/** The reply with what a fault does to its events; a reply without events stays as it is. */
export function damageEvents(
  reply: HttpReply,
  fault: FaultKind,
  errorEvent: (status: number) => string,
): HttpReply {
  const { events } = reply;
  if (events === undefined) return reply;
  if (fault.kind === 'malformed-event') {
    const damaged = events.map((event, index) =>
      index === fault.atEvent ? event.replace(/^data: .*$/m, 'data: {"type":') : event,
    );
    return { ...reply, events: damaged };
  }
  if (fault.kind !== 'error-event') return reply;
  return {
    ...reply,
    events: [...events.slice(0, fault.atEvent), errorEvent(fault.status ?? 529)],
  };
}
