import type { Context } from '@varve/context';
import type { Entry } from '@varve/messages';
import type { AgentEvent } from '../events.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { textOf } from '../loop.ts';
import type { WriteNote } from '../notes.ts';
import type { PermissionMode, Permissions } from '../permissions/permissions.ts';
import { createPlan } from '../plan/plan.ts';
import type { FindSettingsOptions } from '../settings/settings.ts';
import { watchSettings } from '../settings/watch.ts';
import { findSkills } from '../skills/find.ts';
import { createSkills } from '../skills/skills.ts';
import type { FileCache } from '../tools/files.ts';
import { budget } from './budget.ts';
import { changedFiles } from './changed-files.ts';
import type { Producer } from './producers.ts';
import { createTodos } from './todos.ts';

export interface WorkOptions {
  readonly settings: FindSettingsOptions;
  readonly root: string;
  readonly isCompatible: boolean;
  /** In which the session begins. */
  readonly mode: PermissionMode;
  readonly files: FileCache;
  /** Of the session that is gone on with. */
  readonly entries: readonly Entry[];
  readonly note: WriteNote;
  readonly notice: (text: string) => void;
  /** What is made later, and asked only once it is there. */
  readonly later: () => {
    readonly hooks: Hooks;
    readonly permissions: Permissions;
    readonly context: Context;
  };
}

/** What the agent knows of the work beside what was said: skills, plan, list, files, settings. All of it outlasts a compaction. */
export function createWork({ later, ...options }: WorkOptions) {
  const { settings, root, isCompatible, mode, files, entries, note, notice } = options;
  const said = () => later().context.view().messages.map(textOf);
  const isThere = (text: string) => said().some((each) => each.includes(text));
  const skills = createSkills({
    find: () => findSkills({ ...settings, root, isCompatible }),
    ...{ entries, note, notice, said },
  });
  const plan = createPlan({
    permissions: () => later().permissions,
    ...{ mode, entries, note, isThere },
  });
  const todos = createTodos(() => later().context);
  const settingsWatch = watchSettings({ settings, hooks: () => later().hooks, notice });
  const producers: readonly Producer[] = [
    settingsWatch.producer,
    skills.producer,
    plan.producer,
    changedFiles(files, () => later().hooks),
    todos.producer,
    budget(() => later().context),
  ];
  return {
    ...{ skills, plan, todos, producers },
    /** Settings were changed by the agent itself. */
    settingsSaved: settingsWatch.refresh,
    seen(event: AgentEvent): void {
      plan.seen(event);
      todos.seen(event);
    },
    /** Something of the conversation became something else. */
    check(): void {
      skills.check();
      plan.check();
    },
    /** What stands behind a summary, for `restore` of `@varve/compact`. */
    toRestore() {
      const names = skills.names();
      return {
        skills: skills.called(),
        plan: plan.toRestore(),
        todos: todos.toRestore(),
        skillListing: names,
      };
    },
  };
}
export type Work = ReturnType<typeof createWork>;
