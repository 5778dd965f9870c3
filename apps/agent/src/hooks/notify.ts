import type { Ask } from '../permissions/permissions.ts';
import type { Hooks } from './hooks.ts';

/** Tells hooks that a person is waited for, and does not wait for them. */
export const notify = (
  hooks: Hooks,
  kind: 'permission_prompt' | 'idle_prompt',
  message: string,
): void =>
  void hooks
    .tell('Notification', kind, { notification_type: kind, message })
    .catch(() => undefined);

/** Asks a person, and tells hooks so. */
export const notifying =
  (ask: Ask, hooks: () => Hooks): Ask =>
  (question, signal) => {
    notify(hooks(), 'permission_prompt', `varve needs permission for ${question.call.name}`);
    return ask(question, signal);
  };
