export { fileRecordStore } from './file-record-store.ts';
