// How large a window is, whether a size fits it and how much output beside it, and when a threshold was reached.
export { acceptSize } from './accept-size.ts';
export { createThresholdWatch } from './context-limits.ts';
export { fitOutput } from './fit-output.ts';
export { contextWindow } from './window.ts';
