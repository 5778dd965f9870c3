export type { AgentEvent, Emit, SessionFacts, Todo } from './events.ts';
export { type Agent, interrupted, type Limits, runTurn, type TurnEnd } from './loop.ts';
export { connect } from './model.ts';
export { createSession, type Session, type SessionOptions } from './session.ts';
