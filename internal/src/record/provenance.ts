import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '@varve/messages';
import { root } from '../workspace.ts';
import { NORMALISATION_RULES } from './normalise.ts';
import type { Recording, Source } from './recording.ts';
import { sourceFolder } from './scratch.ts';
import { type SessionFacts, sessionFacts } from './session-facts.ts';

/** `fixtures/README.md`: where each recorded session comes from, what is in it, and what was normalised. */
export function provenancePage(recordings: readonly Recording[]): string {
  return `# Recorded sessions

\`sessions/\` holds coding sessions recorded for this project, one log a file, one entry a line, and \`summaries/\` answers to
requests for summaries of them. \`agent/\` holds a session of \`apps/agent\`, as that writes its logs. \`formats/\` holds small
invented files in the formats of other tools, for the importers. All are data only: read by path, imported by nothing.

## How they were made

A session is a script in \`internal/recordings\`: what the user says, what the assistant says, and which tools it calls. The
recorder (\`internal/src/record.ts\`) copies a published package into a scratch folder and really runs every call there: what
\`read\`, \`grep\` and \`shell\` answer is what the files hold and the programs print, and every edit is applied. Where the
script expects a test to fail or a line to show, the recorder stops if the world disagrees; after the last step the tests
of the scratch project have to pass.

- The words of user and assistant are authored; no model was called. Responses therefore carry a model name and a stop
  reason, but no usage: nothing was billed.
- Thinking blocks are authored too, and their signatures are placeholders (\`fixture-signature-0001\`).
- Ids count up from the position. Times come from a recorded clock: replies and calls take plausible times, and the user
  is away for six minutes and for seventy in every session.
- A call the user stopped is not run; its result is a synthetic one that says so.
- Commands see a fixed environment, a short list of programs, and no network.

Record again with \`pnpm record\`, or one with \`pnpm record <name>\`. The same scripts give the same bytes. Nothing is
downloaded: the packages are development dependencies of \`internal\`, pinned to the version named here.

What is normalised in the output of commands, and nothing else:

${NORMALISATION_RULES.map(({ name, what }) => `- ${name}: ${what}`).join('\n')}

## Summaries

\`summaries/\` holds answers to the request for a summary that \`@varve/compact\` makes of these sessions, at six of their eight places of 55
and 85 % of the tokens. Each was authored once, by following the instruction on that very input without seeing any score, and is kept as it
came; it names the instruction and the request that it answers, so that a change of either makes it stale, and \`pnpm eval
fidelity\` says so. \`pnpm eval summaries\` writes the requests for new ones.

## The agent's own session

\`agent/amounts.jsonl\` is a log that \`apps/agent\` wrote, and \`agent/amounts/agents/explore-1.jsonl\` that of the agent it asked. The
program ran twice in a scratch folder (the second time with \`-c\`), a script typed what the person says, and the provider was
\`@varve/emulator\`, which answered from \`internal/recordings/agent-amounts\`: the words of both are authored, no model was called. All
else is what the program did: prompt and tools are its own, commands ran and edits were applied, a test fails and is mended,
twice; a long output is stored, a rule is kept for the session, an agent looks something up, \`/compact\` brings a file back,
\`/rewind\` takes a question back. The usage is what the emulator's cache came to; nobody was billed.

\`pnpm record amounts\` plays it again into the same bytes, as long as the agent's prompt and tools are those of the day. For
that the scratch folder is always \`/tmp/varve-recording\`, and the program is told that the system is \`linux 6\` and the day
2026-11-30. In the logs, random ids of entries count up and entries are two seconds apart; nothing else is changed. \`pnpm eval\` does not take this session; the replay of the agent's tests and the
digests of requests do.

## Sessions

| session | messages | calls | failed results | turns | tokens of messages | idle gaps (min) |
|---|---|---|---|---|---|---|
${recordings.map((recording) => row(recording, factsOf(recording))).join('\n')}

Tokens are counted with o200k over all text, thinking, tool input and tool results; system prompt and tool definitions
(${factsOf(recordings[0] as Recording).headTokens.toLocaleString('en')} tokens) come on top.

${recordings.map(section).join('\n')}`;
}

/** `fixtures/LICENSES.md`: the licences of the packages whose files show up in tool results. */
export function licencesPage(recordings: readonly Recording[]): string {
  const sources = new Map(
    recordings.flatMap((recording) => recording.sources).map((source) => [source.name, source]),
  );
  const texts = [...sources.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((source) => `## ${source.name} ${source.version}\n\n${quoted(licenceOf(source))}\n`);
  return `# Licences of what the recorded sessions show

Tool results in \`sessions/\` hold parts of the files of these packages.

${texts.join('\n')}`;
}

function row({ name }: Recording, facts: SessionFacts): string {
  const { messages, toolCalls, failedResults, turns, messageTokens, gapsMinutes } = facts;
  const tokens = messageTokens.toLocaleString('en');
  const cells = [name, messages, toolCalls, failedResults, turns, tokens, gapsMinutes.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

function section(recording: Recording): string {
  const packages = recording.sources.map(
    (source) => `${source.name} ${source.version} (${licenceName(source)})`,
  );
  return `### ${recording.name}

${recording.task}

- Package: ${packages.join(', ')}
- Model named in the log: ${recording.model}
- Recorded: ${recording.recordedOn}
`;
}

function factsOf({ name }: Recording): SessionFacts {
  const lines = readFileSync(join(root, 'fixtures', 'sessions', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return sessionFacts(lines.map((line) => JSON.parse(line) as Entry));
}

function licenceName(source: Source): string {
  const manifest = readFileSync(join(sourceFolder(source), 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { license: string }).license;
}

function licenceOf(source: Source): string {
  const folder = sourceFolder(source);
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file === undefined) throw new Error(`${source.name} comes without a licence text`);
  return readFileSync(join(folder, file), 'utf8').trimEnd();
}

function quoted(text: string): string {
  return text
    .replace(/\r/g, '')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
