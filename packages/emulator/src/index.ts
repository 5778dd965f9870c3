export type { Served } from './cache/account.ts';
export { policyOf } from './cache/accounts.ts';
export type { HttpReply, HttpRequest } from './core/http.ts';
export type { RateLimits } from './core/rate-limits.ts';
export { createEmulator, type Emulator } from './emulator.ts';
export { EmulatorError, type EmulatorErrorCode } from './error.ts';
export type { Fault, FaultCall, FaultKind, WireFault } from './faults/fault.ts';
export type { RecordedRequest } from './log/exchange.ts';
export type { EmulatorReport, ReportedBreak } from './log/report.ts';
export type { EmulatorOptions } from './options.ts';
export { type ExtractiveSummaryOptions, extractiveSummary } from './replies/extractive-summary.ts';
export { type Recording, recorded } from './replies/recorded.ts';
export type {
  ProviderName,
  Replies,
  ReplyCall,
  ReplyLike,
  ReplyMessage,
} from './replies/reply.ts';
export { type ScriptOptions, script } from './replies/script.ts';
export type { Listening, ListenOptions } from './server/listen.ts';
export { type ProxiedExchange, type ProxyOptions, startRecordingProxy } from './server/proxy.ts';
export { type RunningEmulator, type StartOptions, startEmulator } from './server/start.ts';
