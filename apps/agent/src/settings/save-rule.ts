import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { listOf, recordOf } from '@varve/guards';
import { isWithin, realPathOf } from '../permissions/paths.ts';
import { readSettingsFile } from './settings.ts';

/** Adds a rule to the allowed ones of a settings file, and keeps all else that is in it. Throws where the file cannot be read. */
export function saveAllowedRule(path: string, rule: string, root: string): void {
  if (!isWithin(realPathOf(root), realPathOf(path)))
    throw new Error(`${path} leads out of the project, and is left alone.`);
  const read = readSettingsFile(path);
  if (read.kind === 'broken') throw new Error(`${path} cannot be changed: ${read.reason}.`);
  const values = read.kind === 'values' ? read.values : {};
  const permissions = recordOf(values.permissions);
  const allow = listOf(permissions.allow);
  if (allow.includes(rule)) return;
  const next = { ...values, permissions: { ...permissions, allow: [...allow, rule] } };
  mkdirSync(dirname(path), { recursive: true });
  const target = lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : realPathOf(path);
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(next, undefined, 2)}\n`);
  renameSync(draft, target);
}
