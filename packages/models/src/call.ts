// What a request asks for, fitted to what its model and an SDK take.
export { type CallWindowOptions, callWindow } from './call-window.ts';
export { fitCall, MOST_UNSTREAMED_TOKENS, thinkingBudget } from './fit-call.ts';
