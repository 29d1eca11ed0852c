import type { TablePlan } from '@fabrica/backend';
import type { PostDocument } from '../project/document.ts';
import type { DeskContext } from './desk-context.ts';
import { deskReader } from './queries.ts';

/** Matches what stands between spaces, quotation marks and brackets: among others, URLs. */
const WORD = /[^\s<>"'()[\]{}\\]+/g;
const STORED_FILE = /\/storage\/./;

/** Files of one document; further ones are not kept for it. */
const MAX_FILES = 200;
const MAX_URL = 2_000;

/** Returns the URLs of the stored files that a document shows. */
export function filesOf({ cover, pictures, content, translations }: PostDocument): string[] {
  const texts = [content, ...Object.values(translations).map((one) => one.content ?? '')];
  const urls = texts.flatMap(storedFilesIn);
  const shown = [...(cover ? [cover] : []), ...pictures].map(({ url }) => url);
  const all = new Set([...shown.filter((url) => url.includes('/storage/')), ...urls]);
  return [...all].filter((url) => url.length <= MAX_URL).slice(0, MAX_FILES);
}

/** Returns the URLs of the storage within a text: each word is looked at once, however it is made. */
function storedFilesIn(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const path = word.search(STORED_FILE);
    if (path < 0) return [];
    const origin = word.slice(0, path).search(/https?:\/\//);
    return [word.slice(origin < 0 ? path : origin)];
  });
}

/** Plans the rows that keep a document's files in the storage for as long as the post exists. */
export async function plansForFiles(
  { project, plans }: DeskContext,
  { postId, userId, document }: { postId: string; userId: string; document: PostDocument },
): Promise<TablePlan[]> {
  const urls = filesOf(document);
  if (urls.length === 0) return [];
  const known = await deskReader(project.database)
    .selectFrom('post_files')
    .select('url')
    .where('post_id', '=', postId)
    .execute();
  const kept = new Set(known.map(({ url }) => url));
  return urls
    .filter((url) => !kept.has(url))
    .map((url) => plans.create('post_files', { post_id: postId, user_id: userId, url }));
}
