import { loadUser, loadUsers } from './users.mjs';

export const report = (ids) =>
  `${loadUsers(ids).length} found, the first is ${loadUser(ids[0])?.name}`;
