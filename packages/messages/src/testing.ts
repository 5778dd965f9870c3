export { damagedLog } from './testing/damaged-log.ts';
export { hostileJson, hostileText } from './testing/hostile.ts';
export { messageHistory, validLog } from './testing/valid-log.ts';
