const TAG = 'system-reminder';

/** What the agent tells the model by itself, marked as that. A text from elsewhere cannot end the mark. */
export const reminder = (text: string): string =>
  `<${TAG}>\n${text.replace(/<(\/?)(?=\s*system-reminder)/gi, '<\\$1')}\n</${TAG}>`;
