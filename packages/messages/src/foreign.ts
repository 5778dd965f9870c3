// An entry of its own: what refuses foreign messages at its own door need not load the rest.
export { checkMessages } from './check-messages.ts';
export { describeForeign, refuseForeign } from './foreign-messages.ts';
