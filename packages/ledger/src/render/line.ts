import type { Fact } from '../fact.ts';
import type { Root } from './root.ts';

/** A fact on one line, its key and its value side by side. Whatever a tool was given, it makes no line of its own. */
export function toLine(fact: Fact, root: Root): string {
  return lineOf(fact, root).replace(/[\n\r\u2028\u2029]+/g, ' ');
}

function lineOf({ type, key, value, position }: Fact, root: Root): string {
  if (type === 'said') return `[${position}] ${value}`;
  if (type === 'standing') return `- ${key.replace(/^aim \d+$/, 'aim')}: ${value}`;
  if (type === 'edit') return `- ${root.nameOf(key)}: ${value}`;
  if (type === 'file' || type === 'file-read') {
    const moved = /^moved to (.+)$/.exec(value)?.[1];
    const state = moved === undefined ? value : `moved to ${root.shorten(moved)}`;
    return `- ${root.shorten(key)}: ${state}`;
  }
  if (type === 'todo') return `- [${value}] ${key}`;
  if (type === 'choice') return `- ${key} → ${value}`;
  // its words are the tool's: they must not stand as if somebody said them
  if (type === 'error') return `- error: ${key}: ${value}`;
  if (type === 'literal') return `- ${key} = ${value}`;
  const code =
    type === 'command' ||
    type === 'test-status' ||
    type === 'failed-approach' ||
    type === 'failure';
  return `- ${code ? quote(key) : key}: ${value}`;
}

function quote(command: string): string {
  return command.includes('`') ? command : `\`${command}\``;
}
