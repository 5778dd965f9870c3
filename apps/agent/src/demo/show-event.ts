import type { AgentEvent } from '../events.ts';
import { describeCall, describeLayer, describeOutput, STORED } from '../ui/describe.ts';

/** An event of the demo as one line; undefined for what needs none. */
export function showEvent(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case 'call-start':
      return `  ${describeCall(event.call)}`;
    case 'call-end':
      return `    ${describeOutput(event.call, event.output)}`;
    case 'results':
      return event.messages.some(({ content }) => JSON.stringify(content).includes(STORED))
        ? '    [tool-storage] the output is stored, the model gets its beginning and its end'
        : undefined;
    case 'layer': {
      const told = describeLayer(event.event);
      return told === undefined ? undefined : `    [${told}]`;
    }
    default:
      return undefined;
  }
}
