import type { ToolUseBlock } from '@varve/messages';
import { forEachString } from '../demand/demand.ts';
import type { UnitIndex } from '../demand/unit-index.ts';
import type { Reproducibility } from './reproducible.ts';
import type { Source } from './source.ts';
import { writtenFiles } from './written-files.ts';

/** Knows which call wrote a unit, and where it can be had when the call is gone. */
export interface InputSources {
  /** Takes the next call; `order` grows. */
  add(call: ToolUseBlock, order: number): void;
  /**
   * A read of what the newest call put into a file, if the unit stands in that. Else the words of the newest call that
   * shows it, which nothing gives again.
   */
  of(unit: number): Source | undefined;
}

interface Input {
  readonly call: ToolUseBlock;
  readonly order: number;
}

/** Creates the sources of a session of which no call was added yet. */
export function createInputSources(index: UnitIndex, { isStillIn }: Reproducibility): InputSources {
  const written = new Map<number, Input>();
  const said = new Map<number, Input>();
  const known = new Map<Input, Sources>();
  const sourcesOf = (input: Input): Sources => {
    const sources = known.get(input) ?? {
      files: fileSources(input, isStillIn),
      words: wordSource(input),
    };
    known.set(input, sources);
    return sources;
  };
  const shows = ({ call, result }: Source, unit: number): boolean =>
    index.unitsOf(result).includes(unit) || index.unitsOf(call).includes(unit);
  return {
    add(call, order) {
      const units = index.unitsOf(call);
      if (units.length === 0) return;
      const input = { call, order };
      const isWriting = writtenFiles(call).length > 0;
      for (const unit of units) {
        said.set(unit, input);
        if (isWriting) written.set(unit, input);
      }
    },
    of(unit) {
      const [writing, saying] = [written.get(unit), said.get(unit)];
      const file = writing && sourcesOf(writing).files.find((source) => shows(source, unit));
      return file ?? (saying && sourcesOf(saying).words);
    },
  };
}

interface Sources {
  readonly files: readonly Source[];
  readonly words: Source;
}

function fileSources(
  { call, order }: Input,
  isStillIn: Reproducibility['isStillIn'],
): readonly Source[] {
  return writtenFiles(call)
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => ({
      kind: 'file',
      order,
      call: { ...call, name: 'read', input: { path } },
      result: { type: 'tool_result', tool_use_id: call.id, content: text },
      isReproducible: () => isStillIn(path, call),
    }));
}

function wordSource({ call, order }: Input): Source {
  const words: string[] = [];
  forEachString(call.input, (text) => void words.push(text));
  return {
    kind: 'words',
    order,
    call: { ...call, input: {} },
    result: { type: 'tool_result', tool_use_id: call.id, content: words.join('\n') },
    isReproducible: () => false,
  };
}
