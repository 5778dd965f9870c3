import { describe, expect, test } from 'vitest';
import { defaultSessions } from '../src/default-paths.ts';
import type { Fact } from '../src/fidelity/facts/fact.ts';
import { factNames } from '../src/fidelity/file-names.ts';
import { createHaystack, type Match } from '../src/fidelity/match.ts';
import { type Probe, probesOf, summary } from './fidelity-probes.ts';
import { everyNth } from './files.ts';

const { VARVE_SESSIONS = '' } = process.env;
const probes = await probesOf([defaultSessions(), ...everyNth(VARVE_SESSIONS, 8)]);

interface Case {
  readonly probe: Probe;
  readonly fact: Fact;
  readonly name: string;
}

/** The facts that stand in the product's text. */
const bound: readonly Case[] = probes.flatMap((probe) => {
  const nameOf = factNames(probe.facts);
  const hay = createHaystack(summary(probe.text));
  return probe.facts.flatMap((fact) => {
    const name = nameOf(fact);
    return hay.match(fact, name) === 'bound' ? [{ probe, fact, name }] : [];
  });
});

const matchIn = (text: string, { fact, name }: Case): Match =>
  createHaystack(summary(text)).match(fact, name);
const QUOTED = ['user-message', 'constraint'];

describe('what has to be seen in the text that the product makes (FIDELITY 2.6)', () => {
  test('a number that moved by one', () => {
    const moved = (text: string): string =>
      text.replace(/\d{1,9}/g, (number) => String(Number(number) + 1));
    const unseen: string[] = [];
    let asked = 0;
    const ask = (text: string, each: Case): void => {
      asked++;
      if (matchIn(text, each) === 'bound') unseen.push(`${each.fact.type} ${each.fact.key}`);
    };
    for (const each of bound) {
      const { fact, name, probe } = each;
      if (fact.type === 'test-status') {
        const lines = probe.text.split('\n');
        const text = lines.map((line) => (line.includes(name) ? moved(line) : line)).join('\n');
        ask(text, each);
      }
      if (!QUOTED.includes(fact.type)) continue;
      const place = /(?:\S+ )?\S*?(?<!\w)\d{1,9}(?!\w)/.exec(fact.key)?.[0];
      // wherever it stands: a sentence of a message may be the open request as well
      const text = place === undefined ? probe.text : probe.text.replaceAll(place, moved);
      if (text !== probe.text) ask(text, each);
    }
    expect(asked).toBeGreaterThan(20);
    expect(unseen.length / asked, unseen.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test('a negation that is gone', () => {
    const unseen: string[] = [];
    let asked = 0;
    for (const each of bound.filter(({ fact }) => QUOTED.includes(fact.type))) {
      const denial = /\S* (?:never|not|don't) \S+/i.exec(each.fact.key)?.[0];
      if (denial === undefined) continue;
      // wherever it stands: a sentence of a message may be a rule as well
      const text = each.probe.text.replaceAll(denial, (said) => said.replace(/ \S+ /, ' '));
      if (text === each.probe.text) continue;
      asked++;
      if (matchIn(text, each) === 'bound') unseen.push(each.fact.key);
    }
    expect(asked).toBeGreaterThan(10);
    expect(unseen.length / asked, unseen.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test('an older value in the place of the last one', () => {
    const found: Match[] = [];
    for (const each of bound) {
      const { fact, name, probe } = each;
      const [old] = fact.stale;
      if (old === undefined || !['outcome', 'test-status', 'todo'].includes(fact.type)) continue;
      const lines = probe.text.split('\n').filter((line) => !line.includes(name.slice(0, 40)));
      const own = fact.type === 'todo' ? fact.key.slice(0, 200) : fact.key;
      found.push(matchIn([...lines, `- ${own}: ${old.name}`].join('\n'), each));
    }
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((match) => match === 'contradicted').length / found.length).toBeGreaterThan(
      0.95,
    );
  });
});

const PATHS = 'paths seen from the project';

describe('what must not count (FIDELITY 2.6)', () => {
  const sectionsOf = (text: string): readonly string[] => text.split(/\n(?=## )/);

  test.each<[string, (probe: Probe) => string]>([
    ['sections in another order', ({ text }) => sectionsOf(text).toReversed().join('\n')],
    [
      'JSON',
      ({ text }) =>
        JSON.stringify(
          sectionsOf(text).map((section) => {
            const [title, ...lines] = section.split('\n');
            return { title: `${title}`, lines };
          }),
        ),
    ],
    [PATHS, ({ text }) => text.replace(/(?<![\w./])\/(?:\w[\w.-]*\/){1,2}(?=\w)/g, '')],
    ['more white space', ({ text }) => text.replaceAll('\n', '\n\n')],
    ['something about other things', ({ text }) => `All is well with it.\n${text}\n\nAnd so on.`],
  ])('%s', (what, change) => {
    const lost = new Map<string, number>();
    let of = 0;
    for (const probe of probes) {
      const hay = createHaystack(summary(change(probe)));
      for (const { fact, name } of bound.filter((each) => each.probe === probe)) {
        if (what === PATHS && !fact.type.startsWith('file-')) continue;
        of++;
        if (hay.match(fact, name) === 'bound') continue;
        const place = `${fact.type}: ${fact.key.slice(0, 80)}`;
        lost.set(place, (lost.get(place) ?? 0) + 1);
      }
    }
    const missing = [...lost.values()].reduce((sum, each) => sum + each, 0);
    expect(of).toBeGreaterThan(200);
    expect(missing / of, [...lost.keys()].join('\n')).toBeLessThanOrEqual(0.03);
  });
});
