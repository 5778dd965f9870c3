import { shellCommand } from '@varve/messages/tools';
import type { Extractor } from './extractor.ts';
import type { Place } from './fact.ts';
import { bindingsOf } from './literal-bindings.ts';
import { oneLine } from './names.ts';
import { hasEnded } from './outcome.ts';
import { CORRECTION_CUES } from './rule-cues.ts';
import { sentencesOf } from './sentences.ts';
import { createSlots } from './slots.ts';

/** Names that are remembered; a session that prints more has measurements nobody can hold. */
const MAX_NAMES = 2_000;
/** Only the values of short outputs are read: a long one is data, not a measurement. */
const MAX_OUTPUT = 4_000;
const MAX_FROM_OUTPUT = 20;
const MAX_TYPED = 20_000;

/** Numbers, versions, ports, settings and URLs with the name that belongs to them; the newest value of a name holds. */
export function createLiteralFacts(): Extractor {
  const slots = createSlots('literal', { limit: MAX_NAMES });
  let lastName: string | undefined;
  const note = (text: string, place: Place): void => {
    for (const { key, value } of sentencesOf(text).filter(isProse).flatMap(bindingsOf)) {
      slots.set(key, value, place);
      lastName = key;
    }
  };
  return {
    said(words, place) {
      const text = words.slice(0, MAX_TYPED);
      const bare = correctedValue(text);
      if (bare !== undefined && lastName !== undefined) slots.set(lastName, bare, place);
      else note(text, place);
      for (const url of urlsOf(text)) slots.set(url, 'named by the user', place);
    },
    done({ call, outcome, text }, place) {
      if (call.kind !== 'shell' || !hasEnded(outcome) || text.length > MAX_OUTPUT) return;
      if (shellCommand(call.command).onlyLooks) return;
      const command = shellCommand(call.command).key;
      for (const { key, value } of measurementsOf(text)) {
        slots.set(`${key} (${oneLine(command, 60)})`, value, place);
      }
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

/** Code ends its lines otherwise than people do. */
const isProse = (line: string): boolean => !/[;{}(,>]$/.test(line);

/** `correction, 12`: a value without a name is that of the name before. */
function correctedValue(text: string): string | undefined {
  if (text.length > 120 || !CORRECTION_CUES.test(text)) return undefined;
  const numbers = [...text.matchAll(/(?<![\w.-])v?\d[\d.]*\b(?![\w-])/g)].map(([number]) => number);
  if (bindingsOf(text).length > 0 || numbers.length !== 1) return undefined;
  return numbers[0]?.replace(/\.$/, '');
}

const MEASUREMENT =
  /^[ \t]*([A-Za-z][\w .\-/()%]{1,38}?)\s*[:=]\s+?(-?\d[\d,_]*(?:\.\d+)?\s?(?:%|[A-Za-zµ]{1,6}(?:\/s)?)?)[ \t]*$/gm;

function measurementsOf(text: string): { key: string; value: string }[] {
  return [...text.matchAll(MEASUREMENT)]
    .slice(0, MAX_FROM_OUTPUT)
    .map(([, key = '', value = '']) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key }) => !NOISE.test(key));
}

/** What tools print about themselves. */
const NOISE = /^(?:Wall time|Original token count|Exit code|exit|pid|line|Chunk ID|elapsed)$/i;

function urlsOf(text: string): string[] {
  return [...text.matchAll(/https?:\/\/(?:(?!\[redacted: )[^\s<>"'`)\]])+/g)]
    .slice(0, MAX_FROM_OUTPUT)
    .map(([url]) => url.replace(/[.,;:!?]+$/, ''));
}
