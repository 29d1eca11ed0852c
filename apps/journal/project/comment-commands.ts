import { defineCommand, presentTable, usageError } from '@fabrica/backend/cli';

interface CommentRow {
  id: string;
  post_id: string;
  user_id: string;
  user_name: string;
  content: string;
  created_at: number;
}

const MOST_LISTED = 1_000;

export const commentList = defineCommand({
  name: 'comment list',
  arguments: [],
  options: {
    user: { value: '<id>', description: 'Only comments of one account, also of a deleted one.' },
    post: { value: '<id>', description: 'Only comments on one post.' },
    limit: { value: '<number>', description: 'How many at most (default: 50).' },
  },
  summary: 'Lists comments, the newest first, hidden ones as well.',
  details:
    'The account of a deleted person is "deleted_" and an ending of its own, so that its comments can be told from others.',
  async run({ options, fetchRows, json, terminal }) {
    const limit = Number(options.limit ?? 50);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
      throw usageError(`--limit is a number from 1 to ${MOST_LISTED}.`);
    const query = new URLSearchParams({ order: 'created_at.desc,id.desc', limit: String(limit) });
    if (options.user) query.set('user_id', `eq.${options.user}`);
    if (options.post) query.set('post_id', `eq.${options.post}`);
    const found = await fetchRows(`/rest/v1/post_comments?${query}`);
    const comments = (await found.json()) as CommentRow[];
    if (json) return terminal.print(JSON.stringify(comments, null, 2));
    if (comments.length === 0) return terminal.note('There are no such comments.');
    const lines = comments.map(({ id, created_at, user_id, user_name, post_id, content }) => [
      ...[id, new Date(created_at).toISOString(), user_id, user_name, post_id, shortened(content)],
    ]);
    terminal.print(presentTable(['ID', 'TIME', 'ACCOUNT', 'NAME', 'POST', 'COMMENT'], lines));
  },
});

export const commentRemove = defineCommand({
  name: 'comment remove',
  arguments: ['<id>'],
  options: {},
  summary: 'Removes a comment for good.',
  details:
    'The audit log records it. All comments of an account: "user disable --hide-comments", "user delete --with-comments".',
  async run({ arguments: [id = ''], fetchRows, json, terminal }) {
    const query = new URLSearchParams({ id: `eq.${id}` });
    const headers = { prefer: 'return=representation' };
    const removed = await fetchRows(`/rest/v1/post_comments?${query}`, { method: 'DELETE', headers });
    const [comment] = (await removed.json()) as CommentRow[];
    if (!comment) throw usageError(`There is no comment "${id}".`);
    if (json) return terminal.print(JSON.stringify(comment, null, 2));
    terminal.print(`The comment of ${comment.user_id} on ${comment.post_id} is removed.`);
  },
});

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
