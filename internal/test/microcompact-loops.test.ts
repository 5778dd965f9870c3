import type { Message, Request } from '@varve/messages';
import { microcompact } from '@varve/microcompact';
import { cachePolicy, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { describe, expect, test } from 'vitest';
import { fixtureSessions, type RecordedSession } from '../src/request-hashes/sessions.ts';

const MODEL = findModel('claude-opus-4-8') as ModelInfo;
const GAP_MS = 20_000;

/** What a loop sends: all messages so far, as it keeps them. */
type Loop = (fresh: readonly Message[]) => readonly Message[];

const OPTIONS = { model: MODEL.id, preset: 'rent' } as const;

/** The loop of the README that works: what comes back is kept, and the next call gets it. */
function keepsTheResult(): Loop {
  let history: readonly Message[] = [];
  return (fresh) => {
    history = microcompact([...history, ...fresh], OPTIONS).messages;
    return history;
  };
}

/** The loop that does not: a hook that gets the original array at each request. */
function callsOnTheOriginal(): Loop {
  let original: readonly Message[] = [];
  return (fresh) => {
    original = [...original, ...fresh];
    return microcompact(original, OPTIONS).messages;
  };
}

function doesNothing(): Loop {
  let history: readonly Message[] = [];
  return (fresh) => {
    history = [...history, ...fresh];
    return history;
  };
}

/** Sends each request of a session through a simulated cache: its dollars, and how often earlier messages had changed. */
function priceOf({ head, history }: RecordedSession, loop: Loop) {
  const policy = cachePolicy(MODEL);
  const cache = createCacheSimulator(policy);
  let [dollars, breaks, startMs] = [0, 0, 0];
  let fresh: Message[] = [];
  for (const message of history) {
    if (message.role === 'assistant' && fresh.length > 0) {
      const messages = loop(fresh);
      fresh = [];
      const bare: Request = {
        ...{ head: { ...head, model: MODEL.id }, messages, markers: [], maxOutputTokens: 8_000 },
      };
      const sent = cache.send(placeMarkers(bare, { policy }), { startMs });
      dollars += sent.dollars ?? 0;
      breaks += sent.breaks.filter(({ cause }) => cause === 'messages-changed').length;
      startMs += GAP_MS;
    }
    fresh.push(message);
  }
  return { dollars: Number(dollars.toFixed(2)), breaks };
}

// N345. Siblings looked for: both presets, an `explainClearing` in between (it changes nothing), sessions of every length.
describe('N345: the two loops around microcompact', () => {
  test('over recorded sessions, keeping what comes back costs less than doing nothing, and calling on the original array more', async () => {
    const rows = (await fixtureSessions()).map((session) => ({
      session: session.name,
      nothing: priceOf(session, doesNothing()),
      kept: priceOf(session, keepsTheResult()),
      original: priceOf(session, callsOnTheOriginal()),
    }));
    const sum = (of: (row: (typeof rows)[number]) => number) =>
      Number(rows.reduce((total, row) => total + of(row), 0).toFixed(2));
    const totals = {
      nothing: {
        dollars: sum((row) => row.nothing.dollars),
        breaks: sum((row) => row.nothing.breaks),
      },
      kept: { dollars: sum((row) => row.kept.dollars), breaks: sum((row) => row.kept.breaks) },
      original: {
        dollars: sum((row) => row.original.dollars),
        breaks: sum((row) => row.original.breaks),
      },
    };
    console.info(`microcompact: ${JSON.stringify(totals)}`);
    expect(totals).toEqual({
      nothing: { dollars: 20.96, breaks: 0 },
      kept: { dollars: 14.1, breaks: 6 },
      original: { dollars: 33.15, breaks: 92 },
    }); // the README of microcompact shows these
    expect(totals.kept.dollars).toBeLessThan(totals.nothing.dollars);
    expect(totals.original.dollars).toBeGreaterThan(totals.nothing.dollars);
    expect(totals.original.breaks).toBeGreaterThan(5 * totals.kept.breaks);
  });
});
