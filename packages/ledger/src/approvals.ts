import { isText, type Message } from '@varve/messages';
import type { Approval } from './ledger.ts';

/** Keeps where the person agreed, with the end of the reply that it answers: `yes` alone says nothing of what. */
export function createApprovals() {
  const approvals: Approval[] = [];
  let about = '';
  return {
    /** `words` are the person's in this message. */
    add({ role, content }: Message, words: readonly string[]): void {
      const texts = role === 'assistant' ? content.filter(isText) : [];
      if (texts.length > 0)
        about = texts
          .map(({ text }) => text)
          .join('\n')
          .slice(-MOST_ABOUT);
      for (const said of words) {
        if (agrees(said)) approvals.push({ said: said.slice(0, MOST_SAID), about });
      }
      if (words.length > 0) about = '';
    },
    all: (): readonly Approval[] => approvals,
  };
}

/** UTF-16 units: what a reply asks stands at its end. */
const MOST_ABOUT = 600;
/** UTF-16 units. */
const MOST_SAID = 600;

function agrees(said: string): boolean {
  const start = said.slice(0, MOST_SAID);
  if (AGREES.test(start) || MAY.test(start)) return true;
  return said.length <= SHORT && !DENIES.test(said) && !said.includes('?');
}

/** UTF-16 units; so few words answer what was asked, in whatever language. */
const SHORT = 16;
const AGREES =
  /^\W*(?:yes|yep|yeah|yup|y|ok(?:ay)?|k|sure|go(?:[ -]ahead|\s+for it|\s+on)|approved?|agreed|confirm(?:ed)?|correct|right|exactly|(?:please )?do (?:it|so|that)|please do|proceed|continue|ship it|lgtm|sounds? good|looks good|fine|great|perfect|good|absolutely|definitely|of course|granted|ja|oui|s[ií]|да|好|可以|はい)(?![\p{L}])/iu;
const MAY =
  /\b(?:I (?:approve|agree|confirm|authori[sz]e|allow)|I['’]m (?:fine|ok(?:ay)?) with|you (?:may|can|have my)|feel free|go ahead|go for it|that works|fine with me|approved)\b/i;
const DENIES = /\b(?:no|nope|not|never|stop|wait|cancel|nein|non)\b|n['’]t\b/i;
