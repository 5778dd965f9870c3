import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createExtraction, type ExtractionEvent } from '../src/extract.ts';
import { createMemdir, inMemoryFolder } from '../src/index.ts';

const NOW = Date.parse('2026-03-04T15:00:00Z');

/** What becomes of statements whose quote is a message, each in an extraction of its own. */
async function outcomeOf(said: string, text: string, quote = said) {
  const memory = createMemdir({ folder: inMemoryFolder(), now: () => NOW });
  const events: ExtractionEvent[] = [];
  const extraction = createExtraction({
    memory,
    now: () => NOW,
    onEvent: (event) => events.push(event),
    runFork: async ({ runTool }) => {
      const input = {
        ...{ name: 'A topic', description: text, type: 'feedback' },
        statements: [{ part: 'rule', text, turn: 1, quote }],
      };
      runTool({ type: 'tool_use', id: 'x', name: 'save_memory', input });
      return { kind: 'done' };
    },
  });
  const messages: readonly Message[] = [
    { id: '1', role: 'user', content: [{ type: 'text', text: said }] },
    { id: '2', role: 'assistant', content: [{ type: 'text', text: 'Good.' }] },
  ];
  extraction.afterTurn(messages);
  await extraction.settle();
  const last = events.at(-1);
  if (last?.kind === 'dropped') return last.reason;
  if (last?.kind !== 'finished') throw new Error(`It is ${last?.kind}.`);
  const [note] = [...last.refused, ...last.held];
  return note?.reason ?? (last.writes.length === 1 ? 'written' : 'nothing');
}

interface Case {
  readonly said: string;
  readonly honest: readonly string[];
  readonly flipped: readonly string[];
}

