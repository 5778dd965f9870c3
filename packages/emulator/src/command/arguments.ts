import { parseArgs } from 'node:util';
import { EmulatorError } from '../error.ts';
import { badOption } from '../options.ts';

export interface Arguments {
  readonly help: boolean;
  readonly port: number;
  readonly host?: string | undefined;
  readonly replies?: string | undefined;
  readonly session?: string | undefined;
  readonly then: 'fail' | 'repeat-last' | 'start-over';
  readonly log?: string | undefined;
  readonly upstream?: string | undefined;
  readonly hitRate?: number | undefined;
  readonly report?: string | undefined;
}

const TEXT = { type: 'string' } as const;

/** Reads a command line. Throws `bad-options`. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values } = read(args);
  const { then = 'fail', host, replies, session, log, upstream, report } = values;
  if (then !== 'fail' && then !== 'repeat-last' && then !== 'start-over') {
    throw badOption('--then', 'fail, repeat-last or start-over', then);
  }
  if (replies !== undefined && session !== undefined) {
    throw badOption('--session', 'given without --replies', session);
  }
  const hitRate = values['expect-hit-rate'];
  return {
    ...{ help: values.help === true, port: numberOf('--port', values.port ?? '0'), then },
    ...{ host, replies, session, log, upstream, report },
    hitRate: hitRate === undefined ? undefined : shareOf('--expect-hit-rate', hitRate),
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        port: TEXT,
        host: TEXT,
        replies: TEXT,
        session: TEXT,
        then: TEXT,
        log: TEXT,
        upstream: TEXT,
        'expect-hit-rate': TEXT,
        report: TEXT,
      },
    });
  } catch (cause) {
    // the cause stays out: all that it says is said here
    const reason = (cause as Error).message.replace(/\.? To specify.*$/s, '').replace(/\.$/, '');
    throw new EmulatorError('bad-options', `${reason}. Run with --help to see the options.`);
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw badOption(name, 'a number', text);
}

function shareOf(name: string, text: string): number {
  const value = numberOf(name, text);
  if (value >= 0 && value <= 1) return value;
  throw badOption(name, 'a share from 0 to 1', text);
}
