import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseChain } from '../src/memory/chain.ts';
import { lacksOf, loadChain, loadChains } from '../src/memory/load-chains.ts';
import { temporaryFolder } from './files.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'evals', 'chains', 'README.md'), 'utf8');
const example = JSON.parse(/```json\n(.*?)```/s.exec(readme)?.[1] ?? '');

type Draft = typeof example;

/** The example of the README, changed by `edit`, as a file. */
function written(edit: (chain: Draft) => unknown = () => {}): string {
  const chain = structuredClone(example);
  edit(chain);
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'billing-service.json');
  writeFileSync(path, JSON.stringify(chain));
  return path;
}

const itemIn = (chain: Draft, id: string) => chain.items.find((item: Draft) => item.id === id);

describe('V6 loadChain', () => {
  test('takes the example of the README and puts the secret into its text', async () => {
    const chain = await loadChain(written(), root);
    expect(chain.sessions[0]?.messages.at(-1)?.text).toContain('sk_te' + 'st_51Abcdefgh12345678');
    expect(lacksOf(chain)).toContain('billing-service: 10 of 40 items');
  });

  test('leaves braces alone that name no secret of the chain', async () => {
    const text = 'Use {{ user.name }} and {{ secrets.PAY }}, style={{a: 1}}, {{other}}.';
    const chain = await loadChain(
      written(({ sessions }) => {
        sessions[0].messages[1].text += ` ${text}`;
      }),
      root,
    );
    expect(chain.sessions[0]?.messages[1]?.text).toContain(text);
  });

  test.each([
    ...['8. Juni', 'am 8. Juni 2026', '8. Juni 2026', '19th of February', 'the 19th of February'],
    ...['February 19th, 2026', '19. Feb.', '1. März', 'März', '2026-02-19', '19.2.', 'Feb*'],
  ])('takes %s for a date, which nobody has to have said as it stands', async (date) => {
    const path = written((chain) => {
      itemIn(chain, 'nightly-job').words.push([date]);
      itemIn(chain, 'nightly-job').statement += ` (${date.replace('*', '')})`;
      itemIn(chain, 'nightly-job').paraphrase += ` (${date.replace('*', '')})`;
      chain.items = chain.items.filter(({ kind }: Draft) => kind !== 'repeated');
    });
    expect((await loadChain(path, root)).items).not.toEqual([]);
  });

  test.each(['marketing', '8 seconds', 'decided', 'junior'])(
    'does not take %s for a date',
    async (word) => {
      const path = written((chain) => itemIn(chain, 'nightly-job').words.push([word]));
      await expect(loadChain(path, root)).rejects.toMatchObject({
        message: expect.stringContaining(`nobody says ${word}`),
      });
    },
  );

  test('puts the messages of a recorded session where a chain names them', async () => {
    const path = 'fixtures/sessions/round-trip-bug.jsonl';
    const chain = await loadChain(
      written(({ sessions }) =>
        sessions[1].messages.push({ origin: 'fixture', path, start: 0, end: 6 }),
      ),
      root,
    );
    const added = chain.sessions[1]?.messages.slice(5) ?? [];
    expect(added[0]?.origin).toBe('user');
    expect(added.some((message) => message.origin === 'tool' && message.tool === 'read')).toBe(
      true,
    );
    expect(added.every(({ text }) => text !== '')).toBe(true);
  });

  test.each<[string, (chain: Draft) => unknown, string]>([
    [
      'an unknown field',
      (chain) => {
        chain.items[1].word = [];
      },
      'items[1] "nightly-job"',
    ],
    [
      'another name',
      (chain) => {
        chain.name = 'other';
      },
      'its name is other',
    ],
    [
      'dates that go back',
      ({ sessions }) => {
        sessions[1].date = '2026-03-01';
      },
      'is before 2026-03-02',
    ],
    [
      'the same id twice',
      ({ items }) => {
        items[1].id = 'freeze';
      },
      'two have the id "freeze"',
    ],
    [
      'a session that is not there',
      ({ items }) => {
        items[1].from = 9;
      },
      '"nightly-job": there is no session 9',
    ],
    [
      'versions in no order',
      ({ items }) => {
        items[0].versions.reverse();
      },
      'its versions are in no order',
    ],
    [
      'an item that is not there',
      ({ turns }) => {
        turns[0].needs = ['other'];
      },
      'item "other"',
    ],
    [
      'a secret that nobody says',
      ({ sessions }) => {
        sessions[0].messages[4].text = 'No, 01:30. Thursday.';
      },
      'no text of session 1 holds {{pay-key}}',
    ],
    [
      'words that nobody says',
      (chain) => {
        itemIn(chain, 'nightly-job').words.push(['berlin']);
      },
      'nobody says berlin in session 1',
    ],
    [
      'a bad item that is not planted',
      (chain) => {
        itemIn(chain, 'emoji').session = 1;
      },
      '"emoji": its words stand together in no text of session 1',
    ],
    [
      'a statement without its words',
      (chain) => {
        itemIn(chain, 'nightly-job').statement = 'The job runs.';
      },
      '"The job runs." counts as noise, not as true',
    ],
    [
      'a bad statement that counts as true',
      (chain) => {
        itemIn(chain, 'nightly-guess').statement += ' No: 01:30.';
      },
      'counts as true (nightly-job), not as false',
    ],
    [
      'two items that one statement holds',
      ({ items }) => {
        items.push({ ...items[1], id: 'twin' });
      },
      'counts as the item of another, "twin" (from session 1 on)',
    ],
    [
      'messages that a recorded session has not',
      ({ sessions }) => {
        sessions[0].messages.push({
          origin: 'fixture',
          path: 'fixtures/sessions/round-trip-bug.jsonl',
          start: 0,
          end: 9_999,
        });
      },
      'has no messages 0 to 9999',
    ],
  ])('refuses %s', async (_name, edit, message) => {
    const error = await loadChain(written(edit), root).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'bad-chain', message: expect.stringContaining(message) });
  });

  test('refuses what is no JSON, and a folder that is not there', async () => {
    expect(() => parseChain('{', 'x')).toThrow('x is no JSON.');
    await expect(loadChains(join(root, 'no-chains'), root)).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});
