// Clearing by the provider: the parameter of the request, and what a response says was cleared.
export { appliedEdits, contextManagement } from './server.ts';
