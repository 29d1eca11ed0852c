import { type Cli, countUpTo, presentTable, usageError } from '@fabrica/backend/cli';
import { shorten, toOneLine } from './shorten.ts';
import { isoTime } from './time.ts';

/** Characters of a text in a table on the terminal. */
export const CELL_LENGTH = 80;

interface CommentRow {
  id: string;
  post_id: string;
  user_id: string;
  user_name: string;
  content: string;
  created_at: number;
}

export function commentList({ command, run }: Cli): void {
  command('comment list', 'Lists comments, the newest first, hidden ones as well.')
    .option('--user <id>', 'Only comments of one account, also of a deleted one.')
    .option('--post <id>', 'Only comments on one post.')
    .option('--limit <number>', 'How many at most.', countUpTo(1_000), 50)
    .addHelpText(
      'after',
      '\nThe account of a deleted person is "deleted_" and an ending of its own, so that its comments can be told from others.',
    )
    .action(
      run(async ({ fetchRows, json, show, terminal }, { user, post, limit }) => {
        const query = new URLSearchParams({ order: 'created_at.desc,id.desc', limit: String(limit) });
        if (user) query.set('user_id', `eq.${user}`);
        if (post) query.set('post_id', `eq.${post}`);
        const found = await fetchRows(`/rest/v1/post_comments?${query}`);
        const comments = (await found.json()) as CommentRow[];
        if (comments.length === 0 && !json) return terminal.note('There are no such comments.');
        const lines = comments.map(({ id, created_at, user_id, user_name, post_id, content }) => [
          ...[id, isoTime(created_at), user_id, user_name, post_id, shorten(toOneLine(content), CELL_LENGTH)],
        ]);
        show(comments, presentTable(['ID', 'TIME', 'ACCOUNT', 'NAME', 'POST', 'COMMENT'], lines));
      }),
    );
}

export function commentRemove({ command, run }: Cli): void {
  command('comment remove', 'Removes a comment for good.')
    .argument('<id>')
    .addHelpText(
      'after',
      '\nThe audit log records it. All comments of an account: "user disable --hide-comments", "user delete --with-comments".',
    )
    .action(
      run(async ({ fetchRows, show }, id) => {
        const query = new URLSearchParams({ id: `eq.${id}` });
        const headers = { prefer: 'return=representation' };
        const removed = await fetchRows(`/rest/v1/post_comments?${query}`, { method: 'DELETE', headers });
        const [comment] = (await removed.json()) as CommentRow[];
        if (!comment) throw usageError(`There is no comment "${id}".`);
        show(comment, `The comment of ${comment.user_id} on ${comment.post_id} is removed.`);
      }),
    );
}
