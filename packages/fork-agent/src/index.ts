export { type Agent, type AgentOptions, createAgent } from './agent.ts';
export { isForkHistory, type ParentReply } from './child-prefix.ts';
export { type BuiltInNames, builtInAgents } from './definitions/built-in.ts';
export type {
  AgentDefinition,
  DefinitionProblem,
  DefinitionSource,
  ParsedDefinition,
} from './definitions/definition.ts';
export { agentListMessage, mergeDefinitions } from './definitions/merge-definitions.ts';
export {
  type ParseDefinitionOptions,
  parseAgentDefinition,
  parseAgentSettings,
} from './definitions/parse-definition.ts';
export { onlyTools, toolsOf } from './definitions/tools-of.ts';
export type { HeadOverride, PrefixDifference } from './differences.ts';
export { ForkError, type ForkErrorCode, type ForkErrorOptions } from './error.ts';
export { type FanOutOptions, type FanOutResult, fanOut } from './fan-out.ts';
export { createFork, type Fork, type ForkOptions, type PriceOptions } from './fork.ts';
export {
  forkNotification,
  forkResultBlock,
  type HandBackOptions,
  type HandedBack,
} from './hand-back.ts';
export type { Mail, MailBody } from './mail/mail.ts';
export { mailBlocks } from './mail/mail-blocks.ts';
export {
  createMailboxes,
  drain,
  type Inbox,
  type Mailboxes,
  type MailRoute,
} from './mail/mailbox.ts';
export { parseMail } from './mail/parse-mail.ts';
export {
  createMailRouter,
  type MailRouter,
  type RouterOptions,
  type SendReport,
} from './mail/router.ts';
export type { ForkPlan, RequestPrice } from './plan.ts';
export {
  type ProgressPlan,
  type ProgressPlanOptions,
  planProgress,
} from './progress/plan-progress.ts';
export {
  createProgress,
  type Progress,
  type ProgressOptions,
  type ProgressResult,
} from './progress/progress.ts';
export type { ProgressState } from './progress/requests.ts';
export type {
  ChildStop,
  CompactChild,
  Denial,
  ForkResult,
  GateAnswer,
  RunOptions,
  ToolContext,
  ToolGate,
  ToolOutcome,
  ToolRunner,
} from './types.ts';
