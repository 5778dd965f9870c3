import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, project, type View } from '../src/index.ts';
import { broughtMessages, logOf, partsSpan } from '../src/log.ts';
import { validLog } from '../src/testing.ts';
import { call, createSession, result, userMessage } from './session.ts';

describe('logOf', () => {
  test('knows what was logged, whatever the view shows', () => {
    const log = createSession();
    log.user('u1', 'hi');
    log.assistant('a1', call('c'));
    const open = logOf(log.view());
    expect(open.logged('a1')?.content).toEqual([call('c')]);
    log.user('r1', result('c', 'long'));
    log.clear(['r1', 0, result('c', 'short')]);
    log.span('u1', 'r1', { with: [userMessage('s', 'sum')], then: [userMessage('t', 'file')] });
    const known = logOf(log.view());
    expect(known.logged('r1')?.content).toEqual([result('c', 'long')]);
    expect(known.logged('s')?.content).toHaveLength(1);
    expect(known.logged('x')).toBeUndefined();
    expect(known.broughtBy('u1')).toEqual({ entryId: 'e0', as: 'message' });
    expect(known.broughtBy('s')).toEqual({ entryId: 'e4', as: 'with' });
    expect(known.broughtBy('t')).toEqual({ entryId: 'e4', as: 'then' });
    expect(known.broughtBy('x')).toBeUndefined();
    expect([known.has('e0'), known.has('t'), known.has('e9')]).toEqual([true, true, false]);
  });

  test('follows undos of undos', () => {
    const log = createSession();
    log.user('u1', 'hi');
    log.span('u1', 'u1', { with: [userMessage('s', 'sum')] });
    const index = logOf(log.view());
    const states = [index.isLive('e1')];
    for (const target of ['e1', 'e2', 'e3']) {
      log.undo(target);
      states.push(index.isLive('e1'));
    }
    expect(states).toEqual([true, false, true, false]);
    expect(['e0', 'e1', 'e2', 'e4', 'e9'].map(index.undoes)).toEqual([
      undefined,
      'e1',
      'e1',
      'e1',
      undefined,
    ]);
    expect(index.isLive('e0')).toBe(false);
  });

  test('an edit took what stands between its ends, also behind a summary, in force or not', () => {
    const log = createSession();
    log.user('u1', 'hi');
    log.assistant('a1', call('c'), call('d'));
    log.user('r1', result('c', 'x'));
    log.user('r2', result('d', 'y'));
    log.assistant('a2', 'done');
    log.user('u2', 'more');
    log.span('u1', 'a2', { with: [userMessage('s', 'sum')], then: [userMessage('t', 'file')] });
    const index = logOf(log.view());
    const first = ['u1', 'a1', 'r1', 'r2', 'a2'];
    expect([index.took('e6'), index.took('e0'), index.took('x')]).toEqual([first, [], []]);
    log.span('s', 'u2', { with: [userMessage('s2', 'sum')] });
    expect(index.took('e7')).toEqual([...first, 'u2']);
    log.undo('e7');
    expect(index.took('e7')).toEqual([...first, 'u2']);
  });

  test('broughtMessages: those of a message, and of an edit in the order of the log', () => {
    const log = createSession();
    log.user('u1', 'hi');
    log.clear(['u1', 0, { type: 'text', text: 'short' }]);
    log.span('u1', 'u1', { with: [userMessage('s', 'sum')], then: [userMessage('t', 'file')] });
    log.undo('e2');
    const ids = log.entries.map((entry) => broughtMessages(entry).map(({ id }) => id));
    expect(ids).toEqual([['u1'], [], ['s', 't'], []]);
  });

  test('partsSpan: no cut lies inside what one edit brought in place of a span', () => {
    const log = createSession();
    log.user('u1', 'hi');
    log.user('u2', 'hi');
    const brought = [userMessage('s', 'sum'), userMessage('k', 'kept')];
    log.span('u1', 'u1', {
      with: brought,
      then: [userMessage('t', 'file'), userMessage('v', 'x')],
    });
    const cuts = [...log.view().messages.keys(), 9].filter((at) => partsSpan(log.view(), at));
    expect(cuts.map((at) => log.view().messages[at]?.id)).toEqual(['k']);
    expect(partsSpan({ ...log.view() }, cuts[0] as number)).toBe(false);
    log.span('u2', 'u2', { with: [userMessage('w', 'sum')] });
    const both = [...log.view().messages.keys()].filter((at) => partsSpan(log.view(), at));
    expect(both.map((at) => log.view().messages[at]?.id)).toEqual(['k']);
  });

  test('a refused edit leaves no trace', () => {
    const log = createSession();
    log.user('u1', 'hi');
    expect(() => log.span('u1', 'x', { with: [userMessage('s', 'sum')] })).toThrow();
    expect(logOf(log.view()).has('s')).toBe(false);
  });

  test('nothing is known behind a view that no projection made', () => {
    const view: View = { messages: [], changedFrom: 0 };
    expect([logOf(view).has('x'), logOf(view).isLive('x'), logOf(view).undoes('x')]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect([logOf(view).logged('x'), logOf(view).broughtBy('x')]).toEqual([undefined, undefined]);
  });

  test('says of every log what looking at all of it says', () => {
    let edits = 0;
    fc.assert(
      fc.property(validLog(), (entries) => {
        fc.pre(entries.length > 0);
        const index = logOf(project(entries));
        for (const entry of entries) {
          expect(index.has(entry.id)).toBe(true);
          for (const [message, as] of broughtBy(entry)) {
            expect(index.logged(message.id)).toBe(message);
            expect(index.broughtBy(message.id)).toEqual({ entryId: entry.id, as });
          }
          if (entry.type === 'edit') edits++;
        }
        expect(entries.filter(({ id }) => index.isLive(id)).map(({ id }) => id)).toEqual(
          liveEdits(entries, index),
        );
      }),
    );
    process.stdout.write(`log index: ${edits} edits\n`);
    expect(edits).toBeGreaterThan(0);
  });
});

function broughtBy(entry: Entry) {
  if (entry.type === 'message') return [[entry.message, 'message']] as const;
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return [];
  const { with: instead, then } = entry.edit;
  return [
    ...instead.map((each) => [each, 'with'] as const),
    ...then.map((each) => [each, 'then'] as const),
  ];
}

/** From the end: an edit is in force unless an undo in force takes it back. */
function liveEdits(entries: readonly Entry[], index: ReturnType<typeof logOf>): string[] {
  const undone = new Set<string>();
  const live: string[] = [];
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'edit' || undone.has(entry.id)) continue;
    live.push(entry.id);
    if (entry.edit.kind !== 'undo') continue;
    undone.add(entry.edit.entryId);
    expect(index.undoes(entry.id)).toBe(index.undoes(entry.edit.entryId));
  }
  return live.reverse();
}
