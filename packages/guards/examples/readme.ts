import { checkOptions, integer, untilAborted, VarveError } from '@varve/guards';

class StoreError extends VarveError<'damaged' | 'full'> {
  override get name() {
    return 'StoreError' as const;
  }
  static override is(value: unknown): value is StoreError {
    return VarveError.is(value, 'StoreError');
  }
}

interface StoreOptions {
  readonly keepTokens?: number;
  readonly order?: 'oldest' | 'newest';
}

function createStore(options: StoreOptions) {
  checkOptions(options, { keepTokens: integer(0), order: ['oldest', 'newest'] });
  return { read: (signal: AbortSignal) => untilAborted(new Promise<never>(() => {}), signal) };
}

const say = ({ message }: Error) => console.log(message);
console.log(StoreError.is(new StoreError('full', 'The store is full; remove something.')));
await createStore({})
  .read(AbortSignal.abort(new Error('The user left.')))
  .catch(say);
try {
  createStore({ keepTokens: -1 });
} catch (error) {
  say(error as RangeError);
}
