import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startEmulator } from '@varve/emulator';
import { expect, onTestFinished } from 'vitest';
import type { AgentEvent } from '../src/events.ts';
import { runTurn } from '../src/loop.ts';
import { connect } from '../src/model.ts';
import { createSession, type SessionOptions } from '../src/session.ts';
import type { TelemetryEvent } from '../src/telemetry.ts';
import { folderOf } from './support.ts';

type EmulatorOptions = NonNullable<Parameters<typeof startEmulator>[0]>;

/** A provider and a project folder for sessions in this process. After the test no request was refused, unless it says so. */
export async function project({ refuses = 0, ...options }: EmulatorOptions & { refuses?: number }) {
  const emulator = await startEmulator(options);
  const root = folderOf('varve-rows-');
  onTestFinished(async () => {
    expect(emulator.report().refused).toBe(refuses);
    await emulator.close();
  });
  const put = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  };

  async function open(more: Partial<SessionOptions> = {}) {
    const events: AgentEvent[] = [];
    const telemetry: TelemetryEvent[] = [];
    const session = await createSession({
      ...{ cwd: root, configDir: join(root, '.config'), home: root, shell: '/bin/sh' },
      ...{ model: 'claude-opus-4-8', permissionMode: 'bypassPermissions' },
      connect: (model) => connect({ model, anthropicKey: 'any', baseUrl: emulator.url }),
      emit: (event) => void events.push(event),
      onTelemetry: (event) => void telemetry.push(event),
      ...more,
    });
    let isClosed = false;
    const close = async () => {
      if (!isClosed) await session.close();
      isClosed = true;
    };
    onTestFinished(close);
    return {
      ...{ session, events, telemetry, close, context: session.agent.context },
      say: (text: string) => runTurn(session.agent, text, new AbortController().signal),
      /** Fields of the events of a name. */
      told: (name: TelemetryEvent['name']) =>
        telemetry.flatMap((event) => (event.name === name ? [event.fields] : [])),
      /** What the cache did since an event. */
      breaksSince: (at: number) =>
        events.slice(at).flatMap((event) => {
          if (event.kind !== 'layer' || event.event.layer !== 'prompt-cache') return [];
          const { kind } = event.event;
          if (kind !== 'expected-break' && kind !== 'unexpected-break') return [];
          return [kind === 'expected-break' ? (event.event as { reason: string }).reason : 'alarm'];
        }),
    };
  }

  return {
    ...{ emulator, root, put, open },
    bodies: () => emulator.requests.map(({ json }) => json as Body),
  };
}

export interface Body {
  readonly model: string;
  readonly system: readonly { readonly text: string }[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
