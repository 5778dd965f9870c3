import { loadUser } from './users.mjs';

export const greet = (id) => `Hello, ${loadUser(id)?.name ?? 'stranger'}!`;
