/** A place that a detector of `ideas.ts` finds outside of the home of an idea, and that is no copy. */
export interface Elsewhere {
  /** Name of the idea. */
  readonly idea: string;
  /** A file, or how files begin. */
  readonly file: string;
  readonly why: string;
}

export const NOT_THE_SAME: readonly Elsewhere[] = [
  {
    idea: 'what an edit brought or took',
    file: 'packages/compact/src/fold/planner.ts',
    why: 'where nothing came in place of what was taken, and not what that was',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'packages/compact/src/fold/fold-text.ts',
    why: 'kinds of calls, as the home tells them, of which the result comes again when the call is made again',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'packages/microcompact/src/need',
    why: 'features that need is told by: they have names and weights of their own',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'evals/src/fit/fit-need.ts',
    why: 'names of the features that weights are chosen for',
  },
  {
    idea: 'smaller by enough',
    file: 'evals/src/fit/logistic.ts',
    why: 'how much one observation says when weights are chosen',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'packages/ledger/src/prose.ts',
    why: 'verbs with which an assistant says that it is going to look at something',
  },
  {
    idea: 'smaller by enough',
    file: 'evals/src/fidelity/questions/agreement.ts',
    why: 'how far two readers agree beyond chance',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'apps/agent/src/permissions/',
    why: 'what people allow by name in rules of their own, and what certainly changes nothing: stricter than what a command is about',
  },
  {
    idea: 'race of a promise with an abort',
    file: 'apps/agent/src/hooks/run.ts',
    why: 'an abort stops a process, and its end is waited for',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'apps/agent/src/agents/definitions.ts',
    why: 'which tools of this agent change files or start agents: what its kinds of agents may not use',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'apps/agent/src/ui/',
    why: 'how the tools of this agent look in an editor, and which of their fields a person wants to see first',
  },
  {
    idea: 'race of a promise with an abort',
    file: 'apps/agent/src/ui/acp/session.ts',
    why: 'a prompt that is cancelled leaves the queue, or stops the turn that has heard it; it is answered in both cases',
  },
  {
    idea: 'which request is still open',
    file: 'apps/agent/src/ui/acp/updates.ts',
    why: 'all calls of a history are shown to an editor, answered or not',
  },
  {
    idea: 'error class',
    file: 'apps/agent/src/options.ts',
    why: 'a call of the program that makes no sense: caught by `main` beside it, and carries an exit code',
  },
  {
    idea: 'lock file',
    file: 'apps/agent/src/tools/shell.ts',
    why: 'a file for the output of a command, which loses its name at once',
  },
  {
    idea: 'smaller by enough',
    file: 'packages/compact/src/full/fallback.ts',
    why: 'how much of the results has to go to make room for facts: an amount, and no judgement',
  },
  {
    idea: 'what a planner is told',
    file: 'packages/microcompact/src/plain-context.ts',
    why: 'the plain function has no log and no clock: its caller says what is known',
  },
  {
    idea: 'what a planner is told',
    file: 'evals/src/fidelity/compactors/collapse.ts',
    why: 'measured in a room of its own, without time, cache and prices',
  },
  {
    idea: 'race of a promise with an abort',
    file: 'packages/emulator/src/server/write-reply.ts',
    why: 'waits for an event of a stream that has to be let go of, not for a promise',
  },
  {
    idea: 'race of a promise with an abort',
    file: 'packages/session-memory/src/one-at-a-time.ts',
    why: 'counts who still waits: only the last one to leave stops the work',
  },
  {
    idea: 'a person said this',
    file: 'evals/src/fidelity/',
    why: 'the evaluator reads by its own rules, or it could not find a fault in ours',
  },
  {
    idea: 'a person said this',
    file: 'packages/emulator/src/anthropic/prepare.ts',
    why: 'where the provider says a turn starts: it does not know persons',
  },
  {
    idea: 'a person said this',
    file: 'packages/prompt-cache/src/clear-thinking.ts',
    why: 'where the provider says a turn starts: it does not know persons',
  },
  {
    idea: 'which request is still open',
    file: 'packages/transcript/src/import/',
    why: 'the words of other formats',
  },
  {
    idea: 'thinking bound to a prefix that changed',
    file: 'evals/src/replay/',
    why: 'the evaluator checks what was dropped by its own rules',
  },
  {
    idea: 'thinking bound to a prefix that changed',
    file: 'packages/emulator/src/anthropic/',
    why: 'refuses what a provider refuses, and drops nothing',
  },
  {
    idea: 'what an edit brought or took',
    file: 'evals/src/fidelity/',
    why: 'the evaluator reads recorded compactions by itself',
  },
  {
    idea: 'list of secrets',
    file: 'evals/src/fidelity/attack/',
    why: 'invents secrets, to see whether they are kept out',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'evals/src/fidelity/',
    why: 'the evaluator reads calls by its own rules, or it could not find a fault in ours',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'evals/src/replay/',
    why: 'the evaluator reads calls by its own rules, or it could not find a fault in ours',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'packages/ledger/src/test-facts.ts',
    why: 'which commands show, and shorten, the output of tests',
  },
  {
    idea: 'names of tools, of their path fields, of shell commands',
    file: 'packages/microcompact/src/rent/due-age.ts',
    why: 'a weight for each kind of tool, typed by the vocabulary',
  },
  {
    idea: 'record guard',
    file: 'packages/redact/src/redact-json.ts',
    why: 'arrays, and objects that no class made: what may be copied field by field',
  },
];
