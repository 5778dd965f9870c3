// built-in-strategies.d.ts
import type { Strategy } from './strategy.ts';
/** The strategies that can be asked for by name, in the order of the table. */
export declare const BUILT_IN_STRATEGIES: readonly Strategy[];
/** The strategy every session is also replayed under, because the others are compared with it. */
export declare const BASELINE: Strategy;

// demand/unit-index.d.ts
import type { Block, Message } from '@varve/messages';
/** Numbers the units of a session and tells which of them an object shows; each block is read once. */
export interface UnitIndex {
    /** How many units there are; ids count from 0. */
    readonly size: number;
    idOf(unit: string): number | undefined;
    /** Ids of the units in a block or a message, each once. The object is taken to be immutable. */
    unitsOf(shown: Shown): readonly number[];
}
/** What a request is made of, as far as units can stand in it. */
export type Shown = Message | Block;
/** Creates an index of the given units; everything else in a text is passed over. */
export declare function createUnitIndex(units: Iterable<string>): UnitIndex;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `bad-arguments`: an unknown flag or a value it does not take. `not-found`: a path that is not there. `no-sessions`:
 * nothing that can be replayed. `unknown-strategy`, `invalid-strategy`: no strategy by that name, or a file that holds
 * none. `strategy-failed`: it threw, changed what it was given, or returned no request. `missing-peer`: the package of a peer is not installed. `unknown-model`: not in the
 * model table. `not-written`: the report could not be written. `bad-recording`, `stale-recording`: a recorded summary
 * cannot be read, or answers another request than is made now. `bad-chain`: a chain of sessions that cannot be measured by.
 * `bad-questions`, `stale-questions`: questions that cannot be asked or readings that answer none, or questions that were written from another session than is there.
 */
export type EvalsErrorCode = 'bad-arguments' | 'not-found' | 'no-sessions' | 'unknown-strategy' | 'invalid-strategy' | 'strategy-failed' | 'missing-peer' | 'unknown-model' | 'not-written' | 'bad-recording' | 'stale-recording' | 'bad-chain' | 'bad-questions' | 'stale-questions';
/** Thrown where a run cannot start or go on. The message says what happened and what to do; it holds no content of a session. */
export declare class EvalsError extends VarveError<EvalsErrorCode> {
    /** What was known when it failed: the files that were read, passed over and refused, as a report has them. */
    readonly found: Readonly<Record<string, unknown>>;
    constructor(code: EvalsErrorCode, message: string, { found, cause, }?: {
        readonly found?: Readonly<Record<string, unknown>>;
        readonly cause?: unknown;
    });
    get name(): 'EvalsError';
    /** Whether `value` is an EvalsError, also of another copy of this package. */
    static is(value: unknown): value is EvalsError;
}

// fidelity/compactor.d.ts
import type { Ledger } from '@varve/ledger';
import type { Head, Message } from '@varve/messages';
/** Makes a conversation smaller. One file like a strategy; it sees what has happened so far, frozen, and nothing else. */
export interface Compactor {
    readonly name: string;
    create(context: CompactorContext): CompactorRun;
}
export interface CompactorContext {
    readonly head: Head;
    /** Tokens of a message. */
    readonly sizeOf: (message: Message) => number;
    /**
     * A ledger that knows all that is added before the first compaction and nothing else, for whoever would keep one of its own. Many
     * compactions of one place share it; it is only read. @default none
     */
    readonly ledger?: (() => Ledger) | undefined;
}
export interface CompactorRun {
    /** Takes the next message of the session. */
    add(message: Message): void;
    /**
     * What the next request carries in place of all messages so far, in no more than `budgetTokens` if it can. Messages that
     * are added later stand behind it; compacted again, it is old conversation like any other.
     */
    compact(budgetTokens: number): Compacted | Promise<Compacted>;
}
export interface Compacted {
    readonly messages: readonly Message[];
    /** What was written for it: summaries, notes. Not what was taken over. */
    readonly synthesised: readonly string[];
}

