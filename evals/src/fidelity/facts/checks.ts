/**
 * The part of a shell command that tests, builds or checks, as a person would name it: without a change of folder, variables,
 * redirections and what its output goes through. Undefined where nothing of it does.
 */
export function checkOf(command: string): string | undefined {
  for (const part of command.split(SEPARATOR)) {
    const bare = part
      .split(/(?<!\|)\|(?!\|)/)[0]
      ?.replace(REDIRECT, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(BEFORE, '');
    if (bare !== undefined && (PROGRAM.test(bare) || TASK.test(bare)))
      return bare.slice(0, MAX_CHARACTERS).trim();
  }
  return undefined;
}

const MAX_CHARACTERS = 120;
const SEPARATOR = /&&|\|\||[;\n]/;
const REDIRECT = /\d?>&\d|&?\d?>>?\s*[\w./-]+/g;
/** Variables, limits of time, and what runs a program of the project. */
const BEFORE = /^(?:(?:\w+=\S*|env|time|timeout \S+|sudo) )+/;
const PROGRAM =
  /^(?:(?:npx|bunx|pnpm(?: exec| dlx)?|yarn(?: dlx)?|uv run|poetry run|python3? -m) )?(?:\S*\/)?(?:vitest|jest|mocha|pytest|rspec|ctest|tox|nox|phpunit|tsc|vue-tsc|eslint|biome|ruff|mypy|pyright|unittest|golangci-lint|make(?= *$))(?![\w/.-])/;
const TASK =
  /^(?:npm|pnpm|yarn|bun|cargo|go|make|just|gradle|\.\/gradlew|mvn|dotnet|deno|turbo|nx|swift|mix|rake|composer|node|bazel|cmake|zig)\b.*(?<![\w/.-])(?:--)?(?:tests?|check|build|lint|typecheck|type-check|tsc|vet|clippy|verify|compile)(?![\w/.-])/;
