import type { JsonObject } from '@varve/messages';
import type { Workspace } from './workspace.ts';

/** One session to record: which project it works on and what everybody says. */
export interface Recording {
  /** Kebab-case; the file is `fixtures/sessions/<name>.jsonl`. */
  readonly name: string;
  /** One sentence for the provenance page. */
  readonly task: string;
  readonly model: string;
  readonly params: JsonObject;
  readonly sources: readonly Source[];
  /** ISO 8601, UTC: when the recorded clock starts. */
  readonly startedAt: string;
  /** The day on which the script last changed, `YYYY-MM-DD`. */
  readonly recordedOn: string;
  readonly steps: readonly Step[];
  /** Commands that must succeed in the scratch project after the last step. */
  readonly finally: readonly string[];
}

/** A package to copy from `node_modules` of this workspace. */
export interface Source {
  readonly name: string;
  /** Checked against what is installed. */
  readonly version: string;
  /** Files and folders of the package to copy; all of it by default. */
  readonly only?: readonly string[];
  /** Folder in the scratch project; its root by default. */
  readonly to?: string;
}

/** A function is called when its turn comes and may look at the project as it is then. */
export type Step = UserStep | AssistantStep | ((workspace: Workspace) => readonly Step[]);

export interface UserStep {
  readonly kind: 'user';
  readonly text: string;
  /** Since the last thing that happened. */
  readonly afterMs: number;
}

export interface AssistantStep {
  readonly kind: 'assistant';
  readonly text: string;
  readonly thinking?: string;
  readonly calls: readonly Call[];
  /** A message of the user that arrives while the calls run. */
  readonly steering?: { readonly text: string; readonly afterResults: number };
  /** The user stopped the calls from this one on: they are not run. */
  readonly interruptedFrom?: number;
}

export interface Call {
  readonly name: string;
  readonly input: JsonObject;
  /** Whether the result is an error; the recording stops when the world disagrees with the script. */
  readonly fails: boolean;
  /** What the result must hold, so that the text around it is true. */
  readonly shows: readonly string[];
  /** How long the recorded clock says it took instead of the tool's usual time. */
  readonly tookMs?: number;
}
