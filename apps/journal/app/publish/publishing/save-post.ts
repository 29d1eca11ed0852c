import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../../entities.ts';
import { LANGUAGE_CODES } from '../../language/languages.ts';
import { type LocalizedColumn, localizedColumn } from '../../language/localize.ts';
import type { AchievedStore, UploadedImage } from '../draft/checkpoint.ts';
import type { Translation } from '../translation/translate-part.ts';
import { formatParts, type SourceTexts } from '../translation/translation-parts.ts';

export interface SavePostOptions {
  authorId: string;
  texts: SourceTexts;
  image: UploadedImage;
  translations: readonly Translation[];
  achieved: AchievedStore;
  db: FabricaClient['db'];
}

/** Creates the post; when an earlier try did so without our hearing of it, brings that one up to date. */
export async function savePost({
  authorId,
  texts: { title, content },
  image,
  translations,
  achieved,
  db,
}: SavePostOptions): Promise<string> {
  const posts = db.table<JournalPost>('journalPosts');
  const row = {
    title,
    content,
    imageUrl: image.url,
    imageWidth: image.width ?? null,
    imageHeight: image.height ?? null,
    imagePlaceholder: image.placeholder ?? null,
    ...localizedTexts({ title, content }, translations),
    untranslated: formatParts(missingFor(translations)),
  };
  const tryId = async (id: string) => {
    achieved.write({ ...achieved.read(), postId: id });
    const now = Date.now();
    await posts.create({ id, userId: authorId, ...row, createdAt: now, updatedAt: now, published: 1 });
    return id;
  };
  const id = achieved.read().postId ?? newPostId();
  try {
    return await tryId(id);
  } catch (error) {
    if (!(error instanceof FabricaError) || error.status !== 409) throw error;
    const existing = await posts.get(id);
    if (existing?.userId !== authorId) return tryId(newPostId());
    await posts.update(id, row);
    return id;
  }
}

function newPostId(): string {
  return `post_${Date.now()}`;
}

/** What is worth another try: where nobody set up a provider, nothing was to be expected. */
function missingFor(translations: readonly Translation[]): Translation[] {
  return translations.filter(({ fault }) => fault !== null && fault !== 'not-configured');
}

/** The eight language columns; the original text where a translation is missing. */
function localizedTexts(
  texts: SourceTexts,
  translations: readonly Translation[],
): Record<LocalizedColumn, string> {
  const columns = (['title', 'content'] as const).flatMap((field) =>
    LANGUAGE_CODES.map((language) => {
      const own = translations.find((one) => one.field === field && one.language === language)?.text;
      return [localizedColumn(field, language), own ?? texts[field]];
    }),
  );
  return Object.fromEntries(columns) as Record<LocalizedColumn, string>;
}