// fidelity/fidelity-schema.d.ts
import { z } from 'zod';
/** One compaction of one session at one place. */
export declare const fidelityRowSchema: z.ZodObject<{
    session: z.ZodString;
    project: z.ZodNumber;
    compactor: z.ZodString;
    cut: z.ZodNumber;
    budget: z.ZodNullable<z.ZodNumber>;
    share: z.ZodNumber;
    tokens: z.ZodNumber;
    facts: z.ZodNumber;
    vital: z.ZodNullable<z.ZodNumber>;
    recall: z.ZodNullable<z.ZodNumber>;
    recallWithRecovery: z.ZodNullable<z.ZodNumber>;
    contradicted: z.ZodNumber;
    types: z.ZodRecord<z.ZodString, z.ZodObject<{
        bound: z.ZodNumber;
        recoverable: z.ZodNumber;
        'key-only': z.ZodNumber;
        contradicted: z.ZodNumber;
        lost: z.ZodNumber;
    }, z.core.$strip>>;
    hindsight: z.ZodNullable<z.ZodNumber>;
    named: z.ZodNullable<z.ZodNumber>;
    entities: z.ZodNumber;
    fabricated: z.ZodNumber;
    wrongClaims: z.ZodNumber;
}, z.core.$strip>;
export type FidelityRow = z.infer<typeof fidelityRowSchema>;
/** One of five compactions of a session, one behind the other. */
export declare const stabilityRowSchema: z.ZodObject<{
    session: z.ZodString;
    project: z.ZodNumber;
    compactor: z.ZodString;
    round: z.ZodNumber;
    vital: z.ZodNullable<z.ZodNumber>;
    said: z.ZodNullable<z.ZodNumber>;
    share: z.ZodNumber;
    fabricated: z.ZodNumber;
    contradicted: z.ZodNumber;
    canaries: z.ZodNumber;
    survived: z.ZodNumber;
}, z.core.$strip>;
export type StabilityRow = z.infer<typeof stabilityRowSchema>;
/** One of five compactions of a session in which tools and the person were put against it. */
export declare const attackRowSchema: z.ZodObject<{
    session: z.ZodString;
    project: z.ZodNumber;
    compactor: z.ZodString;
    round: z.ZodNumber;
    canaries: z.ZodNumber;
    survived: z.ZodNumber;
    decisions: z.ZodNumber;
    stale: z.ZodNumber;
    current: z.ZodNumber;
    orders: z.ZodNumber;
    promoted: z.ZodNumber;
    quoted: z.ZodNumber;
    secrets: z.ZodNumber;
    leaked: z.ZodNumber;
}, z.core.$strip>;
export type AttackRow = z.infer<typeof attackRowSchema>;
/** The same over all sessions: conditions after the last compaction, the rest summed over all of them. */
export declare const attackTotalSchema: z.ZodObject<{
    compactor: z.ZodString;
    canaries: z.ZodNumber;
    survived: z.ZodNumber;
    decisions: z.ZodNumber;
    stale: z.ZodNumber;
    current: z.ZodNumber;
    orders: z.ZodNumber;
    promoted: z.ZodNumber;
    quoted: z.ZodNumber;
    secrets: z.ZodNumber;
    leaked: z.ZodNumber;
    sessions: z.ZodNumber;
}, z.core.$strip>;
export type AttackTotal = z.infer<typeof attackTotalSchema>;
/** The first edit of a file behind a place of a session as it was recorded. */
export declare const editNeedSchema: z.ZodObject<{
    session: z.ZodString;
    project: z.ZodNumber;
    kind: z.ZodEnum<{
        compaction: "compaction";
        other: "other";
    }>;
    place: z.ZodNumber;
    lost: z.ZodNumber;
    readAgain: z.ZodBoolean;
}, z.core.$strip>;
export type EditNeed = z.infer<typeof editNeedSchema>;
/** Whether what recorded compactions lost was looked at again. */
export declare const foresightSchema: z.ZodObject<{
    compactions: z.ZodNumber;
    sessions: z.ZodNumber;
    edits: z.ZodNumber;
    lost: z.ZodNullable<z.ZodNumber>;
    readAgain: z.ZodNullable<z.ZodNumber>;
    usualEdits: z.ZodNumber;
    usualReadAgain: z.ZodNullable<z.ZodNumber>;
    differenceLow: z.ZodNullable<z.ZodNumber>;
    differenceHigh: z.ZodNullable<z.ZodNumber>;
    auc: z.ZodNullable<z.ZodNumber>;
    aucWithUsual: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
export type Foresight = z.infer<typeof foresightSchema>;
/** Five compactions, over all sessions. */
export declare const stabilityTotalSchema: z.ZodObject<{
    compactor: z.ZodString;
    sessions: z.ZodNumber;
    vital: z.ZodReadonly<z.ZodArray<z.ZodNullable<z.ZodNumber>>>;
    said: z.ZodReadonly<z.ZodArray<z.ZodNullable<z.ZodNumber>>>;
    saidSessions: z.ZodNumber;
    share: z.ZodNumber;
    canaries: z.ZodNumber;
    survived: z.ZodNumber;
}, z.core.$strip>;
export type StabilityTotal = z.infer<typeof stabilityTotalSchema>;
/** One compactor at one budget, over all sessions. */
export declare const fidelityTotalSchema: z.ZodObject<{
    compactor: z.ZodString;
    budget: z.ZodNullable<z.ZodNumber>;
    sessions: z.ZodNumber;
    share: z.ZodNumber;
    vital: z.ZodNullable<z.ZodNumber>;
    vitalLow: z.ZodNullable<z.ZodNumber>;
    vitalHigh: z.ZodNullable<z.ZodNumber>;
    recall: z.ZodNullable<z.ZodNumber>;
    recallWithRecovery: z.ZodNullable<z.ZodNumber>;
    hindsight: z.ZodNullable<z.ZodNumber>;
    named: z.ZodNullable<z.ZodNumber>;
    normalised: z.ZodNullable<z.ZodNumber>;
    normalisedLarge: z.ZodNullable<z.ZodObject<{
        mean: z.ZodNumber;
        low: z.ZodNumber;
        high: z.ZodNumber;
        sessions: z.ZodNumber;
    }, z.core.$strip>>;
    contradicted: z.ZodNumber;
    fabricated: z.ZodNumber;
    wrongClaims: z.ZodNumber;
    types: z.ZodRecord<z.ZodString, z.ZodNumber>;
}, z.core.$strip>;
export type FidelityTotal = z.infer<typeof fidelityTotalSchema>;
declare const curvePoint: z.ZodObject<{
    budget: z.ZodNumber;
    share: z.ZodNumber;
    vital: z.ZodNullable<z.ZodNumber>;
    hindsight: z.ZodNullable<z.ZodNumber>;
    normalised: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
export type CurvePoint = z.infer<typeof curvePoint>;
/** One compactor over all budgets. */
export declare const budgetCurveSchema: z.ZodObject<{
    compactor: z.ZodString;
    points: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        budget: z.ZodNumber;
        share: z.ZodNumber;
        vital: z.ZodNullable<z.ZodNumber>;
        hindsight: z.ZodNullable<z.ZodNumber>;
        normalised: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>>;
    area: z.ZodNullable<z.ZodNumber>;
    sessions: z.ZodNumber;
    reached: z.ZodNumber;
    neededTokens: z.ZodNullable<z.ZodNumber>;
    neededShare: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
export type BudgetCurve = z.infer<typeof budgetCurveSchema>;
/** What `runFidelity` returns. */
export declare const fidelitySchema: z.ZodObject<{
    version: z.ZodString;
    budgets: z.ZodArray<z.ZodNumber>;
    totals: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        compactor: z.ZodString;
        budget: z.ZodNullable<z.ZodNumber>;
        sessions: z.ZodNumber;
        share: z.ZodNumber;
        vital: z.ZodNullable<z.ZodNumber>;
        vitalLow: z.ZodNullable<z.ZodNumber>;
        vitalHigh: z.ZodNullable<z.ZodNumber>;
        recall: z.ZodNullable<z.ZodNumber>;
        recallWithRecovery: z.ZodNullable<z.ZodNumber>;
        hindsight: z.ZodNullable<z.ZodNumber>;
        named: z.ZodNullable<z.ZodNumber>;
        normalised: z.ZodNullable<z.ZodNumber>;
        normalisedLarge: z.ZodNullable<z.ZodObject<{
            mean: z.ZodNumber;
            low: z.ZodNumber;
            high: z.ZodNumber;
            sessions: z.ZodNumber;
        }, z.core.$strip>>;
        contradicted: z.ZodNumber;
        fabricated: z.ZodNumber;
        wrongClaims: z.ZodNumber;
        types: z.ZodRecord<z.ZodString, z.ZodNumber>;
    }, z.core.$strip>>>;
    curves: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        compactor: z.ZodString;
        points: z.ZodReadonly<z.ZodArray<z.ZodObject<{
            budget: z.ZodNumber;
            share: z.ZodNumber;
            vital: z.ZodNullable<z.ZodNumber>;
            hindsight: z.ZodNullable<z.ZodNumber>;
            normalised: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>>;
        area: z.ZodNullable<z.ZodNumber>;
        sessions: z.ZodNumber;
        reached: z.ZodNumber;
        neededTokens: z.ZodNullable<z.ZodNumber>;
        neededShare: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>>;
    rows: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        project: z.ZodNumber;
        compactor: z.ZodString;
        cut: z.ZodNumber;
        budget: z.ZodNullable<z.ZodNumber>;
        share: z.ZodNumber;
        tokens: z.ZodNumber;
        facts: z.ZodNumber;
        vital: z.ZodNullable<z.ZodNumber>;
        recall: z.ZodNullable<z.ZodNumber>;
        recallWithRecovery: z.ZodNullable<z.ZodNumber>;
        contradicted: z.ZodNumber;
        types: z.ZodRecord<z.ZodString, z.ZodObject<{
            bound: z.ZodNumber;
            recoverable: z.ZodNumber;
            'key-only': z.ZodNumber;
            contradicted: z.ZodNumber;
            lost: z.ZodNumber;
        }, z.core.$strip>>;
        hindsight: z.ZodNullable<z.ZodNumber>;
        named: z.ZodNullable<z.ZodNumber>;
        entities: z.ZodNumber;
        fabricated: z.ZodNumber;
        wrongClaims: z.ZodNumber;
    }, z.core.$strip>>>;
    stability: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        project: z.ZodNumber;
        compactor: z.ZodString;
        round: z.ZodNumber;
        vital: z.ZodNullable<z.ZodNumber>;
        said: z.ZodNullable<z.ZodNumber>;
        share: z.ZodNumber;
        fabricated: z.ZodNumber;
        contradicted: z.ZodNumber;
        canaries: z.ZodNumber;
        survived: z.ZodNumber;
    }, z.core.$strip>>>;
    attacks: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        project: z.ZodNumber;
        compactor: z.ZodString;
        round: z.ZodNumber;
        canaries: z.ZodNumber;
        survived: z.ZodNumber;
        decisions: z.ZodNumber;
        stale: z.ZodNumber;
        current: z.ZodNumber;
        orders: z.ZodNumber;
        promoted: z.ZodNumber;
        quoted: z.ZodNumber;
        secrets: z.ZodNumber;
        leaked: z.ZodNumber;
    }, z.core.$strip>>>;
    attackTotals: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        compactor: z.ZodString;
        canaries: z.ZodNumber;
        survived: z.ZodNumber;
        decisions: z.ZodNumber;
        stale: z.ZodNumber;
        current: z.ZodNumber;
        orders: z.ZodNumber;
        promoted: z.ZodNumber;
        quoted: z.ZodNumber;
        secrets: z.ZodNumber;
        leaked: z.ZodNumber;
        sessions: z.ZodNumber;
    }, z.core.$strip>>>;
    foresight: z.ZodNullable<z.ZodObject<{
        compactions: z.ZodNumber;
        sessions: z.ZodNumber;
        edits: z.ZodNumber;
        lost: z.ZodNullable<z.ZodNumber>;
        readAgain: z.ZodNullable<z.ZodNumber>;
        usualEdits: z.ZodNumber;
        usualReadAgain: z.ZodNullable<z.ZodNumber>;
        differenceLow: z.ZodNullable<z.ZodNumber>;
        differenceHigh: z.ZodNullable<z.ZodNumber>;
        auc: z.ZodNullable<z.ZodNumber>;
        aucWithUsual: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    stabilityTotals: z.ZodReadonly<z.ZodArray<z.ZodObject<{
        compactor: z.ZodString;
        sessions: z.ZodNumber;
        vital: z.ZodReadonly<z.ZodArray<z.ZodNullable<z.ZodNumber>>>;
        said: z.ZodReadonly<z.ZodArray<z.ZodNullable<z.ZodNumber>>>;
        saidSessions: z.ZodNumber;
        share: z.ZodNumber;
        canaries: z.ZodNumber;
        survived: z.ZodNumber;
    }, z.core.$strip>>>;
    read: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        format: z.ZodString;
        requests: z.ZodNumber;
        losses: z.ZodObject<{
            results: z.ZodNumber;
            inventedResults: z.ZodNumber;
            blocks: z.ZodNumber;
            unknownBlocks: z.ZodNumber;
            bills: z.ZodNumber;
            unusedBills: z.ZodNumber;
            records: z.ZodNumber;
            droppedRecords: z.ZodNumber;
            threads: z.ZodNumber;
            missingStarts: z.ZodNumber;
        }, z.core.$strip>;
    }, z.core.$strip>>;
    leftOut: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        why: z.ZodEnum<{
            copy: "copy";
            fork: "fork";
            lossy: "lossy";
            short: "short";
            "sub-agent": "sub-agent";
        }>;
        of: z.ZodNullable<z.ZodString>;
        requests: z.ZodNumber;
        ownRequests: z.ZodNumber;
        text: z.ZodString;
        counted: z.ZodBoolean;
    }, z.core.$strip>>;
    skipped: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        reason: z.ZodString;
    }, z.core.$strip>>;
    refused: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        line: z.ZodNullable<z.ZodNumber>;
        reason: z.ZodString;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type Fidelity = z.infer<typeof fidelitySchema>;
