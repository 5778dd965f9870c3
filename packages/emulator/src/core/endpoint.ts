import { VarveError } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { Served } from '../cache/account.ts';
import type { HttpReply, HttpRequest } from './http.ts';
import type { EmulatorState } from './state.ts';

/** A request that an endpoint gets: authorised, and its body read. */
export interface Call {
  readonly http: HttpRequest;
  readonly index: number;
  /** The path's last part, where the endpoint has one. */
  readonly name?: string | undefined;
  readonly organisation: string;
  readonly body: JsonObject;
  readonly startMs: number;
  readonly state: EmulatorState;
}

export interface Answer {
  readonly reply: HttpReply;
  readonly model?: string | undefined;
  /** What was billed, a compaction's own pass before the reply's. */
  readonly billed?: readonly Served[] | undefined;
  readonly outputTokens?: number | undefined;
}

export type Endpoint = (call: Call) => Answer | Promise<Answer>;

export interface Refusal {
  readonly status: number;
  /** The provider's word for the kind of error. */
  readonly type: string;
  readonly message: string;
  readonly details?: JsonObject | undefined;
  /** OpenAI names the parameter and a code. */
  readonly param?: string | undefined;
  readonly code?: string | undefined;
}

/** Thrown inside an endpoint for what the provider would refuse; the router writes it in the provider's shape. */
export class Refused extends VarveError<'refused'> {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused', refusal.message);
    this.refusal = refusal;
  }

  override get name() {
    return 'Refused' as const;
  }

  static override is(value: unknown): value is Refused {
    return VarveError.is(value, 'Refused');
  }
}
