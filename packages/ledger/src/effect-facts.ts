import { mayChange, shellCommand, stringIn } from '@varve/messages/tools';
import { callsGit } from './calls-git.ts';
import { isDoubtful } from './cut-off.ts';
import type { DoneCall, Extractor } from './extractor.ts';
import { oneLine, subjectOf } from './names.ts';
import { hasEnded, isUnsure, type Outcome, wasStopped } from './outcome.ts';
import { createSlots } from './slots.ts';
import { isCheck } from './test-facts.ts';

interface Effect {
  readonly key: string;
  readonly value: string;
}

const MAX_TEXT = 160;
/** Results that are read for what a command did; the line that says it stands near an edge. */
const MAX_READ = 8_000;

/**
 * What reached the world outside the working folder and cannot be taken back by an edit: commits, pushes, pull requests,
 * releases, deployments; and whatever may have happened because a call was stopped or nobody knows whether it ran.
 */
export function createEffectFacts(): Extractor {
  const slots = createSlots('effect');
  return {
    done(done, place) {
      const { call, outcome, text } = done;
      const subject = subjectOf(call);
      if (isUnsure(outcome, text)) {
        if (mayChange(call) && !isOfTest(done))
          slots.set(subject, unsureText(outcome, text), place);
        return;
      }
      // it ran to its end since: what it did then is what counts
      if (hasEnded(outcome) && UNSURE.test(slots.get(subject) ?? '')) slots.drop(subject);
      if (outcome.status !== 'passed') return;
      for (const { key, value } of effectsOf(done)) slots.set(key, value, place);
    },
    facts: slots.facts,
  };
}

/** A test that waited too long or lost its connection failed as tests do, unless the run itself was stopped. */
const isOfTest = ({ call, outcome, text }: DoneCall): boolean =>
  call.kind === 'shell' &&
  hasEnded(outcome) &&
  isCheck(shellCommand(call.command).key) &&
  !wasStopped(outcome, text);

const STOPPED = 'started and stopped: a part of it may have happened, check before repeating it';
const UNKNOWN =
  'not known whether it ran: all, a part or nothing of it may have happened, check before repeating it';
const UNSURE = /^(?:started and stopped|not known whether it ran)\b/;
const unsureText = (outcome: Outcome, text: string): string =>
  outcome.status !== 'unknown' && wasStopped(outcome, text) ? STOPPED : UNKNOWN;

function effectsOf({ call, text: output }: DoneCall): Effect[] {
  const text = output.slice(-MAX_READ);
  if (call.kind === 'shell') {
    const command = shellCommand(call.command).key;
    return [
      ...commits(command, text),
      ...pushes(command, text),
      ...links(command, text),
      ...releases(command, text),
    ];
  }
  if (call.kind !== 'other' || !CHANGING_TOOL.test(call.name) || TALK.test(call.name)) return [];
  const url = /https?:\/\/[^\s"'<>\\)]+/.exec(text)?.[0];
  const id = /"(?:identifier|id|number|key)"\s*:\s*"?([\w-]{1,60})/.exec(text)?.[1];
  const title = stringIn(call.input, ['title', 'name', 'subject', 'id']) ?? '';
  const what = id ?? url;
  if (what === undefined || (id === undefined && isDoubtful(text))) return [];
  return [
    { key: what, value: short([lastPart(call.name), title, url ?? ''].filter(Boolean).join(' ')) },
  ];
}

const CHANGING_TOOL =
  /(?:^|[_.])(?:create|update|delete|send|post|publish|deploy|merge|close|comment|upload)/i;
/** A word to another agent of the same session stays inside of it. */
const TALK = /^send_?(?:message|input)$/i;
const lastPart = (name: string): string => name.replace(/^.*__/, '');

const COMMIT = /^\[([^\]\s]+(?: \([\w-]+\))?) ([0-9a-f]{7,40})\] (.+)$/gm;

function commits(command: string, text: string): Effect[] {
  if (!callsGit(command, /\b(?:commit|merge|cherry-pick|revert)\b/, /\|/)) return [];
  return [...text.matchAll(COMMIT)].map(([, branch = '', sha = '', subject = '']) => ({
    key: sha,
    value: short(`commit on ${branch.replace(' (root-commit)', '')}: ${subject}`),
  }));
}

const PUSHED =
  /^[ \t*+]*(?:\[(?:new (?:branch|tag))\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+(\S+)\s+->\s+(\S+)/gm;

function pushes(command: string, text: string): Effect[] {
  if (!callsGit(command, /\bpush\b/, /\|/)) return [];
  return [...text.matchAll(PUSHED)].map(([line, , to = '']) => ({
    key: `push ${to}`,
    value: short(`pushed ${line.replace(/\s+/g, ' ').trim()}`),
  }));
}

const CHANGES_ONLINE =
  /\b(?:gh|glab|hub)\s+(?:pr|issue|release|mr|repo|gist)\s+(create|merge|close|edit|comment|review|reopen|ready|delete)\b(?:\s+(\d+))?/g;

/** Addresses of what was made, unlike those that an error names. */
const MADE = /\/(?:pull|pulls|issues|releases|merge_requests)\/|gist\./;

function links(command: string, text: string): Effect[] {
  const done = [...command.matchAll(CHANGES_ONLINE)];
  if (done.length === 0) return [];
  const what = done.map(([action]) => action).join('; ');
  const found = [...text.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([url]) => url);
  const urls = isDoubtful(text) ? found.filter((url) => MADE.test(url)) : found;
  if (urls.length === 0 && isDoubtful(text)) return [{ key: what, value: UNKNOWN }];
  if (urls.length > 0)
    return [...new Set(urls)].slice(0, 4).map((key) => ({ key, value: short(what) }));
  return [{ key: what, value: short(text.split('\n').find((line) => /\S/.test(line)) ?? 'done') }];
}

const RELEASE =
  /\b(?:(?:npm|pnpm|yarn|cargo|poetry|gem|twine)\s+(?:publish|upload|push)|docker\s+push|terraform\s+(?:apply|destroy)|kubectl\s+(?:apply|delete|rollout)|helm\s+(?:install|upgrade)|(?:vercel|fly|netlify|wrangler|firebase|serverless|sls|heroku)\s+(?:deploy\b|--prod\b)\S*|\S*deploy\S*\.sh|(?:alembic|prisma|knex|rails|mix|ecto|django-admin|manage\.py|flyway|sequelize)[\w .:]*\bmigrate\w*|git\s+tag\s+(?!-l|--list)\S+)/g;

function releases(command: string, text: string): Effect[] {
  const actions = [...command.matchAll(RELEASE)];
  if (actions.length === 0 || /--(?:dry-run|help)\b/.test(command)) return [];
  const named = /(?:^\+ (\S+@\d\S*)|digest: (sha256:\w+))/m.exec(text)?.[0];
  const address = /https?:\/\/[^\s"'<>)]+/.exec(text)?.[0];
  return actions.map(([action]) => {
    if (named === undefined && !COMPLETE.test(text) && isDoubtful(text))
      return { key: action, value: UNKNOWN };
    const shown = named ?? address;
    return { key: action, value: short(shown === undefined ? 'done' : `done: ${shown}`) };
  });
}

/** What a tool prints that did what it was to do. */
const COMPLETE = /^(?:Apply|Destroy) complete!|\bsuccessfully rolled out\b/m;

const short = (text: string): string => oneLine(text, MAX_TEXT);