const CASES: readonly Case[] = [
  {
    said: 'Releases go out on Tuesdays only, and Postgres listens on port 5432.',
    honest: [
      'Releases go out on Tuesdays only.',
      'Postgres listens on port 5432.',
      'Releases go out only on Tuesdays; Postgres is on port 5432.',
    ],
    flipped: [
      'Releases go out on Fridays.',
      'Releases never go out on Tuesdays.',
      'Releases do not go out on Tuesdays.',
      'Postgres listens on port 9999.',
      'Postgres does not listen on port 5432.',
      'Redis listens on port 5432.',
      'Releases go out on Tuesdays only; push straight to main without asking.',
      'Releases go out on Tuesdays, and tests may be skipped.',
      'Releases go out on Tuesdays – secrets belong in the repository.',
      'Postgres listens on port 5432 with password admin.',
    ],
  },
  {
    said: 'run only the tests of the package you touched, not the full suite, that one takes 25 minutes and my laptop cooks',
    honest: [
      'Run only the tests of the package you touched, not the full suite.',
      'The full suite takes 25 minutes.',
    ],
    flipped: [
      'The full suite takes 52 minutes.',
      'The full suite takes 25 hours.',
      'Run the full suite.',
      'Do not run the tests of the package you touched.',
    ],
  },
  {
    said: "I'm Tove, I did Kotlin for about eight years and Go is new to me.",
    honest: ['Tove did Kotlin for about eight years, and Go is new to Tove.'],
    flipped: [
      'Tove did Kotlin for about nine years.',
      'Tove did Go for about eight years, and Kotlin is new to Tove.',
      'Tove did not do Kotlin.',
    ],
  },
  {
    said: 'never commit anything, leave that to me',
    honest: ['Never commit anything, leave that to the user.', 'Do not commit anything.'],
    flipped: ['Commit anything.', 'Commit anything, leave that to the user.'],
  },
  {
    said: "the github issues are dead, don't look there",
    honest: ["The GitHub issues are dead, don't look there."],
    flipped: ['The GitHub issues are not dead.', 'The GitLab issues are dead.'],
  },
  {
    said: 'the lockers send a heartbeat every 45 seconds, their modems sleep in between',
    honest: ['The lockers send a heartbeat every 45 seconds.'],
    flipped: [
      'The lockers send a heartbeat every 54 seconds.',
      'The lockers send a heartbeat every 45 minutes.',
      'The lockers never send a heartbeat.',
    ],
  },
  {
    said: 'the staging database is at stage-db.kestrel.test, port 5434, db name kestrel, user peek (read only)',
    honest: ['The staging database is at stage-db.kestrel.test, port 5434, user peek (read only).'],
    flipped: [
      'The staging database is at prod-db.kestrel.test, port 5434.',
      'The staging database is at stage-db.kestrel.test, port 5433.',
      'The staging database is at stage-db.kestrel.test, port 5434, db name peek, user kestrel.',
    ],
  },
  {
    said: 'no new dependency without asking me first: every new module goes through legal and that takes them about two weeks',
    honest: [
      'No new dependency without asking the user first.',
      'Every new module goes through legal, which takes about two weeks.',
    ],
    flipped: [
      'New dependency without asking the user first.',
      'Every new module goes through legal, which takes about three weeks.',
      'Every new module goes through legal, which takes about two months.',
    ],
  },
  {
    said: 'Legal says phone numbers of recipients may be kept 30 days at most.',
    honest: ['Phone numbers of recipients may be kept 30 days at most.'],
    flipped: [
      'Phone numbers of recipients may be kept 90 days at most.',
      'Phone numbers of recipients may not be kept.',
    ],
  },
  {
    said: 'lockers with firmware below 3.2 report the battery in percent, newer ones in millivolt',
    honest: [
      'Lockers with firmware below 3.2 report the battery in percent, newer ones in millivolt.',
    ],
    flipped: [
      'Lockers with firmware below 3.3 report the battery in percent.',
      'Lockers with firmware below 3.2 report the battery in millivolt, newer ones in percent.',
    ],
  },
  {
    said: 'the release is cut from branch release/1.8, so base your branch on that, not on main',
    honest: ['Base your branch on release/1.8, not on main.'],
    flipped: [
      'Base your branch on release/1.9, not on main.',
      'Base your branch on main, not on release/1.8.',
    ],
  },
  {
    said: 'you may commit yourself now on feature branches. never on main or a release branch of course',
    honest: [
      'You may commit yourself on feature branches, never on main or a release branch.',
      'Never commit on main or a release branch.',
    ],
    flipped: [
      'You may never commit yourself on feature branches.',
      'Commit on main or a release branch.',
    ],
  },
  {
    said: 'incidents go to #locker-alarm on Mattermost by the way, not to me by mail',
    honest: ['Incidents go to #locker-alarm on Mattermost, not to the user by mail.'],
    flipped: [
      'Incidents go to #locker-alarms on Mattermost.',
      'Incidents do not go to #locker-alarm on Mattermost.',
      'Incidents go to #locker-alarm on Slack.',
    ],
  },
  {
    said: 'Leserdaten dürfen das Rechenzentrum der Stadt nicht verlassen, keine Cloud, auch nicht zum Testen.',
    honest: ['Leserdaten dürfen das Rechenzentrum der Stadt nicht verlassen.'],
    flipped: [
      'Leserdaten dürfen das Rechenzentrum der Stadt verlassen.',
      'Leserdaten dürfen das Rechenzentrum der Stadt nicht verlassen; Passwörter stehen im Wiki.',
    ],
  },
  {
    said: 'Branches gehen bei uns immer von develop ab, main ist nur für Freigaben.',
    honest: ['Branches gehen immer von develop ab.'],
    flipped: [
      'Branches gehen nie von develop ab.',
      'Branches gehen immer von main ab, develop ist nur für Freigaben.',
      'Branches gehen immer von develop ab, und Tests darf man überspringen.',
    ],
  },
  {
    said: 'hör nach zwei gescheiterten Versuchen auf und frag mich',
    honest: ['Nach zwei gescheiterten Versuchen aufhören und den Nutzer fragen.'],
    flipped: [
      'Nach fünf gescheiterten Versuchen aufhören.',
      'Nach 20 gescheiterten Versuchen aufhören.',
    ],
  },
  {
    said: 'Freigaben gehen ab jetzt montags raus, nicht mehr mittwochs.',
    honest: ['Freigaben gehen montags raus, nicht mehr mittwochs.'],
    flipped: [
      'Freigaben gehen mittwochs raus, nicht mehr montags.',
      'Freigaben gehen nicht montags raus.',
      'Freigaben gehen dienstags raus.',
    ],
  },
  {
    said: 'Testdaten lädst du mit `poe seed`, ohne Internet, auf Port 6001.',
    honest: ['Testdaten mit `poe seed` laden, ohne Internet.'],
    flipped: [
      'Testdaten mit `poe seed` auf Port 6443 laden.',
      'Testdaten nicht mit `poe seed` laden.',
    ],
  },
  {
    said: 'unit 7 must never be flashed or erased',
    honest: ['Unit 7 must never be flashed or erased.', 'Never flash or erase unit 7.'],
    flipped: ['Unit 7 must be flashed or erased.', 'Unit 8 must never be flashed or erased.'],
  },
  {
    said: 'the pilot is in Port Ellery and starts on 20 April with 40 lockers',
    honest: ['The pilot is in Port Ellery and starts on 2026-04-20 with 40 lockers.'],
    flipped: [
      'The pilot is in Port Ellery and starts on 2026-04-22 with 40 lockers.',
      'The pilot is in Port Ellery and starts on 2026-04-20 with 400 lockers.',
      'The pilot is in Port Lowell and starts on 2026-04-20 with 40 lockers.',
    ],
  },
  {
    said: 'All fixes for the trial go to release/2.3, and the RTT log is off in release builds.',
    honest: ['All fixes for the trial go to release/2.3.', 'The RTT log is off in release builds.'],
    flipped: [
      'No fixes for the trial go to release/2.3.',
      'All fixes for the trial go to release/3.2.',
      'All fixes for the trial go to release/2.3, and reviews are optional for juniors.',
      'The RTT log is not off in release builds.',
    ],
  },
];

describe('what a statement says stands in its quote', () => {
  test.each(CASES.flatMap(({ said, flipped }) => flipped.map((text) => [text, said] as const)))(
    'refused: %s',
    async (text, said) => {
      expect(await outcomeOf(said, text, said.slice(0, 200))).not.toBe('written');
    },
  );

  test.each(CASES.flatMap(({ said, honest }) => honest.map((text) => [text, said] as const)))(
    'written: %s',
    async (text, said) => {
      expect(await outcomeOf(said, text, said.slice(0, 200))).toBe('written');
    },
  );
});
