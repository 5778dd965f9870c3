import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { createNotesCompaction, memoryNotes } from '../src/index.ts';
import { measureNotes } from '../src/limit-notes.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { createTestLog, createTestMemory, notesWith, planContext, words } from './support.ts';

const MODELS = [
  ['gpt-5.5', 'o200k'],
  ['claude-opus-5-5', 'claude-new'],
  ['gemini-3.8-flash', 'gemini'],
] as const;
type Family = (typeof MODELS)[number][1];

const NOTES = notesWith({ '# Task': words(4_000, 'What was found') });
const sizeIn = (family: Family, text = NOTES): number => createEstimator({ family }).text(text);
const headOf = (model: string) =>
  ({ type: 'head', head: { id: model, model, system: [], tools: [], params: {} } }) as const;

/** What the notes of a thread save whose log names models, and what its note taker was told. */
async function thread(models: readonly string[], options: { readonly model?: string } = {}) {
  let directive = '';
  const { memory } = createTestMemory({
    ...options,
    file: memoryNotes('n.md', NOTES),
    runFork: async (fork) => {
      directive = fork.directive;
      fork.runTool({
        id: 'c',
        name: 'Edit',
        input: { file_path: 'n.md', old_string: 'found 1 ', new_string: 'found one ' },
      });
      return { kind: 'done' };
    },
  });
  const limits = { totalTokens: 1e6, sectionTokens: 1e6 };
  const planner = createNotesCompaction({ memory, ...options, ...limits });
  const log = createTestLog(planner.observe);
  for (const model of models) log.append(headOf(model));
  for (let turn = 0; turn < 20; turn++) {
    log.user(words(4_000, `request ${turn}`));
    log.reply(words(4_000, `answer ${turn}`));
  }
  await memory.extractNow();
  const plan = planner.plan(planContext());
  if (plan.kind === 'none') throw new Error(plan.reason);
  const [span] = plan.edits;
  const summary = span?.kind === 'replace-span' ? span.with[0]?.content[0] : undefined;
  const text = summary?.type === 'text' ? String(summary.text) : '';
  return { tokensAfter: plan.receipt.tokensAfter, text, directive };
}

// siblings looked for: what clearing saves, the thresholds of stored results
describe('notes are counted in the vocabulary of the model', () => {
  test('the vocabularies differ', () => {
    expect(new Set(MODELS.map(([, family]) => sizeIn(family))).size).toBe(MODELS.length);
  });

  test.each(MODELS)(
    'what they save, and how long their sections are, for %s',
    async (model, family) => {
      const { tokensAfter, text, directive } = await thread([model]);
      const unknown = await thread([]);
      const difference = sizeIn(family, text) - sizeIn('o200k', text);
      expect(text.length).toBeGreaterThan(NOTES.length / 2);
      expect(tokensAfter - unknown.tokensAfter).toBe(difference);
      const template = parseTemplate(DEFAULT_TEMPLATE);
      const sizeOf = (each: string): number => sizeIn(family, each);
      const [section] = measureNotes(NOTES, { template, sizeOf }).longSections;
      expect(directive).toContain(`- # Task: ${section?.tokens} tokens`);
    },
  );

  test.each(MODELS)(
    'the newest head counts, and a model that is named counts more: %s',
    async (model) => {
      const { tokensAfter, directive } = await thread([model]);
      const changed = await thread(['claude-opus-5-5', model]);
      const named = await thread(['claude-opus-4-1'], { model });
      for (const found of [changed, named]) {
        expect([found.tokensAfter, found.directive]).toEqual([tokensAfter, directive]);
      }
    },
  );
});
