import {
  anthropicProfile,
  checkHistory,
  checkRequest,
  type Message,
  type Request,
  repairHistory,
} from '@varve/messages';

// a history that no provider takes: its call has no result
const content = [{ type: 'tool_use', id: 'a', name: 'bash', input: {} }];
const messages: Message[] = [
  { id: '1', role: 'user', content: [{ type: 'text', text: 'Go.' }] },
  { id: '2', role: 'assistant', content },
  { id: '3', role: 'user', content: [{ type: 'text', text: 'And?' }] },
];
const head = { id: 'head', model: 'claude-opus-5-5', system: [], tools: [], params: {} };
const request: Request = { head, messages, markers: [], maxOutputTokens: 1_000 };

const profile = anthropicProfile({ thinking: 'prefix-bound' }); // or openaiChatProfile(), openaiResponsesProfile()
checkHistory(messages, profile); // could it be continued? every violation: { code, messageIndex, blockIndex, text }
checkRequest(request, profile); // would it be accepted? also head, markers, size and whose turn it is
const { messages: mended, repairs } = repairHistory(messages, { profile });
console.log(checkHistory(messages, profile).length, checkRequest(request, profile).length);
console.log(repairs.length, checkHistory(mended, profile));
