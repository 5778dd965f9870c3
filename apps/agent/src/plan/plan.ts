import { recordOf, textOf } from '@varve/guards';
import type { Entry } from '@varve/messages';
import type { AgentEvent } from '../events.ts';
import { notesOf, type WriteNote } from '../notes.ts';
import type { PermissionMode, Permissions } from '../permissions/permissions.ts';
import type { Producer } from '../reminders/producers.ts';
import { PLAN_TOOL } from '../tools/plan.ts';

export interface Plan {
  readonly text: string;
  readonly isApproved: boolean;
}

export interface PlanOptions {
  readonly permissions: () => Permissions;
  /** In which the session began; the one that an approved plan is carried out in. */
  readonly mode: PermissionMode;
  /** Of the session that is gone on with. */
  readonly entries: readonly Entry[];
  readonly note: WriteNote;
  /** Whether a text stands in the conversation as the model sees it. */
  readonly isThere: (text: string) => boolean;
}

const ON = 'Plan mode is on:';
const RULES = `${ON} nothing may be changed until the person approves a plan. Read and search what you need, and ask what you cannot find out. Then call ${PLAN_TOOL} with a plan that says what changes where, in which order, and how it is checked.`;

/** Plan mode: what the model was told of it, and the plan that was made. */
export function createPlan({ permissions, mode, entries, note, isThere }: PlanOptions) {
  const workMode = mode === 'plan' ? 'default' : mode;
  const last = notesOf(entries, 'plan').at(-1);
  let plan: Plan | undefined =
    last === undefined
      ? undefined
      : { text: textOf(last.text), isApproved: last.isApproved === true };
  let isKept = true;
  /** Whether the model believes that plan mode is on. */
  let isTold = notesOf(entries, 'plan-mode').at(-1)?.isOn === true;
  let mayBeGone = false;
  const isOn = () => permissions().mode === 'plan';

  async function tell(on: boolean): Promise<void> {
    isTold = on;
    await note({ kind: 'plan-mode', isOn: on });
  }

  const producer: Producer = {
    name: 'plan',
    isNeeded: true,
    async collect() {
      if (!isKept && plan !== undefined) {
        await note({ kind: 'plan', ...plan });
        isKept = true;
      }
      const now = isOn();
      if (mayBeGone && isTold && !isThere(ON)) isTold = false;
      mayBeGone = false;
      if (now === isTold) return [];
      const text = now ? RULES : 'Plan mode is off: what was only planned may be done now.';
      return [{ text, told: () => tell(now) }];
    },
  };

  return {
    producer,
    isOn,
    current: (): Plan | undefined => plan,
    /** `off` goes back to the mode that the session began in. */
    set(state: 'on' | 'off'): void {
      if ((state === 'on') !== isOn()) permissions().setMode(state === 'on' ? 'plan' : workMode);
    },
    /** A plan that was refused is kept, too: it is what is spoken about. */
    seen(event: AgentEvent): void {
      if (event.kind !== 'call-refused' || event.call.name !== PLAN_TOOL || !isOn()) return;
      const text = textOf(recordOf(event.call.input).plan);
      if (text === '') return;
      plan = { text, isApproved: false };
      isKept = false;
    },
    /** Something of the conversation became something else: perhaps what was said of plan mode did. */
    check(): void {
      mayBeGone = true;
    },
    /** The person approved the plan. Throws where plan mode is not on. */
    async approve(text: string): Promise<string> {
      if (!isOn()) throw new Error('Plan mode is not on: there is nothing to approve.');
      plan = { text, isApproved: true };
      await note({ kind: 'plan', ...plan });
      permissions().setMode(workMode);
      await tell(false);
      return 'The person approved the plan, and plan mode is off. Carry it out.';
    },
    /** What of it the model must know behind a summary. */
    toRestore(): string | undefined {
      if (!isOn()) return plan?.isApproved ? `${APPROVED}\n\n${plan.text}` : undefined;
      return plan === undefined
        ? RULES
        : `${RULES}\n\n${PROPOSED[`${plan.isApproved}`]}\n\n${plan.text}`;
    },
  };
}

const APPROVED =
  'The plan that the person approved earlier. What the summary says of it holds: it may be done in part, or wholly.';
const PROPOSED = {
  true: 'The plan that was approved before:',
  false: 'The plan that you proposed last, and that was not approved:',
};
