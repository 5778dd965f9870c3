import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createFork, createWarmUp } from '../src/index.ts';
import { call, PARENT, scripted } from './support.ts';

describe('children that are started one by one (F4)', () => {
  test('the others wait for the first event of the first, and for the end of one that gives none', async () => {
    const warm = createWarmUp();
    const notes: string[] = [];
    const child = (name: string, hasEvent: boolean) =>
      warm(async (onFirstEvent) => {
        notes.push(`start ${name}`);
        await wait(5);
        if (!hasEvent) throw new Error(name);
        notes.push(`event ${name}`);
        onFirstEvent();
        await wait(20);
        notes.push(`end ${name}`);
        return name;
      });
    const all = [child('a', false), child('b', true), child('c', true)];
    const settled = await Promise.allSettled(all);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(notes.slice(0, 4)).toEqual(['start a', 'start b', 'event b', 'start c']);
    expect(await child('d', true)).toBe('d');
  });
});

describe('a child that is done (F3)', () => {
  const going = async (texts: readonly (string | undefined)[], maxTurns?: number) => {
    const client = scripted(['One.', 'Two.', 'Three.']);
    const said = [...texts];
    const fork = createFork({ client, parent: PARENT });
    const asked: unknown[] = [];
    const result = await fork.run({
      ...{ directive: 'Look.', maxTurns },
      goOn: async (reply) => {
        asked.push(reply.content[0]);
        return said.shift();
      },
    });
    return { ...result, asked };
  };

  test('goes on with what it is told, and ends where nothing is said', async () => {
    const { text, turns, asked, messages } = await going(['Check it.', '  ']);
    expect([text, turns, asked.length]).toEqual(['Two.', 2, 2]);
    expect(messages[2]?.content).toEqual([{ type: 'text', text: 'Check it.' }]);
  });

  test('is not asked beyond its limits', async () => {
    expect(await going(['More.', 'More.'], 1)).toMatchObject({ text: 'One.', asked: [] });
  });
});

describe('calls of one reply (F3)', () => {
  test('that only read run at once, ten at most; others alone, and results keep the order', async () => {
    const names = [...'rrr', 'w', ...'rrrrrrrrrrrr'];
    const calls = names.map((name, index) => call(`c${index}`, name === 'r' ? 'read' : 'write'));
    const running = { now: 0, most: 0 };
    const order: string[] = [];
    const fork = createFork({
      client: scripted([calls, 'Done.']),
      parent: PARENT,
      async tools({ id, name }) {
        running.most = Math.max(running.most, ++running.now);
        if (name === 'write') expect(running.now).toBe(1);
        await wait(id === 'c0' ? 10 : 2);
        running.now -= 1;
        order.push(id);
        return id;
      },
    });
    const { messages } = await fork.run({
      directive: 'Look.',
      reads: ({ name }) => {
        if (name !== 'read') throw new Error('no reader');
        return true;
      },
    });
    expect(running.most).toBe(10);
    expect(order.indexOf('c3')).toBe(3);
    expect(messages[2]?.content.map((block) => 'content' in block && block.content)).toEqual(
      calls.map((each) => (each as { id?: string }).id),
    );
  });
});
