import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { conversation, filesOf, rule, type SentBlock, save, setup } from './memory-support.ts';

const said = [
  'The deck of Brno has 24 slots, because the cabinet came from the old station.',
  'Never merge on Fridays.',
  'The audit is next week.',
  'Forget that I like tea.',
].join(' ');

interface Given {
  readonly calls: readonly Block[];
  readonly text?: string;
  readonly saved?: readonly (readonly [name: string, body: string])[];
  readonly isShared?: boolean;
}

/** What the calls of one reply are answered, and the files after it. */
async function answersTo({ calls, text = said, saved = [] }: Given) {
  const { extraction, sent, path, memory, finished } = await setup([calls]);
  for (const [name, body] of saved)
    await memory.save({ name, description: `About ${name}`, type: 'project', body });
  const { messages, user, answer } = conversation();
  user(text);
  answer('Good.');
  extraction.afterTurn(messages);
  await extraction.settle();
  const results: readonly SentBlock[] = sent()[1]?.messages.at(-1)?.content ?? [];
  return { answers: results.map(({ content }) => String(content)), files: filesOf(path), finished };
}

const deck = rule('The deck of Brno has 24 slots.', 1, 'The deck of Brno has 24 slots');
const why = {
  ...rule('The cabinet came from the old station.', 1, 'the cabinet came from the old station'),
  part: 'why',
};
const project = { name: 'Deck', type: 'project' };

