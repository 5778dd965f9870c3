import type { Endpoint } from '../core/endpoint.ts';
import { jsonReply } from '../core/http.ts';
import { COMPACT_FIELDS } from './fields.ts';
import { summarize } from './reply.ts';
import { compactionItem } from './responses-items.ts';
import { readResponse } from './responses-read.ts';
import { responsesUsage } from './responses-usage.ts';

/** POST /v1/responses/compact: the user's messages as they are, and one item that stands for the rest. */
export const compactResponse: Endpoint = async (call) => {
  const prepared = readResponse(call, COMPACT_FIELDS);
  const { summary, served, outputTokens } = await summarize(call, prepared);
  const { state, startMs } = call;
  const users = prepared.items.filter(
    ({ type, role }) => role === 'user' && (type ?? 'message') === 'message',
  );
  const kept = users.map((item) => ({
    id: state.newId('msg'),
    type: 'message',
    status: 'completed',
    ...item,
  }));
  return {
    model: prepared.model.id,
    billed: [served],
    outputTokens,
    reply: jsonReply(200, {
      id: state.newId('resp'),
      object: 'response.compaction',
      created_at: Math.floor(startMs / 1_000),
      output: [...kept, compactionItem(summary, state.newId)],
      usage: responsesUsage([served.tokens], { outputTokens, reasoningTokens: 0 }),
    }),
  };
};
