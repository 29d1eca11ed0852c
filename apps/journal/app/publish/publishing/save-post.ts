import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../../entities.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import { LANGUAGE_CODES } from '../../language/languages.ts';
import { type LocalizedColumn, localizedColumn } from '../../language/localize.ts';
import type { CheckpointStore, UploadedImage } from '../draft/checkpoint.ts';
import type { Translation } from '../translation/translate-part.ts';
import { formatParts, type SourceTexts } from '../translation/translation-parts.ts';

export interface SavePostOptions {
  authorId: string;
  texts: SourceTexts;
  image: UploadedImage;
  translations: readonly Translation[];
  checkpoint: CheckpointStore;
  db: FabricaClient['db'];
}

/** Creates the post and returns its id. Updates it instead when an earlier attempt created it and lost the response. */
export async function savePost({
  authorId,
  texts: { title, content },
  image,
  translations,
  checkpoint,
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
    untranslated: formatParts(worthRetrying(translations)),
    language: detectLanguage(content) ?? null,
  };
  const create = async (id: string) => {
    checkpoint.write({ ...checkpoint.read(), postId: id });
    const now = Date.now();
    await posts.create({ id, userId: authorId, ...row, createdAt: now, updatedAt: now, published: 1 });
    return id;
  };
  const id = checkpoint.read().postId ?? newPostId();
  try {
    return await create(id);
  } catch (error) {
    if (!(error instanceof FabricaError) || error.status !== 409) throw error;
    const existing = await posts.get(id);
    if (existing?.userId !== authorId) return create(newPostId());
    await posts.update(id, row);
    return id;
  }
}

function newPostId(): string {
  return `post_${Date.now()}`;
}

/** Returns the failed translations, except where the site has no provider and a retry would fail too. */
function worthRetrying(translations: readonly Translation[]): Translation[] {
  return translations.filter(({ fault }) => fault !== null && fault !== 'not-configured');
}

/** Returns the eight language columns, with the original text where a translation is missing. */
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
