import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { toSeconds, toText } from '../lib/duration.mjs';

test('reads counts of several digits', () => assert.equal(toSeconds('90m'), 5_400));
test('reads several units', () => assert.equal(toSeconds('1d 2h 3m 4s'), 93_784));
test('writes the largest unit first', () => assert.equal(toText(5_400), '1h 30m'));
test('writes nothing as seconds', () => assert.equal(toText(0), '0s'));
