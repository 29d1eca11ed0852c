import type { PostDocument } from '../../project/document.ts';
import { idsBehind, inImages, settle } from './drafts.ts';

/**
 * A draft of an earlier version of the create page, which had formatting and fields that the page no longer has. Its texts are in
 * local storage, its image is where those of drafts are.
 */
export interface FormerDraft {
  id: string;
  document: Partial<PostDocument>;
  /** What is said about the image, which is no cover before it is uploaded. */
  cover: Partial<NonNullable<PostDocument['cover']>>;
  image: File | null;
  /** The working copy on the desk that the page saved it into. */
  desk: { id: string; version: number } | undefined;
  /** Whether the create page can hold all of it. */
  isPlain: boolean;
}

const PREFIX = 'fabrica_draft_';

/** Returns whether the browser has former drafts of an author. */
export function hasFormerDrafts(authorId: string): boolean {
  return idsOf(authorId).length > 0;
}

export async function listFormerDrafts(authorId: string): Promise<FormerDraft[]> {
  const ids = idsOf(authorId);
  if (ids.length === 0) return [];
  const images = await inImages('readonly', (store) =>
    Promise.all(ids.map((id) => settle<unknown>(store.get(id)))),
  );
  return ids.flatMap((id, at) => {
    const image = images?.[at];
    const draft = readDraft(id, image instanceof File ? image : null);
    return draft ? [draft] : [];
  });
}

export async function removeFormerDraft(id: string): Promise<void> {
  localStorage.removeItem(PREFIX + id);
  await inImages('readwrite', (store) => settle(store.delete(id)));
}

export async function removeFormerDrafts(authorId: string): Promise<void> {
  for (const id of idsOf(authorId)) await removeFormerDraft(id);
}

function readDraft(id: string, image: File | null): FormerDraft | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') ?? {};
    const { title = '', content = '', contentFormat = 'plain', sources = [], details = {} } = stored;
    if (!title.trim() && !content.trim() && !image) return undefined;
    const { language = null, slugs = {}, byline = [], focal = null, alt = {}, caption = {} } = details;
    const { credit = '', licence = '' } = details;
    const cover = { focal, alt, caption, credit, licence };
    const isFilled = (value: unknown) => Object.values(value ?? {}).some(Boolean);
    const isPlain =
      contentFormat === 'plain' &&
      ![sources, slugs, byline, alt, caption, { focal, credit, licence }].some(isFilled);
    const document = { title, content, contentFormat, sources, language, slugs, byline };
    const { desk } = stored.achieved ?? {};
    return { id, document, cover, image, desk: desk?.version > 0 ? desk : undefined, isPlain };
  } catch {
    return undefined;
  }
}

/** Returns the ids of an author's drafts: the first is the author's own, and others were numbered from 2. */
function idsOf(authorId: string): string[] {
  return idsBehind(PREFIX).filter((id) => id === authorId || id.startsWith(`${authorId}.`));
}
