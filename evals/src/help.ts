/** What `--help` prints. */
export const HELP = `Replays recorded coding sessions under context strategies and says what each costs and loses.

  varve-evals [flags]            replay
  varve-evals validate [flags]   compare the cache simulator with billed usage

  --sessions <path> …   session files or folders
                        (default: the project's own sessions)
  --strategy <name>     name, or path of a file that exports one; repeat it or separate with commas
                        (default: all built-in ones: keep-all, drop-oldest, sliding-clear,
                        sliding-clear+parked, batched-clear, batched-clear+parked, volatile-prefix)
  --model <id>          price as this model; "recorded": as each session's own
                        (default: a current model of the provider)
  --provider <name>     anthropic, openai, google, deepseek, none (no cache)
  --window <tokens>     context window that strategies are told (default: the model's)
  --ttl <5m|1h|none>    lifetime of cache entries; none: they never expire (default: 5m)
  --jobs <count>        worker threads (default: one for each processor)
  --out <folder>        where report.json and report.md go (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;
