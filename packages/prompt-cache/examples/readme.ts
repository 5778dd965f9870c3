import { cachePolicy, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';

const policy = cachePolicy('claude-opus-5-5');
const cache = createCacheSimulator(policy);
const system = [{ type: 'text' as const, text: 'You fix failing tests. '.repeat(400) }];
const head = { id: 'head', model: 'claude-opus-5-5', system, tools: [], params: {} };
const ask = { id: '1', role: 'user' as const, content: [{ type: 'text', text: 'Fix it.' }] };
const reply = { id: '2', role: 'assistant' as const, content: [{ type: 'text', text: 'Done.' }] };
const history = [ask, reply, { ...ask, id: '3' }];

for (const [minute, messages] of [[ask], history, history].entries()) {
  const request = placeMarkers({ head, messages, markers: [], maxOutputTokens: 1_000 }, { policy });
  const { tokens, dollars, breaks } = cache.send(request, { startMs: minute ** 3 * 60_000 });
  console.log(tokens.read, tokens.write5m, dollars?.toFixed(6), breaks[0]?.cause ?? 'no break');
}