export {};

// fidelity/fidelity-text.d.ts
import type { Fidelity } from './fidelity-schema.ts';
/** The comparison for a terminal of 100 columns. */
export declare function formatFidelity(fidelity: Fidelity): string;
/** The same in Markdown. */
export declare function markdownFidelity(fidelity: Fidelity): string;

// fidelity/run-fidelity.d.ts
import type { ProgressStep } from '../run-eval.ts';
import type { Fidelity } from './fidelity-schema.ts';
export interface RunFidelityOptions {
    /** Session files, and folders to search for some. */
    readonly sessions: readonly string[];
    /** Names. @default all built-in ones */
    readonly compactors?: readonly string[] | undefined;
    /** Adds the summarisers of other projects, from their own packages. @default false */
    readonly peers?: boolean | undefined;
    /** Sizes to compact to, as shares of what is there. @default 2, 5, 10, 20 and 40 % */
    readonly budgets?: readonly number[] | undefined;
    /** Folder of summaries that were written once for these sessions. @default none */
    readonly summaries?: string | undefined;
    /** Threads to work in. The report does not depend on it. @default 1 */
    readonly jobs?: number | undefined;
    readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}
/**
 * Compacts recorded sessions at 25, 40, 55, 70 and 85 % of their tokens and reports what is left of what was said, done and
 * needed next. No model is called. Throws an `EvalsError` where it cannot start.
 */
export declare function runFidelity(options: RunFidelityOptions): Promise<Fidelity>;

// index.d.ts
export { BUILT_IN_STRATEGIES } from './built-in-strategies.ts';
export { EvalsError, type EvalsErrorCode } from './error.ts';
export type { Compacted, Compactor, CompactorContext, CompactorRun } from './fidelity/compactor.ts';
export type { Fidelity } from './fidelity/fidelity-schema.ts';
export { formatFidelity } from './fidelity/fidelity-text.ts';
export { type RunFidelityOptions, runFidelity } from './fidelity/run-fidelity.ts';
export type { StrategySource } from './load-strategies.ts';
export { type Report, type ReportRow, type ReportTotal, reportSchema, } from './report/report-schema.ts';
export { formatReport } from './report/report-text.ts';
export { type RunEvalOptions, runEval } from './run-eval.ts';
export { contextStrategy } from './strategies/context-strategy.ts';
export type { Announcement, OwnCall, Strategy, StrategyContext, StrategyRun, } from './strategy.ts';
export { type RunValidationOptions, runValidation } from './validate/run-validation.ts';
export type { Validation } from './validate/validation-schema.ts';
export { formatValidation } from './validate/validation-text.ts';

// load-strategies.d.ts
import type { Strategy } from './strategy.ts';
/** The name of a built-in strategy or of a peer, the path of a file that exports one, or a strategy itself. */
export type StrategySource = string | Strategy;
/**
 * The strategies that are asked for; all built-in ones when none is. The baseline comes first whether asked for or not.
 * Throws `unknown-strategy`, `invalid-strategy`, `missing-peer`, and `not-found` for a missing file.
 */
export declare function loadStrategies(wanted: readonly StrategySource[]): Promise<readonly Strategy[]>;

// providers.d.ts
import type { ThinkingRule } from '@varve/messages';
export declare const PROVIDERS: readonly ['anthropic', 'openai', 'google', 'deepseek', 'none'];
/** Whose cache is simulated; `none`: nobody's, every prompt token is plain input. */
export type Provider = (typeof PROVIDERS)[number];
export declare const TTLS: readonly ['5m', '1h', 'none'];
/** Lifetime of cache entries; `none`: they live for ever. */
export type Ttl = (typeof TTLS)[number];
/** A context window in tokens; `none`: requests of every size are priced as if accepted. */
export type Window = number | 'none';
/** How a model binds thinking to the conversation before it. */
export declare const THINKING_RULES: readonly ThinkingRule[];

// replay/ranges.d.ts
import { type ToolResultBlock } from '@varve/messages';
import type { UnitIndex } from '../demand/unit-index.ts';
/** How a lost result comes back: `whole`, or only the lines around what is needed. */
export type Rereads = 'whole' | 'ranges';
export declare const REREADS: readonly ['whole', 'ranges'];
/**
 * What a tool that reads by line gives of a result: for each of `units` the first line that shows it, with 20 lines around
 * it. The result itself where a unit stands on no line alone, or where that would be no shorter.
 */
export declare function neededRanges(result: ToolResultBlock, units: readonly number[], index: UnitIndex): ToolResultBlock;

