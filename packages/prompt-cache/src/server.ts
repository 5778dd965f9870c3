// What a provider makes of a request: what it refuses, hashes and bills, and says of a miss.
export { createBillSplit, type SplitBill } from './bill-split.ts';
export { compareDiagnosis } from './diagnosis.ts';
export { checkMarkers } from './marker-check.ts';
export { renderPrefix } from './render.ts';
export { createServerView } from './server-view.ts';
