const users = new Map([
  ['1', { id: '1', name: 'Ada' }],
  ['2', { id: '2', name: 'Grace' }],
]);

export function loadUser(id) {
  return users.get(id);
}

export function loadUsers(ids) {
  return ids.map((id) => loadUser(id)).filter(Boolean);
}