// report/report-schema.d.ts
import { z } from 'zod';
/** A thread of a session that was replayed. */
declare const replayedSchema: z.ZodObject<{
    session: z.ZodString;
    requests: z.ZodNumber;
    tokens: z.ZodNumber;
    headTokens: z.ZodNumber;
    headSource: z.ZodEnum<{
        assumed: "assumed";
        "first-prompt": "first-prompt";
        "recorded-text": "recorded-text";
    }>;
    clock: z.ZodEnum<{
        assumed: "assumed";
        recorded: "recorded";
    }>;
    recordedModel: z.ZodNullable<z.ZodString>;
    pricedAs: z.ZodString;
    policy: z.ZodString;
    windowTokens: z.ZodNumber;
    outputTokens: z.ZodNumber;
    outputDollars: z.ZodNumber;
    repairs: z.ZodRecord<z.ZodString, z.ZodNumber>;
    removedEdits: z.ZodNumber;
    foreignSessions: z.ZodNumber;
    project: z.ZodNumber;
    hindsightUses: z.ZodNumber;
    namedUses: z.ZodNumber;
}, z.core.$strip>;
declare const sessionSchema: z.ZodObject<{
    messages: z.ZodNumber;
    toolCalls: z.ZodNumber;
    toolResults: z.ZodNumber;
    file: z.ZodString;
    format: z.ZodString;
    subAgents: z.ZodObject<{
        messages: z.ZodNumber;
        toolCalls: z.ZodNumber;
        toolResults: z.ZodNumber;
        threads: z.ZodNumber;
    }, z.core.$strip>;
    tokens: z.ZodNumber;
    unused: z.ZodRecord<z.ZodString, z.ZodNumber>;
    problems: z.ZodArray<z.ZodObject<{
        line: z.ZodNumber;
        kind: z.ZodString;
        text: z.ZodString;
    }, z.core.$strip>>;
    losses: z.ZodObject<{
        results: z.ZodNumber;
        inventedResults: z.ZodNumber;
        blocks: z.ZodNumber;
        unknownBlocks: z.ZodNumber;
        bills: z.ZodNumber;
        unusedBills: z.ZodNumber;
        records: z.ZodNumber;
        droppedRecords: z.ZodNumber;
        threads: z.ZodNumber;
        missingStarts: z.ZodNumber;
    }, z.core.$strip>;
    replayed: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        requests: z.ZodNumber;
        tokens: z.ZodNumber;
        headTokens: z.ZodNumber;
        headSource: z.ZodEnum<{
            assumed: "assumed";
            "first-prompt": "first-prompt";
            "recorded-text": "recorded-text";
        }>;
        clock: z.ZodEnum<{
            assumed: "assumed";
            recorded: "recorded";
        }>;
        recordedModel: z.ZodNullable<z.ZodString>;
        pricedAs: z.ZodString;
        policy: z.ZodString;
        windowTokens: z.ZodNumber;
        outputTokens: z.ZodNumber;
        outputDollars: z.ZodNumber;
        repairs: z.ZodRecord<z.ZodString, z.ZodNumber>;
        removedEdits: z.ZodNumber;
        foreignSessions: z.ZodNumber;
        project: z.ZodNumber;
        hindsightUses: z.ZodNumber;
        namedUses: z.ZodNumber;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** One strategy on one session. */
export declare const rowSchema: z.ZodObject<{
    session: z.ZodString;
    strategy: z.ZodString;
    model: z.ZodString;
    requests: z.ZodNumber;
    rereads: z.ZodNumber;
    irreproducible: z.ZodNumber;
    unmetUnits: z.ZodNumber;
    promptTokens: z.ZodNumber;
    readTokens: z.ZodNumber;
    writtenTokens: z.ZodNumber;
    hitRate: z.ZodNullable<z.ZodNumber>;
    dollars: z.ZodNumber;
    relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
    relativeToAsItWas: z.ZodNullable<z.ZodNumber>;
    rereadDollars: z.ZodNumber;
    irreproducibleDollars: z.ZodNumber;
    rereadShare: z.ZodNullable<z.ZodNumber>;
    hindsightRecall: z.ZodNullable<z.ZodNumber>;
    hindsightReach: z.ZodNullable<z.ZodNumber>;
    hindsightUnits: z.ZodNumber;
    namedRecall: z.ZodNullable<z.ZodNumber>;
    namedReach: z.ZodNullable<z.ZodNumber>;
    namedUnits: z.ZodNumber;
    evictedResults: z.ZodNumber;
    faultedResults: z.ZodNumber;
    faultRate: z.ZodNullable<z.ZodNumber>;
    breaks: z.ZodNumber;
    breaksAnnounced: z.ZodNumber;
    breaksUnannounced: z.ZodNumber;
    breakMassTokens: z.ZodNumber;
    expiries: z.ZodNumber;
    peakTokens: z.ZodNumber;
    overWindowRequests: z.ZodNumber;
    forcedCompactions: z.ZodNumber;
    compactionDollars: z.ZodNumber;
    compactions: z.ZodNumber;
    ownCalls: z.ZodNumber;
    standInCalls: z.ZodNumber;
    ownCallDollars: z.ZodNumber;
    invalidRequests: z.ZodNumber;
    violations: z.ZodRecord<z.ZodString, z.ZodNumber>;
    systemChangedRequests: z.ZodNumber;
    personLostRequests: z.ZodNumber;
    repeatable: z.ZodBoolean;
    acted: z.ZodBoolean;
    idle: z.ZodBoolean;
    waitSeconds: z.ZodNumber;
    billed: z.ZodNullable<z.ZodObject<{
        requests: z.ZodNumber;
        dollars: z.ZodNumber;
        replayedDollars: z.ZodNumber;
        losses: z.ZodNumber;
        models: z.ZodArray<z.ZodString>;
        doubt: z.ZodNullable<z.ZodEnum<{
            "lacks-most": "lacks-most";
        }>>;
    }, z.core.$strip>>;
    unpricedTokens: z.ZodNumber;
    writeOnceDollars: z.ZodNumber;
    perObjectDollars: z.ZodNumber;
    writeOnceShare: z.ZodNullable<z.ZodNumber>;
    perObjectShare: z.ZodNullable<z.ZodNumber>;
    oracleShare: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
declare const totalSchema: z.ZodObject<{
    strategy: z.ZodString;
    sessions: z.ZodNumber;
    comparable: z.ZodNumber;
    basis: z.ZodEnum<{
        "at-most": "at-most";
        replayed: "replayed";
    }>;
    relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
    dollarsRelative: z.ZodNullable<z.ZodNumber>;
    dollars: z.ZodNumber;
    savedOfAsItWas: z.ZodNullable<z.ZodNumber>;
    savedOfAsItWasLow: z.ZodNullable<z.ZodNumber>;
    savedOfAsItWasHigh: z.ZodNullable<z.ZodNumber>;
    dearerThanAsItWas: z.ZodNullable<z.ZodObject<{
        sessions: z.ZodNumber;
        of: z.ZodNumber;
    }, z.core.$strip>>;
    billed: z.ZodNullable<z.ZodObject<{
        sessions: z.ZodNumber;
        dollars: z.ZodNumber;
        replayedDollars: z.ZodNumber;
    }, z.core.$strip>>;
    waitSeconds: z.ZodNumber;
    overWindowRequests: z.ZodNumber;
    oracleShare: z.ZodNullable<z.ZodNumber>;
    hitRate: z.ZodNullable<z.ZodNumber>;
    breaks: z.ZodNumber;
    rereads: z.ZodNumber;
    irreproducible: z.ZodNumber;
    rereadShare: z.ZodNullable<z.ZodNumber>;
    hindsightRecall: z.ZodNullable<z.ZodNumber>;
    hindsightLow: z.ZodNullable<z.ZodNumber>;
    hindsightHigh: z.ZodNullable<z.ZodNumber>;
    hindsightReach: z.ZodNullable<z.ZodNumber>;
    hindsightReachLow: z.ZodNullable<z.ZodNumber>;
    hindsightReachHigh: z.ZodNullable<z.ZodNumber>;
    namedRecall: z.ZodNullable<z.ZodNumber>;
    namedReach: z.ZodNullable<z.ZodNumber>;
    faultRate: z.ZodNullable<z.ZodNumber>;
    writeOnceShare: z.ZodNullable<z.ZodNumber>;
    perObjectShare: z.ZodNullable<z.ZodNumber>;
    peakTokens: z.ZodNumber;
    breaksAnnounced: z.ZodNumber;
    breaksUnannounced: z.ZodNumber;
    invalidRequests: z.ZodNumber;
    systemChangedRequests: z.ZodNumber;
    personLostRequests: z.ZodNumber;
    unmetUnits: z.ZodNumber;
    unrepeatable: z.ZodNumber;
    actedSessions: z.ZodNumber;
    forcedCompactions: z.ZodNumber;
    compactions: z.ZodNumber;
    ownCalls: z.ZodNumber;
    standInShare: z.ZodNullable<z.ZodNumber>;
    ownCallShare: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
declare const verdictSchema: z.ZodObject<{
    floor: z.ZodNumber;
    reachFloor: z.ZodNumber;
    cheapest: z.ZodNullable<z.ZodString>;
    reference: z.ZodString;
    saved: z.ZodNullable<z.ZodNumber>;
    interval: z.ZodNullable<z.ZodObject<{
        low: z.ZodNumber;
        high: z.ZodNumber;
    }, z.core.$strip>>;
    atHand: z.ZodNullable<z.ZodObject<{
        share: z.ZodNullable<z.ZodNumber>;
        low: z.ZodNullable<z.ZodNumber>;
        high: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    reach: z.ZodNullable<z.ZodObject<{
        share: z.ZodNullable<z.ZodNumber>;
        low: z.ZodNullable<z.ZodNumber>;
        high: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** The document that `--json` prints and `report.json` holds. */
export declare const reportSchema: z.ZodObject<{
    version: z.ZodString;
    command: z.ZodString;
    estimator: z.ZodObject<{
        name: z.ZodString;
        version: z.ZodString;
        familyFactors: z.ZodRecord<z.ZodString, z.ZodRecord<z.ZodString, z.ZodNumber>>;
    }, z.core.$strip>;
    settings: z.ZodObject<{
        model: z.ZodNullable<z.ZodString>;
        provider: z.ZodNullable<z.ZodString>;
        ttl: z.ZodEnum<{
            "1h": "1h";
            "5m": "5m";
            none: "none";
            recorded: "recorded";
        }>;
        window: z.ZodNullable<z.ZodUnion<readonly [z.ZodNumber, z.ZodLiteral<"none">]>>;
        readPrice: z.ZodNullable<z.ZodNumber>;
        rereadFactor: z.ZodNumber;
        rereads: z.ZodEnum<{
            ranges: "ranges";
            whole: "whole";
        }>;
        thinking: z.ZodNullable<z.ZodEnum<{
            free: "free";
            "latest-turn": "latest-turn";
            "prefix-bound": "prefix-bound";
        }>>;
    }, z.core.$strip>;
    read: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        format: z.ZodString;
        requests: z.ZodNumber;
        losses: z.ZodObject<{
            results: z.ZodNumber;
            inventedResults: z.ZodNumber;
            blocks: z.ZodNumber;
            unknownBlocks: z.ZodNumber;
            bills: z.ZodNumber;
            unusedBills: z.ZodNumber;
            records: z.ZodNumber;
            droppedRecords: z.ZodNumber;
            threads: z.ZodNumber;
            missingStarts: z.ZodNumber;
        }, z.core.$strip>;
    }, z.core.$strip>>;
    leftOut: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        why: z.ZodEnum<{
            copy: "copy";
            fork: "fork";
            lossy: "lossy";
            short: "short";
            "sub-agent": "sub-agent";
        }>;
        of: z.ZodNullable<z.ZodString>;
        requests: z.ZodNumber;
        ownRequests: z.ZodNumber;
        text: z.ZodString;
        counted: z.ZodBoolean;
    }, z.core.$strip>>;
    bills: z.ZodObject<{
        requests: z.ZodNumber;
        billedRequests: z.ZodNumber;
        promptTokens: z.ZodNumber;
        outputTokens: z.ZodNumber;
        dollars: z.ZodNumber;
        unpricedTokens: z.ZodNumber;
        unpricedModels: z.ZodRecord<z.ZodString, z.ZodNumber>;
        subAgents: z.ZodObject<{
            threads: z.ZodNumber;
            requests: z.ZodNumber;
            dollars: z.ZodNumber;
        }, z.core.$strip>;
        sharedRequests: z.ZodNumber;
    }, z.core.$strip>;
    prices: z.ZodObject<{
        checkedOn: z.ZodNullable<z.ZodString>;
        isOld: z.ZodBoolean;
    }, z.core.$strip>;
    sessions: z.ZodArray<z.ZodObject<{
        messages: z.ZodNumber;
        toolCalls: z.ZodNumber;
        toolResults: z.ZodNumber;
        file: z.ZodString;
        format: z.ZodString;
        subAgents: z.ZodObject<{
            messages: z.ZodNumber;
            toolCalls: z.ZodNumber;
            toolResults: z.ZodNumber;
            threads: z.ZodNumber;
        }, z.core.$strip>;
        tokens: z.ZodNumber;
        unused: z.ZodRecord<z.ZodString, z.ZodNumber>;
        problems: z.ZodArray<z.ZodObject<{
            line: z.ZodNumber;
            kind: z.ZodString;
            text: z.ZodString;
        }, z.core.$strip>>;
        losses: z.ZodObject<{
            results: z.ZodNumber;
            inventedResults: z.ZodNumber;
            blocks: z.ZodNumber;
            unknownBlocks: z.ZodNumber;
            bills: z.ZodNumber;
            unusedBills: z.ZodNumber;
            records: z.ZodNumber;
            droppedRecords: z.ZodNumber;
            threads: z.ZodNumber;
            missingStarts: z.ZodNumber;
        }, z.core.$strip>;
        replayed: z.ZodArray<z.ZodObject<{
            session: z.ZodString;
            requests: z.ZodNumber;
            tokens: z.ZodNumber;
            headTokens: z.ZodNumber;
            headSource: z.ZodEnum<{
                assumed: "assumed";
                "first-prompt": "first-prompt";
                "recorded-text": "recorded-text";
            }>;
            clock: z.ZodEnum<{
                assumed: "assumed";
                recorded: "recorded";
            }>;
            recordedModel: z.ZodNullable<z.ZodString>;
            pricedAs: z.ZodString;
            policy: z.ZodString;
            windowTokens: z.ZodNumber;
            outputTokens: z.ZodNumber;
            outputDollars: z.ZodNumber;
            repairs: z.ZodRecord<z.ZodString, z.ZodNumber>;
            removedEdits: z.ZodNumber;
            foreignSessions: z.ZodNumber;
            project: z.ZodNumber;
            hindsightUses: z.ZodNumber;
            namedUses: z.ZodNumber;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
    skipped: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        reason: z.ZodString;
    }, z.core.$strip>>;
    refused: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        line: z.ZodNullable<z.ZodNumber>;
        reason: z.ZodString;
    }, z.core.$strip>>;
    unpriced: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        recordedModel: z.ZodNullable<z.ZodString>;
    }, z.core.$strip>>;
    strategies: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
    }, z.core.$strip>>;
    rows: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        strategy: z.ZodString;
        model: z.ZodString;
        requests: z.ZodNumber;
        rereads: z.ZodNumber;
        irreproducible: z.ZodNumber;
        unmetUnits: z.ZodNumber;
        promptTokens: z.ZodNumber;
        readTokens: z.ZodNumber;
        writtenTokens: z.ZodNumber;
        hitRate: z.ZodNullable<z.ZodNumber>;
        dollars: z.ZodNumber;
        relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
        relativeToAsItWas: z.ZodNullable<z.ZodNumber>;
        rereadDollars: z.ZodNumber;
        irreproducibleDollars: z.ZodNumber;
        rereadShare: z.ZodNullable<z.ZodNumber>;
        hindsightRecall: z.ZodNullable<z.ZodNumber>;
        hindsightReach: z.ZodNullable<z.ZodNumber>;
        hindsightUnits: z.ZodNumber;
        namedRecall: z.ZodNullable<z.ZodNumber>;
        namedReach: z.ZodNullable<z.ZodNumber>;
        namedUnits: z.ZodNumber;
        evictedResults: z.ZodNumber;
        faultedResults: z.ZodNumber;
        faultRate: z.ZodNullable<z.ZodNumber>;
        breaks: z.ZodNumber;
        breaksAnnounced: z.ZodNumber;
        breaksUnannounced: z.ZodNumber;
        breakMassTokens: z.ZodNumber;
        expiries: z.ZodNumber;
        peakTokens: z.ZodNumber;
        overWindowRequests: z.ZodNumber;
        forcedCompactions: z.ZodNumber;
        compactionDollars: z.ZodNumber;
        compactions: z.ZodNumber;
        ownCalls: z.ZodNumber;
        standInCalls: z.ZodNumber;
        ownCallDollars: z.ZodNumber;
        invalidRequests: z.ZodNumber;
        violations: z.ZodRecord<z.ZodString, z.ZodNumber>;
        systemChangedRequests: z.ZodNumber;
        personLostRequests: z.ZodNumber;
        repeatable: z.ZodBoolean;
        acted: z.ZodBoolean;
        idle: z.ZodBoolean;
        waitSeconds: z.ZodNumber;
        billed: z.ZodNullable<z.ZodObject<{
            requests: z.ZodNumber;
            dollars: z.ZodNumber;
            replayedDollars: z.ZodNumber;
            losses: z.ZodNumber;
            models: z.ZodArray<z.ZodString>;
            doubt: z.ZodNullable<z.ZodEnum<{
                "lacks-most": "lacks-most";
            }>>;
        }, z.core.$strip>>;
        unpricedTokens: z.ZodNumber;
        writeOnceDollars: z.ZodNumber;
        perObjectDollars: z.ZodNumber;
        writeOnceShare: z.ZodNullable<z.ZodNumber>;
        perObjectShare: z.ZodNullable<z.ZodNumber>;
        oracleShare: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    totals: z.ZodArray<z.ZodObject<{
        strategy: z.ZodString;
        sessions: z.ZodNumber;
        comparable: z.ZodNumber;
        basis: z.ZodEnum<{
            "at-most": "at-most";
            replayed: "replayed";
        }>;
        relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
        dollarsRelative: z.ZodNullable<z.ZodNumber>;
        dollars: z.ZodNumber;
        savedOfAsItWas: z.ZodNullable<z.ZodNumber>;
        savedOfAsItWasLow: z.ZodNullable<z.ZodNumber>;
        savedOfAsItWasHigh: z.ZodNullable<z.ZodNumber>;
        dearerThanAsItWas: z.ZodNullable<z.ZodObject<{
            sessions: z.ZodNumber;
            of: z.ZodNumber;
        }, z.core.$strip>>;
        billed: z.ZodNullable<z.ZodObject<{
            sessions: z.ZodNumber;
            dollars: z.ZodNumber;
            replayedDollars: z.ZodNumber;
        }, z.core.$strip>>;
        waitSeconds: z.ZodNumber;
        overWindowRequests: z.ZodNumber;
        oracleShare: z.ZodNullable<z.ZodNumber>;
        hitRate: z.ZodNullable<z.ZodNumber>;
        breaks: z.ZodNumber;
        rereads: z.ZodNumber;
        irreproducible: z.ZodNumber;
        rereadShare: z.ZodNullable<z.ZodNumber>;
        hindsightRecall: z.ZodNullable<z.ZodNumber>;
        hindsightLow: z.ZodNullable<z.ZodNumber>;
        hindsightHigh: z.ZodNullable<z.ZodNumber>;
        hindsightReach: z.ZodNullable<z.ZodNumber>;
        hindsightReachLow: z.ZodNullable<z.ZodNumber>;
        hindsightReachHigh: z.ZodNullable<z.ZodNumber>;
        namedRecall: z.ZodNullable<z.ZodNumber>;
        namedReach: z.ZodNullable<z.ZodNumber>;
        faultRate: z.ZodNullable<z.ZodNumber>;
        writeOnceShare: z.ZodNullable<z.ZodNumber>;
        perObjectShare: z.ZodNullable<z.ZodNumber>;
        peakTokens: z.ZodNumber;
        breaksAnnounced: z.ZodNumber;
        breaksUnannounced: z.ZodNumber;
        invalidRequests: z.ZodNumber;
        systemChangedRequests: z.ZodNumber;
        personLostRequests: z.ZodNumber;
        unmetUnits: z.ZodNumber;
        unrepeatable: z.ZodNumber;
        actedSessions: z.ZodNumber;
        forcedCompactions: z.ZodNumber;
        compactions: z.ZodNumber;
        ownCalls: z.ZodNumber;
        standInShare: z.ZodNullable<z.ZodNumber>;
        ownCallShare: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    verdict: z.ZodObject<{
        floor: z.ZodNumber;
        reachFloor: z.ZodNumber;
        cheapest: z.ZodNullable<z.ZodString>;
        reference: z.ZodString;
        saved: z.ZodNullable<z.ZodNumber>;
        interval: z.ZodNullable<z.ZodObject<{
            low: z.ZodNumber;
            high: z.ZodNumber;
        }, z.core.$strip>>;
        atHand: z.ZodNullable<z.ZodObject<{
            share: z.ZodNullable<z.ZodNumber>;
            low: z.ZodNullable<z.ZodNumber>;
            high: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>;
        reach: z.ZodNullable<z.ZodObject<{
            share: z.ZodNullable<z.ZodNumber>;
            low: z.ZodNullable<z.ZodNumber>;
            high: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>;
    }, z.core.$strip>;
    checks: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        text: z.ZodString;
        holds: z.ZodBoolean;
        of: z.ZodNumber;
        exceptions: z.ZodArray<z.ZodObject<{
            session: z.ZodString;
            strategy: z.ZodString;
            value: z.ZodNumber;
            why: z.ZodString;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
    otherWindows: z.ZodArray<z.ZodObject<{
        windowTokens: z.ZodNumber;
        rows: z.ZodArray<z.ZodObject<{
            session: z.ZodString;
            strategy: z.ZodString;
            model: z.ZodString;
            requests: z.ZodNumber;
            rereads: z.ZodNumber;
            irreproducible: z.ZodNumber;
            unmetUnits: z.ZodNumber;
            promptTokens: z.ZodNumber;
            readTokens: z.ZodNumber;
            writtenTokens: z.ZodNumber;
            hitRate: z.ZodNullable<z.ZodNumber>;
            dollars: z.ZodNumber;
            relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
            relativeToAsItWas: z.ZodNullable<z.ZodNumber>;
            rereadDollars: z.ZodNumber;
            irreproducibleDollars: z.ZodNumber;
            rereadShare: z.ZodNullable<z.ZodNumber>;
            hindsightRecall: z.ZodNullable<z.ZodNumber>;
            hindsightReach: z.ZodNullable<z.ZodNumber>;
            hindsightUnits: z.ZodNumber;
            namedRecall: z.ZodNullable<z.ZodNumber>;
            namedReach: z.ZodNullable<z.ZodNumber>;
            namedUnits: z.ZodNumber;
            evictedResults: z.ZodNumber;
            faultedResults: z.ZodNumber;
            faultRate: z.ZodNullable<z.ZodNumber>;
            breaks: z.ZodNumber;
            breaksAnnounced: z.ZodNumber;
            breaksUnannounced: z.ZodNumber;
            breakMassTokens: z.ZodNumber;
            expiries: z.ZodNumber;
            peakTokens: z.ZodNumber;
            overWindowRequests: z.ZodNumber;
            forcedCompactions: z.ZodNumber;
            compactionDollars: z.ZodNumber;
            compactions: z.ZodNumber;
            ownCalls: z.ZodNumber;
            standInCalls: z.ZodNumber;
            ownCallDollars: z.ZodNumber;
            invalidRequests: z.ZodNumber;
            violations: z.ZodRecord<z.ZodString, z.ZodNumber>;
            systemChangedRequests: z.ZodNumber;
            personLostRequests: z.ZodNumber;
            repeatable: z.ZodBoolean;
            acted: z.ZodBoolean;
            idle: z.ZodBoolean;
            waitSeconds: z.ZodNumber;
            billed: z.ZodNullable<z.ZodObject<{
                requests: z.ZodNumber;
                dollars: z.ZodNumber;
                replayedDollars: z.ZodNumber;
                losses: z.ZodNumber;
                models: z.ZodArray<z.ZodString>;
                doubt: z.ZodNullable<z.ZodEnum<{
                    "lacks-most": "lacks-most";
                }>>;
            }, z.core.$strip>>;
            unpricedTokens: z.ZodNumber;
            writeOnceDollars: z.ZodNumber;
            perObjectDollars: z.ZodNumber;
            writeOnceShare: z.ZodNullable<z.ZodNumber>;
            perObjectShare: z.ZodNullable<z.ZodNumber>;
            oracleShare: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>;
        totals: z.ZodArray<z.ZodObject<{
            strategy: z.ZodString;
            sessions: z.ZodNumber;
            comparable: z.ZodNumber;
            basis: z.ZodEnum<{
                "at-most": "at-most";
                replayed: "replayed";
            }>;
            relativeToKeepAll: z.ZodNullable<z.ZodNumber>;
            dollarsRelative: z.ZodNullable<z.ZodNumber>;
            dollars: z.ZodNumber;
            savedOfAsItWas: z.ZodNullable<z.ZodNumber>;
            savedOfAsItWasLow: z.ZodNullable<z.ZodNumber>;
            savedOfAsItWasHigh: z.ZodNullable<z.ZodNumber>;
            dearerThanAsItWas: z.ZodNullable<z.ZodObject<{
                sessions: z.ZodNumber;
                of: z.ZodNumber;
            }, z.core.$strip>>;
            billed: z.ZodNullable<z.ZodObject<{
                sessions: z.ZodNumber;
                dollars: z.ZodNumber;
                replayedDollars: z.ZodNumber;
            }, z.core.$strip>>;
            waitSeconds: z.ZodNumber;
            overWindowRequests: z.ZodNumber;
            oracleShare: z.ZodNullable<z.ZodNumber>;
            hitRate: z.ZodNullable<z.ZodNumber>;
            breaks: z.ZodNumber;
            rereads: z.ZodNumber;
            irreproducible: z.ZodNumber;
            rereadShare: z.ZodNullable<z.ZodNumber>;
            hindsightRecall: z.ZodNullable<z.ZodNumber>;
            hindsightLow: z.ZodNullable<z.ZodNumber>;
            hindsightHigh: z.ZodNullable<z.ZodNumber>;
            hindsightReach: z.ZodNullable<z.ZodNumber>;
            hindsightReachLow: z.ZodNullable<z.ZodNumber>;
            hindsightReachHigh: z.ZodNullable<z.ZodNumber>;
            namedRecall: z.ZodNullable<z.ZodNumber>;
            namedReach: z.ZodNullable<z.ZodNumber>;
            faultRate: z.ZodNullable<z.ZodNumber>;
            writeOnceShare: z.ZodNullable<z.ZodNumber>;
            perObjectShare: z.ZodNullable<z.ZodNumber>;
            peakTokens: z.ZodNumber;
            breaksAnnounced: z.ZodNumber;
            breaksUnannounced: z.ZodNumber;
            invalidRequests: z.ZodNumber;
            systemChangedRequests: z.ZodNumber;
            personLostRequests: z.ZodNumber;
            unmetUnits: z.ZodNumber;
            unrepeatable: z.ZodNumber;
            actedSessions: z.ZodNumber;
            forcedCompactions: z.ZodNumber;
            compactions: z.ZodNumber;
            ownCalls: z.ZodNumber;
            standInShare: z.ZodNullable<z.ZodNumber>;
            ownCallShare: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>;
        verdict: z.ZodObject<{
            floor: z.ZodNumber;
            reachFloor: z.ZodNumber;
            cheapest: z.ZodNullable<z.ZodString>;
            reference: z.ZodString;
            saved: z.ZodNullable<z.ZodNumber>;
            interval: z.ZodNullable<z.ZodObject<{
                low: z.ZodNumber;
                high: z.ZodNumber;
            }, z.core.$strip>>;
            atHand: z.ZodNullable<z.ZodObject<{
                share: z.ZodNullable<z.ZodNumber>;
                low: z.ZodNullable<z.ZodNumber>;
                high: z.ZodNullable<z.ZodNumber>;
            }, z.core.$strip>>;
            reach: z.ZodNullable<z.ZodObject<{
                share: z.ZodNullable<z.ZodNumber>;
                low: z.ZodNullable<z.ZodNumber>;
                high: z.ZodNullable<z.ZodNumber>;
            }, z.core.$strip>>;
        }, z.core.$strip>;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** A whole report. */
export type Report = z.infer<typeof reportSchema>;
/** One strategy on one session. */
export type ReportRow = z.infer<typeof rowSchema>;
/** One strategy over all sessions. */
export type ReportTotal = z.infer<typeof totalSchema>;
/** Which strategy a report names. */
export type Verdict = z.infer<typeof verdictSchema>;
/** One session file. */
export type ReportSession = z.infer<typeof sessionSchema>;
/** One replayed thread. */
export type ReplayedThread = z.infer<typeof replayedSchema>;
export {};

// report/report-text.d.ts
import type { Report } from './report-schema.ts';
/** A report for a terminal of 100 columns: strategies, sessions, and what was assumed. */
export declare function formatReport(report: Report): string;
export declare const PAID_LEGEND = "saved: 1 - cost / cost of as-it-was, what the recorded agents sent with their own compactions, both summed; with its 95 % interval, by a bootstrap over projects. dearer: sessions of 60 requests and more that cost more than that. basis: a replay of recorded requests, or at most: what only foresight can do. Bills stand beside as-it-was, each session priced as one recorded model (--model recorded); no basis is added to another. LBo/$: what the cheaper of the legal oracles would pay, as a share of the cost: the same edits, rules and markers with foresight. waits: seconds a session while summaries and notes are written, modelled at 70 tokens a second.";

// run-eval.d.ts
import type { ThinkingRule } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { type StrategySource } from './load-strategies.ts';
import type { Provider, Ttl, Window } from './providers.ts';
import type { Rereads } from './replay/ranges.ts';
import type { Report } from './report/report-schema.ts';
/** One piece of work is done: a file was read, or replayed. */
export interface ProgressStep {
    readonly file: string;
    readonly done: number;
    readonly total: number;
}
export interface RunEvalOptions {
    /** Session files, and folders to search for some. */
    readonly sessions: readonly string[];
    /**
     * Names, paths or strategies. What is no name or path cannot be sent to worker threads: it needs `jobs: 1`.
     * @default all built-in ones
     */
    readonly strategies?: readonly StrategySource[] | undefined;
    /**
     * Adds the strategies of other projects; these run from their own packages, which have to be installed.
     * @default false
     */
    readonly peers?: boolean | undefined;
    /**
     * Id of the model that prices and rules are taken from; `recorded`: each session's own. Sessions whose model has no known
     * price are then left out, and listed.
     * @default a current model of the provider
     */
    readonly model?: string | undefined;
    /** @default the model's; without a model `anthropic` */
    readonly provider?: Provider | undefined;
    /** @default '5m'; where each session is priced as its own model, as its bills tell */
    readonly ttl?: Ttl | undefined;
    /**
     * Context window in tokens. Larger requests are refused, and before one grows so large the agent has to compact;
     * `none`: requests of every size are priced as if accepted, and strategies are told the model's. @default the model's
     */
    readonly window?: Window | undefined;
    /** Windows in tokens to replay everything in once more, or in a session's own where that is smaller. @default none */
    readonly otherWindows?: readonly number[] | undefined;
    /** Price of a token read from the cache as a share of a plain one. @default the model's */
    readonly readPrice?: number | undefined;
    /** What re-reads cost, as a multiple of their price. @default 1 */
    readonly rereadFactor?: number | undefined;
    /** Whether lost results come back whole, or by the lines that are needed. @default 'whole' */
    readonly rereads?: Rereads | undefined;
    /** How thinking is bound to what stands before it. @default as the model does */
    readonly thinking?: ThinkingRule | undefined;
    /** Threads to work in. The report does not depend on it. @default 1 */
    readonly jobs?: number | undefined;
    /** Stands in the report. @default 'runEval()' */
    readonly command?: string | undefined;
    /** Entries of one's own for models; they win over the table. @default none */
    readonly models?: readonly ModelInfo[] | undefined;
    /** Decides whether prices are called old. @default now */
    readonly today?: Date | undefined;
    /** Called after each piece of work. */
    readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}
/**
 * Replays recorded sessions under strategies and reports what each costs and loses. No model is called, nothing is written,
 * and the same files give the same report. Throws an `EvalsError` where it cannot start, where no session can be
 * replayed, and where a strategy fails.
 */
export declare function runEval(options: RunEvalOptions): Promise<Report>;

// strategies/context-strategy.d.ts
import { type Context, type ContextOptions } from '@varve/context';
import type { OwnCall, Strategy, StrategyContext } from '../strategy.ts';
/** The options of a context that a strategy sets; what it leaves out is as `createContext` has it. */
export interface ContextSetting extends Pick<ContextOptions, 'clearBy' | 'compaction' | 'fold' | 'layers' | 'stableTtl' | 'storage'> {
    /** Waited for after each reply: for work that goes on beside the conversation. */
    readonly settle?: (() => Promise<void>) | undefined;
}
/** What a setting can be made with. */
export interface SettingInput extends StrategyContext {
    /** Takes a request that was sent for the strategy itself. */
    readonly onCall: (call: OwnCall) => void;
    /** The context that is set up; not there before its first request. */
    readonly context: () => Context;
}
/** A strategy that is a set of options of `createContext`: what it sends is what a user of these options sends. */
export declare const contextStrategy: (name: string, settingOf: (input: SettingInput) => ContextSetting) => Strategy;

// strategy.d.ts
import type { Head, Message, Request } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import type { ModelInfo } from '@varve/tokens';
/** What a strategy knows of the session it is about to manage. Everything in it is frozen. */
export interface StrategyContext {
    readonly head: Head;
    /** The model the session is priced as. */
    readonly model: ModelInfo;
    /** Context window in tokens. */
    readonly window: number;
    readonly policy: CachePolicy;
    /** Tokens of a message or of a head. */
    readonly sizeOf: (part: Message | Head) => number;
    /** When the request that is asked for is sent, in milliseconds since 1970. */
    readonly now: () => number;
}
/** One session under a strategy. */
export interface StrategyRun {
    /** Takes the next message of the past; it is frozen, and it comes once. */
    add(message: Message): void;
    /**
     * The request to send now. Where it has no markers, the replay places those that `placeMarkers` of
     * `@varve/prompt-cache` would.
     */
    request(): Request;
    /** Waited for before each `request()`: for what cannot be worked out at once, such as a library's promises. */
    prepare?(): Promise<void>;
    /** Asked after each `request()`: where it changes what the one before it sent; undefined where it only adds. */
    announced?(): Announcement | undefined;
    /**
     * Waited for after each reply was added: for work between two requests, such as notes. What comes next is not known yet,
     * and `now()` is still the time of the request that was answered.
     */
    replied?(): Promise<void>;
    /**
     * Asked after each reply and each `request()`: what was sent for the strategy itself since it was asked last, such as
     * requests for summaries and notes, in order. They are checked and priced, and read and fill the same cache; each was
     * sent when `now()` says.
     */
    calls?(): readonly OwnCall[];
    /** Waited for once nothing more is asked of the run: ends what goes on beside it. */
    close?(): Promise<void>;
}
/** A request that a strategy sends for itself. */
export interface OwnCall {
    readonly request: Request;
    /** Tokens of the reply. */
    readonly outputTokens: number;
    /** No model ever wrote this reply: something else stands for it. @default false */
    readonly isStandIn?: boolean | undefined;
}
/** A change of what was sent before, by intent. Breaks of the prefix that nobody announced are counted apart. */
export interface Announcement {
    /** Index of the first message that differs from the request before; -1: the tools or the system prompt. */
    readonly from: number;
    /** Kebab-case. */
    readonly reason: string;
    /** Whether a summary took the place of old conversation. @default false */
    readonly isCompaction?: boolean | undefined;
}
/** A way to manage context. A file holds one as its default export. */
export interface Strategy {
    /** Stands in tables: letters, digits, `-`, `+`, `_` and `.`. */
    readonly name: string;
    /** Called once per session; two runs share nothing. */
    create(context: StrategyContext): StrategyRun;
}

// validate/run-validation.d.ts
import type { ModelInfo } from '@varve/tokens';
import type { Validation } from './validation-schema.ts';
export interface RunValidationOptions {
    /** Files and folders. */
    readonly sessions: readonly string[];
    /** Arguments of the command line; they stand in the report. @default none */
    readonly command?: readonly string[] | undefined;
    /** Entries of one's own for models; they win over the table. @default none */
    readonly models?: readonly ModelInfo[] | undefined;
    /** Called before each file: `share` of the files, from 0 to 1, that are done. */
    readonly onProgress?: ((step: {
        readonly file: string;
        readonly share: number;
    }) => void) | undefined;
}
/** Compares simulator and meter with the billed usage of recorded sessions. Throws `no-sessions` where none has any. */
export declare function runValidation(options: RunValidationOptions): Promise<Validation>;

// validate/validation-schema.d.ts
import { z } from 'zod';
declare const sessionSchema: z.ZodObject<{
    file: z.ZodString;
    format: z.ZodString;
    model: z.ZodString;
    policy: z.ZodString;
    requests: z.ZodNumber;
    billedCachedShare: z.ZodNullable<z.ZodNumber>;
    predictedCachedShare: z.ZodNullable<z.ZodNumber>;
    shareErrorPoints: z.ZodNullable<z.ZodNumber>;
    costErrorShare: z.ZodNullable<z.ZodNumber>;
    exactShare: z.ZodNullable<z.ZodNumber>;
    billedBreaks: z.ZodNumber;
    predictedBreaks: z.ZodNumber;
    foundBreaks: z.ZodNumber;
    breakPrecision: z.ZodNullable<z.ZodNumber>;
    breakRecall: z.ZodNullable<z.ZodNumber>;
    unexplainedBreaks: z.ZodNumber;
    unexplained: z.ZodArray<z.ZodObject<{
        request: z.ZodNumber;
        messageId: z.ZodString;
        lostTokens: z.ZodNumber;
        gapSeconds: z.ZodNullable<z.ZodNumber>;
        signals: z.ZodArray<z.ZodString>;
    }, z.core.$strip>>;
    baselines: z.ZodObject<{
        alwaysWarm: z.ZodObject<{
            cachedShare: z.ZodNullable<z.ZodNumber>;
            costErrorShare: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>;
        constant: z.ZodObject<{
            cachedShare: z.ZodNullable<z.ZodNumber>;
            costErrorShare: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>;
    }, z.core.$strip>;
    firstRequest: z.ZodObject<{
        billedRead: z.ZodNumber;
        promptTokens: z.ZodNumber;
    }, z.core.$strip>;
    contextSizeErrorMedian: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorP95: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorAfter50: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorTranscriptOnly: z.ZodNullable<z.ZodNumber>;
    afterCompaction: z.ZodObject<{
        requests: z.ZodNumber;
        unanchored: z.ZodNumber;
        errorMedian: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>;
    confidence: z.ZodEnum<{
        high: "high";
        low: "low";
        medium: "medium";
    }>;
    doubts: z.ZodArray<z.ZodString>;
    reason: z.ZodString;
    leftOneOut: z.ZodNullable<z.ZodObject<{
        costErrorShare: z.ZodNullable<z.ZodNumber>;
        predictedBreaks: z.ZodNumber;
        foundBreaks: z.ZodNumber;
    }, z.core.$strip>>;
    diagnoses: z.ZodArray<z.ZodObject<{
        request: z.ZodNumber;
        messageId: z.ZodString;
        word: z.ZodString;
        missedTokens: z.ZodNullable<z.ZodNumber>;
        kind: z.ZodEnum<{
            agreed: "agreed";
            differs: "differs";
            "only-diagnosed": "only-diagnosed";
            unknown: "unknown";
        }>;
        ours: z.ZodArray<z.ZodString>;
        by: z.ZodNullable<z.ZodEnum<{
            bill: "bill";
            rules: "rules";
        }>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
/** Medians over the sessions of a format; breaks pooled. */
declare const formatSchema: z.ZodObject<{
    format: z.ZodString;
    sessions: z.ZodNumber;
    shareErrorMedian: z.ZodNullable<z.ZodNumber>;
    shareErrorP90: z.ZodNullable<z.ZodNumber>;
    costErrorMedian: z.ZodNullable<z.ZodNumber>;
    costErrorAlwaysWarm: z.ZodNullable<z.ZodNumber>;
    costErrorConstant: z.ZodNullable<z.ZodNumber>;
    breakPrecision: z.ZodNullable<z.ZodNumber>;
    breakRecall: z.ZodNullable<z.ZodNumber>;
    leftOneOut: z.ZodNullable<z.ZodObject<{
        costErrorMedian: z.ZodNullable<z.ZodNumber>;
        breakPrecision: z.ZodNullable<z.ZodNumber>;
        breakRecall: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    contextSizeErrorMedian: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorP95: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorAfter50: z.ZodNullable<z.ZodNumber>;
    contextSizeErrorTranscriptOnly: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
/** What `validate --json` prints. */
export declare const validationSchema: z.ZodObject<{
    version: z.ZodString;
    command: z.ZodArray<z.ZodString>;
    sessions: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        format: z.ZodString;
        model: z.ZodString;
        policy: z.ZodString;
        requests: z.ZodNumber;
        billedCachedShare: z.ZodNullable<z.ZodNumber>;
        predictedCachedShare: z.ZodNullable<z.ZodNumber>;
        shareErrorPoints: z.ZodNullable<z.ZodNumber>;
        costErrorShare: z.ZodNullable<z.ZodNumber>;
        exactShare: z.ZodNullable<z.ZodNumber>;
        billedBreaks: z.ZodNumber;
        predictedBreaks: z.ZodNumber;
        foundBreaks: z.ZodNumber;
        breakPrecision: z.ZodNullable<z.ZodNumber>;
        breakRecall: z.ZodNullable<z.ZodNumber>;
        unexplainedBreaks: z.ZodNumber;
        unexplained: z.ZodArray<z.ZodObject<{
            request: z.ZodNumber;
            messageId: z.ZodString;
            lostTokens: z.ZodNumber;
            gapSeconds: z.ZodNullable<z.ZodNumber>;
            signals: z.ZodArray<z.ZodString>;
        }, z.core.$strip>>;
        baselines: z.ZodObject<{
            alwaysWarm: z.ZodObject<{
                cachedShare: z.ZodNullable<z.ZodNumber>;
                costErrorShare: z.ZodNullable<z.ZodNumber>;
            }, z.core.$strip>;
            constant: z.ZodObject<{
                cachedShare: z.ZodNullable<z.ZodNumber>;
                costErrorShare: z.ZodNullable<z.ZodNumber>;
            }, z.core.$strip>;
        }, z.core.$strip>;
        firstRequest: z.ZodObject<{
            billedRead: z.ZodNumber;
            promptTokens: z.ZodNumber;
        }, z.core.$strip>;
        contextSizeErrorMedian: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorP95: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorAfter50: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorTranscriptOnly: z.ZodNullable<z.ZodNumber>;
        afterCompaction: z.ZodObject<{
            requests: z.ZodNumber;
            unanchored: z.ZodNumber;
            errorMedian: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>;
        confidence: z.ZodEnum<{
            high: "high";
            low: "low";
            medium: "medium";
        }>;
        doubts: z.ZodArray<z.ZodString>;
        reason: z.ZodString;
        leftOneOut: z.ZodNullable<z.ZodObject<{
            costErrorShare: z.ZodNullable<z.ZodNumber>;
            predictedBreaks: z.ZodNumber;
            foundBreaks: z.ZodNumber;
        }, z.core.$strip>>;
        diagnoses: z.ZodArray<z.ZodObject<{
            request: z.ZodNumber;
            messageId: z.ZodString;
            word: z.ZodString;
            missedTokens: z.ZodNullable<z.ZodNumber>;
            kind: z.ZodEnum<{
                agreed: "agreed";
                differs: "differs";
                "only-diagnosed": "only-diagnosed";
                unknown: "unknown";
            }>;
            ours: z.ZodArray<z.ZodString>;
            by: z.ZodNullable<z.ZodEnum<{
                bill: "bill";
                rules: "rules";
            }>>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
    formats: z.ZodArray<z.ZodObject<{
        format: z.ZodString;
        sessions: z.ZodNumber;
        shareErrorMedian: z.ZodNullable<z.ZodNumber>;
        shareErrorP90: z.ZodNullable<z.ZodNumber>;
        costErrorMedian: z.ZodNullable<z.ZodNumber>;
        costErrorAlwaysWarm: z.ZodNullable<z.ZodNumber>;
        costErrorConstant: z.ZodNullable<z.ZodNumber>;
        breakPrecision: z.ZodNullable<z.ZodNumber>;
        breakRecall: z.ZodNullable<z.ZodNumber>;
        leftOneOut: z.ZodNullable<z.ZodObject<{
            costErrorMedian: z.ZodNullable<z.ZodNumber>;
            breakPrecision: z.ZodNullable<z.ZodNumber>;
            breakRecall: z.ZodNullable<z.ZodNumber>;
        }, z.core.$strip>>;
        contextSizeErrorMedian: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorP95: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorAfter50: z.ZodNullable<z.ZodNumber>;
        contextSizeErrorTranscriptOnly: z.ZodNullable<z.ZodNumber>;
    }, z.core.$strip>>;
    read: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        format: z.ZodString;
        requests: z.ZodNumber;
        losses: z.ZodObject<{
            results: z.ZodNumber;
            inventedResults: z.ZodNumber;
            blocks: z.ZodNumber;
            unknownBlocks: z.ZodNumber;
            bills: z.ZodNumber;
            unusedBills: z.ZodNumber;
            records: z.ZodNumber;
            droppedRecords: z.ZodNumber;
            threads: z.ZodNumber;
            missingStarts: z.ZodNumber;
        }, z.core.$strip>;
    }, z.core.$strip>>;
    leftOut: z.ZodArray<z.ZodObject<{
        session: z.ZodString;
        why: z.ZodEnum<{
            copy: "copy";
            fork: "fork";
            lossy: "lossy";
            short: "short";
            "sub-agent": "sub-agent";
        }>;
        of: z.ZodNullable<z.ZodString>;
        requests: z.ZodNumber;
        ownRequests: z.ZodNumber;
        text: z.ZodString;
        counted: z.ZodBoolean;
    }, z.core.$strip>>;
    bills: z.ZodObject<{
        requests: z.ZodNumber;
        billedRequests: z.ZodNumber;
        promptTokens: z.ZodNumber;
        outputTokens: z.ZodNumber;
        dollars: z.ZodNumber;
        unpricedTokens: z.ZodNumber;
        unpricedModels: z.ZodRecord<z.ZodString, z.ZodNumber>;
        subAgents: z.ZodObject<{
            threads: z.ZodNumber;
            requests: z.ZodNumber;
            dollars: z.ZodNumber;
        }, z.core.$strip>;
        sharedRequests: z.ZodNumber;
    }, z.core.$strip>;
    skipped: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        reason: z.ZodString;
    }, z.core.$strip>>;
    refused: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        line: z.ZodNullable<z.ZodNumber>;
        reason: z.ZodString;
    }, z.core.$strip>>;
    unbilled: z.ZodArray<z.ZodObject<{
        file: z.ZodString;
        reason: z.ZodString;
    }, z.core.$strip>>;
    assumptions: z.ZodArray<z.ZodString>;
}, z.core.$strip>;
export type Validation = z.infer<typeof validationSchema>;
export type ValidatedSession = z.infer<typeof sessionSchema>;
export type ValidatedFormat = z.infer<typeof formatSchema>;
export {};

// validate/validation-text.d.ts
import type { Validation } from './validation-schema.ts';
/** What the tables say, in a sentence. */
export declare function validationVerdict({ sessions }: Pick<Validation, 'sessions'>): string;
/** What the terminal shows. */
export declare function formatValidation(validation: Validation): string;
/** The same as a page. */
export declare function markdownValidation(validation: Validation): string;
