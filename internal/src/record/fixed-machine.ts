import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/**
 * Loaded before the agent where a session of it is recorded: its prompt names the system and the day, which are those of the
 * recording on every machine.
 */
const startedMs = Date.parse('2026-11-30T09:00:00.000Z');
const behindMs = Date.now() - startedMs;
const RealDate = Date;
const now = () => RealDate.now() - behindMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given) as Date,
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
os.platform = () => 'linux';
os.release = () => '6';
syncBuiltinESMExports();
