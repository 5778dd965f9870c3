import { type Block, createProjection, type Edit, type Role, type View } from '@varve/messages';

const log = createProjection();
const at = '2026-01-31T12:00:00Z';
const say = (role: Role, id: string, ...content: Block[]) =>
  log.append({ id, at, type: 'message', message: { id, role, content } });
const edit = (id: string, change: Edit) =>
  log.append({ id, at, type: 'edit', by: 'example', reason: 'old-result', edit: change });
const show = ({ messages, changedFrom }: View) =>
  console.log(`${JSON.stringify(messages).length} characters, changed from ${changedFrom}`);

say('user', 'u1', { type: 'text', text: 'Why does it fail?' });
say('assistant', 'a1', { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'app.log' } });
show(say('user', 'r1', { type: 'tool_result', tool_use_id: 'c1', content: 'error\n'.repeat(999) }));

const cleared = { type: 'tool_result', tool_use_id: 'c1', content: '[999 lines, cleared]' };
const blocks = [{ messageId: 'r1', index: 0, block: cleared }];
show(edit('e1', { kind: 'replace-content', blocks }));
show(edit('e2', { kind: 'undo', entryId: 'e1' }));
