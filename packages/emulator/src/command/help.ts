export const HELP = `varve-emulator: a provider on this machine, for tests

  --port <number>        port to listen on (default: any free one)
  --host <address>       loopback address (default: 127.0.0.1)
  --replies <file>       .json: a list of replies; .js, .mjs or .ts: a module whose default export is a list or a function
  --session <file>       reply with the model's turns of a recorded session
  --then <what>          after the last reply of a list: fail, repeat-last or start-over (default: fail)
  --log <file>           append every exchange as a line of JSON (with --upstream), or every request
  --upstream <url>       forward to a real provider and record, instead of answering
  --expect-hit-rate <n>  exit with 1 if less than this share (0 to 1) of all prompt tokens was read from the cache
  --report <file>        write the report there at the end
  --help                 this text

It prints one line of JSON with its url, then serves until SIGINT or SIGTERM.
Exit code: 0; 1 where the hit rate was too low; 2 where anything else went wrong.
npx does not pass signals on: start node_modules/.bin/varve-emulator where its exit code matters.
`;
