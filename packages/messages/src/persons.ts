// Who said a message, and which request is still open.
export { callStop } from './call-stop.ts';
export { openRequests } from './open-requests.ts';
export { stoppedSection, withoutStoppedSection } from './stopped-section.ts';
export {
  injectedTexts,
  isPerson,
  isSummary,
  isSynthetic,
  NOTES_OPENING,
  personBlocks,
  SUMMARY_OPENING,
  splitInjected,
} from './who-said.ts';