describe('the answer to a call quotes each statement that was not taken, and says what would be', () => {
  test.each<[string, ReturnType<typeof rule>, RegExp]>([
    ['a quote of nobody', rule('The deck is blue.', 1, 'deck is blue'), /letter by letter/],
    ['a long quote', rule('The deck is wide.', 1, 'deck '.repeat(60)), /at most 200 characters/],
    ['another quote', rule('Brno is a nice city.', 1, 'Never merge'), /quote the words that show/],
    ['a relative date', rule('The audit is next week.', 1), /write the full date/],
    ['an unknown date', rule('The audit is on 2031-01-01.', 1, 'The audit is'), /that one gives/],
    ['a splinter', rule('{"a": "deck of Brno"}', 1, 'The deck'), /one, of at most 600/],
    ['the prompt', rule(PROMPT, 1, 'The deck'), /what the user said/],
    ['what is to be forgotten', rule('The user likes tea.', 1, 'I like tea'), /leave it out/],
    ['what is known', rule('Never merge on Fridays.', 1), /project_merges\.md says this already/],
  ])('%s', async (_, bad, reason) => {
    const { answers, files } = await answersTo({
      calls: [save({ ...project, statements: [deck, bad] })],
      saved: [['Merges', 'Never merge on Fridays.']],
    });
    const [head, ...lines] = answers[0]?.split('\n') ?? [];
    expect(head).toBe('Taken, and written when you stop. Not all of it:');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`- not taken: ${JSON.stringify(bad.text)}`);
    expect(lines[0]).toMatch(reason);
    expect(files['project_deck.md']).toContain(deck.text);
  });

  test('of a call of which nothing is taken each is quoted', async () => {
    const stays = { text: 'Nobody said this one.', turn: 1, quote: 'Never merge on Fridays.' };
    const { answers, files } = await answersTo({
      saved: [['Merges', 'Merge on any day.']],
      calls: [
        save({ ...project, statements: [rule('The audit is next week.', 1), why] }),
        save({ ...project, statements: [why] }),
        save({ ...project, path: 'no.md', statements: [deck] }),
        save({ ...project, path: 'project_merges.md', statements: [deck], remove: [stays] }),
        save({ ...project, statements: [deck], remove: [stays] }),
        save({ ...project, type: 'rule', statements: [deck] }),
      ],
    });
    const [late, lone, gone, kept, unnamed, type] = answers;
    expect(late).toMatch(/audit is next week\." ".*full date[\s\S]*old station\." The rule it/);
    expect(lone).toMatch(/needs the rule or fact itself[\s\S]*"The cabinet came from/);
    expect(gone).toMatch(/no file at this path[\s\S]*"The deck of Brno/);
    expect(kept).toMatch(/"Nobody said this one\." The file does not say this[\s\S]*"The deck of/);
    expect(unnamed).toMatch(/"Nobody said this one\." .*give its path[\s\S]*"The deck of/);
    expect(type).toMatch(/has to be one of user, feedback, project, reference/);
    expect(Object.keys(files).filter((name) => !name.startsWith('.'))).toEqual([
      ...['MEMORY.md', 'project_merges.md'],
    ]);
  });

  test('what a later word of the user outdates is named', async () => {
    const text = 'The port is 5433.';
    const { extraction, sent } = await setup([
      [
        save({ ...project, name: 'Port', statements: [rule('The port is 6432.', 2)] }),
        save({ ...project, name: 'Port of it', statements: [rule(text, 1)] }),
      ],
    ]);
    const { messages, user, answer } = conversation();
    for (const each of [text, 'The port is 6432.']) {
      user(each);
      answer('Good.');
    }
    extraction.afterTurn(messages);
    await extraction.settle();
    const answers = sent()[1]
      ?.messages.at(-1)
      ?.content.map(({ content }) => String(content));
    expect(answers?.[1]).toMatch(/not taken: "The port is 5433\." The user said otherwise later/);
  });

  test('what a second call of a name replaces is named, and stays when it is sent again', async () => {
    const port = rule('The port is 6432.', 1);
    const host = rule('The host is called brno.', 1);
    const named = (...statements: readonly object[]) => save({ ...project, statements });
    const { answers, files } = await answersTo({
      text: 'The port is 6432. The host is called brno.',
      calls: [named(port), named(host), named(port)],
    });
    expect(answers[1]).toMatch(/not taken: "The port is 6432\." .*send it again/);
    expect(answers[2]).toBe('Taken, and written when you stop.');
    expect(files['project_deck.md']).toMatch(/- The host is called brno\.\n- The port is 6432\./);
  });

  test('an event quotes nothing of it', async () => {
    const stays = { text: 'Nobody said this one.', turn: 1, quote: 'Never merge on Fridays.' };
    const { finished } = await answersTo({
      saved: [['Merges', 'Merge on any day.']],
      calls: [save({ ...project, path: 'project_merges.md', statements: [deck], remove: [stays] })],
    });
    expect(finished()?.refused).toMatchObject([{ reason: 'removal-without-quote' }]);
    expect(JSON.stringify(finished())).not.toMatch(/Nobody said|deck of Brno/);
  });
});

const PROMPT =
  'Saving nothing is the normal result: most conversations hold nothing that lasts, for the deck of Brno.';

describe('name and description of a file that is changed', () => {
  const file = 'project_merges.md';
  const saved: NonNullable<Given['saved']> = [
    ['Merges', 'Merge on any day.'],
    ['Deck', 'The deck is of steel.'],
  ];
  const change = (more: object) =>
    save({
      path: file,
      type: 'project',
      statements: [rule('Never merge on Fridays.', 1)],
      ...more,
    });

  test('are both what the call says, in the file and in the index', async () => {
    const { answers, files } = await answersTo({
      saved,
      calls: [change({ name: 'Days of merges', description: 'Never merge on Fridays' })],
    });
    expect(files[file]).toMatch(/name: Days of merges\ndescription: Never merge on Fridays\n/);
    expect(files['MEMORY.md']).toContain('[Days of merges]');
    expect(answers[0]).toBe('Taken, and written when you stop.');
  });

  test('a name that another file has, and another type, are named in the answer', async () => {
    const { answers, files } = await answersTo({
      saved,
      calls: [change({ name: 'deck', description: 'Never merge on Fridays', type: 'feedback' })],
    });
    expect(files[file]).toMatch(/name: Merges\ndescription: Never merge on Fridays\ntype: project/);
    expect(answers[0]).toContain('project_deck.md has the name "deck". The name is "Merges".');
    expect(answers[0]).toContain('The type stays project.');
  });

  test('stay, where a call for a new file only puts a statement of it right', async () => {
    const { answers, files } = await answersTo({
      text: 'The port is 6432.',
      saved: [['Staging', 'The port is 5433.\n\nThe host of it is called brno.']],
      calls: [save({ name: 'Port', type: 'project', statements: [rule('The port is 6432.', 1)] })],
    });
    expect(files['project_staging.md']).toMatch(/name: Staging\ndescription: About Staging\n/);
    expect(files['project_staging.md']).toContain('The port is 6432.');
    expect(answers[0]).toContain('It goes into project_staging.md');
    expect(answers[0]).toContain('The name is "Staging".');
  });

  test('neither is changed by a call without anything new, and the answer says so', async () => {
    const again = [rule('The deck is of steel.', 1)];
    const { answers, files } = await answersTo({
      saved,
      text: 'The deck is of steel.',
      calls: [save({ path: 'project_deck.md', name: 'Steel', type: 'project', statements: again })],
    });
    expect(files['project_deck.md']).toMatch(/name: Deck\ndescription: About Deck\n/);
    expect(answers[0]).toContain('Name and description change with a statement only.');
  });

  test('a description that says what is not true any more is not taken', async () => {
    const { answers, files } = await answersTo({
      text: 'The port is 6432.',
      saved: [['Port', 'The port is 5433.']],
      calls: [
        save({
          ...{ path: 'project_port.md', name: 'Port', description: 'The port is 5433' },
          ...{ type: 'project', statements: [rule('The port is 6432.', 1)] },
        }),
      ],
    });
    expect(files['project_port.md']).toMatch(/name: Port\ndescription: The port is 6432\.\n/);
    expect(answers[0]).toContain('The description is "The port is 6432.".');
  });

  test('of two calls for one file the later labels stand, whatever else puts it right', async () => {
    const { files } = await answersTo({
      text: 'Never merge on Fridays. The deck is of wood. The port is 6432.',
      saved: [['Merges', 'Merge on any day. The port is 5433.']],
      calls: [
        change({ name: 'Days of merges', description: 'Never merge on Fridays' }),
        save({ name: 'Port', type: 'project', statements: [rule('The port is 6432.', 1)] }),
      ],
    });
    expect(files[file]).toMatch(/name: Days of merges\ndescription: Never merge on Fridays\n/);
  });
});

describe('what is left of a statement that goes', () => {
  const file = 'project_deck.md';
  const gone = (...texts: readonly string[]) =>
    texts.map((text) => ({ text, turn: 1, quote: 'The deck of Brno has 24 slots' }));
  const removing = (body: string, ...texts: readonly string[]) =>
    answersTo({
      saved: [['Deck', body]],
      calls: [save({ ...project, path: file, statements: [deck], remove: gone(...texts) })],
    });

  test.each([
    [
      'a label on its own line',
      '**Why:**\n- The deck came from Brno.\n',
      'The deck came from Brno.',
    ],
    ['a plain one', 'Why:\n\nThe deck came from Brno.', 'The deck came from Brno.'],
    ['a bare word', 'why\nThe deck came from Brno.', 'The deck came from Brno.'],
    ['how to apply it', 'How to apply:\n1. Count the deck first.', 'Count the deck first.'],
    ['on the same line', '**Why:** The deck came from Brno.', 'The deck came from Brno.'],
  ])('%s goes as well', async (_, below, text) => {
    const { files } = await removing(`The cellar is dry.\n\n${below}`, text);
    const body = files[file]?.split('---\n\n')[1]?.replace(/\n+/g, '\n');
    expect(body).toBe('The cellar is dry.\nThe deck of Brno has 24 slots.\n');
  });

  test('a label with more below it stays', async () => {
    const { files } = await removing(
      'The cellar is dry.\n\n**Why:**\n- The deck came from Brno.\n- It has no windows at all.',
      'The deck came from Brno.',
    );
    expect(files[file]).toContain('**Why:**\n- It has no windows at all.');
  });

  test.each([
    'The deck has 12 slots; it is never opened at night.',
    'The deck has 12 slots; never opened.',
    'The deck is old. It has 12 slots of wood.',
  ])('%j goes as one', async (text) => {
    const { answers, files } = await removing(`${text} The cellar is dry.`, text);
    expect(answers[0]).toBe('Taken, and written when you stop.');
    const body = files[file]?.split('---\n\n')[1]?.replace(/\n+/g, '\n');
    expect(body).toBe('The cellar is dry.\nThe deck of Brno has 24 slots.\n');
  });

  test('a sentence that stands on several lines goes as one', async () => {
    const { files } = await removing(
      'The deck that came from Brno\nstands in the hall of the old\nstation and has 12 slots.\n\nThe cellar is dry.',
      'The deck that came from Brno stands in the hall of the old station and has 12 slots.',
    );
    const body = files[file]?.split('---\n\n')[1]?.replace(/\n+/g, '\n');
    expect(body).toBe('The cellar is dry.\nThe deck of Brno has 24 slots.\n');
  });

  test('a reason whose rule was not taken goes into no file', async () => {
    const bad = rule('The deck opens on 2031-01-01.', 1, 'The deck of Brno');
    const { answers, files, finished } = await answersTo({
      saved: [['Deck', 'The deck is of steel.']],
      calls: [save({ ...project, path: file, statements: [bad, why] })],
    });
    expect(files[file]).not.toContain(why.text);
    expect(answers[0]).toContain('The rule it belongs to was not taken');
    expect(finished()?.refused.map(({ reason }) => reason)).toEqual(['unknown-date', 'no-rule']);
  });

  test('a label at the end of a text, of a reason that is not there, is left out', async () => {
    const { files } = await answersTo({
      calls: [
        save({
          ...project,
          description: 'Slots of the deck of Brno',
          statements: [{ ...deck, text: `${deck.text}\n\n**Why:**` }],
        }),
      ],
    });
    expect(files[file]).toMatch(/---\n\nThe deck of Brno has 24 slots\.\n$/);
  });

  test('a label in the text of a reason is not written twice', async () => {
    const { files } = await answersTo({
      calls: [save({ ...project, statements: [deck, { ...why, text: `Why: ${why.text}` }] })],
    });
    expect(files[file]).toContain(`\n\n**Why:** ${why.text}\n`);
  });
});

test('case 208: a secret that a hand wrote into a file is shown to no model, and the rest can be changed', async () => {
  const secret = ['hunter', '2'].join('');
  const file = 'project_access.md';
  const { extraction, sent, path, finished } = await setup([
    [
      {
        ...{ type: 'tool_use', id: 'read_it', name: 'read_memory', input: { path: file } },
      },
    ],
    [
      save({
        ...{ path: file, name: 'Access', type: 'project' },
        statements: [rule('Staging needs a key card from Mara.', 1)],
        remove: [
          {
            ...{ text: 'Staging needs the password [redacted: password].', turn: 1 },
            quote: 'Staging needs a key card from Mara.',
          },
        ],
      }),
    ],
  ]);
  writeFileSync(
    join(path, file),
    `---\nname: Access\ndescription: root pass ${secret}\ntype: project\n---\n\nStaging needs the password ${secret}.\nThe cellar is dry.\n`,
  );
  const { messages, user, answer } = conversation();
  user(`Staging needs a key card from Mara. It was: password ${secret}`);
  answer('Good.');
  extraction.afterTurn(messages);
  await extraction.settle();
  expect(JSON.stringify(sent())).not.toContain(secret);
  expect(finished()?.writes).toMatchObject([{ path: file, added: 1, removed: 1 }]);
  const { [file]: text = '', ...others } = filesOf(path);
  expect(text).toContain('The cellar is dry.\nStaging needs a key card from Mara.\n');
  expect(JSON.stringify([text, others['MEMORY.md']])).not.toContain(secret);
});

test('a quote that reads like a secret is looked for as it stands', async () => {
  const text = 'Here the password admin2024 field of the form is gone.';
  const { finished } = await answersTo({
    text,
    calls: [save({ ...project, statements: [rule('The field of the form is gone.', 1, PART)] })],
  });
  expect(finished()?.writes).toHaveLength(1);
});

const PART = 'Here the password admin2024';

test('case 208: what waits for the user holds no secret that is only said', async () => {
  const secret = ['hunter', '2'].join('');
  const { files, finished } = await answersTo({
    calls: [
      save({
        ...project,
        statements: [rule(`Staging has the password ${secret}.`, 1, 'no words')],
      }),
    ],
  });
  expect(files['.inbox/project_deck.md']).toContain('password [redacted: password].');
  expect(JSON.stringify([files, finished()])).not.toContain(secret);
});
