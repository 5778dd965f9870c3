import { type Message, toolResults } from '@varve/messages';
import { contextManagement } from '@varve/microcompact/context-management';
import { placeMarkers } from '@varve/prompt-cache';
import type { Strategy } from '../strategy.ts';
import { requestFor } from './request-for.ts';

const TRIGGER_TOKENS = 100_000;
const KEEP_TOOL_USES = 3;

/**
 * Everything is sent, and Anthropic is asked to clear: its own defaults, above 100,000 tokens all but the 3 newest results.
 * The provider decides anew on every request, so that the first result that stays moves; a marker is parked before it.
 * On models of other providers it keeps everything. No option of a context: that asks the provider, too, but does not know what it
 * clears, and refuses a conversation that is larger than the window before any of it is.
 */
const microcompactServer: Strategy = {
  name: 'microcompact-server',
  create(context) {
    const { policy, model } = context;
    const messages: Message[] = [];
    const withResults: number[] = [];
    const server = contextManagement({
      triggerTokens: TRIGGER_TOKENS,
      clearAtLeastTokens: 0,
      keepToolUses: KEEP_TOOL_USES,
    });
    return {
      add(message) {
        const at = messages.push(message) - 1;
        for (const _ of toolResults(message)) withResults.push(at);
      },
      request() {
        const request = requestFor(context, messages);
        if (model.provider !== 'anthropic') return request;
        const parkedAt = withResults.slice(-KEEP_TOOL_USES)[0];
        return placeMarkers({ ...request, server }, { policy, parkedAt });
      },
    };
  },
};

export default microcompactServer;
