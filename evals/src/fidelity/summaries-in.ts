import { isText, type Message } from '@varve/messages';

/** Texts of the summaries among messages. */
export const summariesIn = (messages: readonly Message[]): readonly string[] =>
  messages
    .filter(({ origin }) => origin?.kind === 'summary')
    .flatMap(({ content }) => content.flatMap((block) => (isText(block) ? [block.text] : [])));
