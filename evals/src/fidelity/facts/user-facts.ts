import type { Message } from '@varve/messages';
import type { FactTable } from './fact-table.ts';
import { personText, sentencesOf } from './person-text.ts';

/** Every message of a person, and the sentences in it that ask for something to be kept to. */
export function addUserFacts(table: FactTable, message: Message, index: number): void {
  const text = personText(message);
  if (text === '') return;
  const place = { messageId: message.id, index };
  table.put({ type: 'user-message', key: text }, place);
  for (const sentence of sentencesOf(text)) {
    if (sentence.length > MAX_CHARACTERS || sentence.length < MIN_CHARACTERS) continue;
    if (CUE.test(sentence)) table.put({ type: 'constraint', key: sentence }, place);
  }
}

/** Longer ones are pasted text; shorter ones say nothing alone. */
const MAX_CHARACTERS = 400;
const MIN_CHARACTERS = 12;

const CUE =
  /\b(?:never|always|only|must(?:n['’]t)?|do not|don['’]t|should(?:n['’]t| not)|avoid|instead of|make sure|ensure|from now on|without|not [^.]{1,40} but)\b[^?]*$/i;
