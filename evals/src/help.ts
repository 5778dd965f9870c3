/** What `--help` prints. */
export const HELP = `Replays recorded coding sessions under context strategies and says what each costs and loses.

  varve-evals [<path> …] [flags] replay
  varve-evals validate [flags]   compare the cache simulator with billed usage
  varve-evals grid [flags]       compare with fixed thresholds chosen on other projects' sessions
  varve-evals fit [flags]        weights of the clearing rule, from recorded sessions
  varve-evals fidelity [flags]   what compactions leave of what was said, done and needed next
  varve-evals summaries [flags]  requests for summaries, for a model to answer once
  varve-evals questions [flags]  what readers can still answer from what compactions leave
  varve-evals memory [flags]     what long-term memory keeps that is wrong, and what it misses

  --sessions <path> …   session files or folders, or a home folder: agents' places in it are known
                        (default: the project's own, in its repository only)
  --strategy <name>     name, or path of a file that exports one; repeat it or separate with commas
                        (default: some on the first screen, all with --all or --json).
                        batched-t<K>-n<results>-f<K>, also with +parked, names any fixed
                        threshold for clearing, ledger-t<K>-k<K>, also behind layers+, any for
                        compaction
  --peers               add strategies of other projects; they run from the packages langchain,
                        @langchain/core, ai and deepagents, which have to be installed, and from
                        @google/gemini-cli-core where it is installed in the working folder
  --model <id>          price as this model; "recorded": as each session's own, and those
                        whose model has no known price are left out
                        (default: a current model of the provider). With "recorded" the bills
                        of the sessions stand beside what they cost as they were
  --override <id>=<what>
                        what a model is: a known id, whose prices and rules it then has, or prices
                        and window: gpt-5.5=input:5,output:30,read:0.5,window:400000; repeat it
  --provider <name>     anthropic, openai, google, deepseek, none (no cache)
  --window <tokens>     context window: larger requests are refused, and before one passes it,
                        less 33K, the agent has to compact; none: whatever its size, a request
                        is priced as if accepted (default: the model's)
  --ttl <5m|1h|none>    lifetime of cache entries; none: they never expire (default: 5m,
                        with --model recorded that of each session's bills)
  --read-price <share>  price of a token read from the cache, as a share of a plain one, such as
                        0.05 (default: the model's)
  --reread-factor <n>   re-reads cost n times their price (default: 1)
  --rereads <how>       whole, or ranges: only the lines that are needed come back (default: whole)
  --thinking <rule>     free, latest-turn or prefix-bound: how thinking is bound to what stands
                        before it (default: the model's)
  --all                 every strategy and every figure in the model's window, in place of the
                        first screen, which shows some strategies in two windows
  --explain <word>      what a column or a strategy is, and how to build it in
  --jobs <count>        worker threads (default: one for each processor)
  --out <folder>        where report.json and report.md go (default: evals/results)
  --json                print the report as one JSON document and nothing else: every strategy, and
                        without --all or --window in a window of 200K too
  -h, --help            this text
`;

/** A text of help with what is to be typed again: where pnpm started the command, it need not be installed. */
export const asTyped = (help: string, env: NodeJS.ProcessEnv = process.env): string =>
  env.npm_lifecycle_event === 'eval' ? help.replaceAll('varve-evals', 'npx -y pnpm@12 eval') : help;
