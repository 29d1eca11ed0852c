import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import { localizedColumn } from '../../project/localize.ts';
import { formatParts } from '../../project/translation-parts.ts';
import { removeUpload, type UploadedImage, uploadImage } from '../images/upload-image.ts';
import { guessLanguage } from '../language/guess-language.ts';
import { type Draft, newPostId } from './drafts.ts';
import { type MissingPart, type Translation, translatePost } from './translate-post.ts';

export type PublishPhase =
  /** `fraction` from 0 to 1. */
  | { name: 'uploading'; fraction: number }
  /** The number of calls that have ended, of eight. */
  | { name: 'translating'; ended: number }
  | { name: 'publishing' };

/** A post that is ready to be sent. */
export interface PreparedPost {
  row: Partial<JournalPost>;
  /** The translations that it lacks: none into the author's own language. */
  missing: MissingPart[];
  /** Whether it has no translation at all. */
  allMissing: boolean;
}

export interface PreparePostOptions {
  client: FabricaClient;
  /** Whether the site has a model, which translates. */
  hasModel: boolean;
  /** Aborted when the author cancels. */
  signal: AbortSignal;
  onPhase(phase: PublishPhase): void;
}

/** Uploads the image of a draft and translates its texts. Throws the client's errors. */
export async function preparePost(
  draft: Draft & { image: File },
  { client, hasModel, signal, onPhase }: PreparePostOptions,
): Promise<PreparedPost> {
  const { storage } = client;
  const texts = { title: draft.title.trim(), content: draft.content.trim() };
  const show = (phase: PublishPhase) => signal.aborted || onPhase(phase);
  show({ name: 'uploading', fraction: 0 });
  const image = await uploadImage(draft.image, {
    ...{ storage, signal },
    onProgress: (fraction) => show({ name: 'uploading', fraction }),
  });
  try {
    if (hasModel) show({ name: 'translating', ended: 0 });
    const language = guessLanguage(texts.content) ?? null;
    const translations = await translatePost(texts, {
      ...{ client, language, hasModel, signal },
      onProgress: (ended) => show({ name: 'translating', ended }),
    });
    signal.throwIfAborted();
    const row = { ...rowOf({ texts, language, image, translations }), userId: draft.authorId };
    const wanted = translations.filter((one) => one.language !== language);
    const missing = wanted.filter((one) => one.text === null);
    return { row, missing, allMissing: missing.length === wanted.length };
  } catch (error) {
    await removeUpload(image.path, storage);
    throw error;
  }
}

/**
 * Creates a post, and returns its id. One that another tab created, or an earlier attempt whose response was lost, is not created
 * twice. Throws the client's errors.
 */
export async function sendPost(
  row: PreparedPost['row'] & { id: string },
  { client, onId }: { client: FabricaClient; onId(id: string): Promise<void> },
): Promise<string> {
  const posts = client.db.table<JournalPost>('journalPosts');
  const now = Date.now();
  try {
    await onId(row.id);
    await posts.create({ ...row, createdAt: now, updatedAt: now, published: 1 });
    return row.id;
  } catch (error) {
    if (!(error instanceof FabricaError) || error.status !== 409) throw error;
    const { id, userId, title, content } = row;
    const where = { id, userId: userId ?? '' };
    const [sent] = await posts.list({ where, select: ['title', 'content'], limit: 1 });
    if (sent?.title === title && sent?.content === content) return id;
    // It is another post: of this millisecond, or as the author had written this one before.
    return sendPost({ ...row, id: newPostId() }, { client, onId });
  }
}

interface PostParts {
  texts: { title: string; content: string };
  language: Language | null;
  image: UploadedImage;
  translations: readonly Translation[];
}

/** Returns the columns of a post, with the original where a translation is missing, and the author's own words in their language. */
function rowOf({ texts, language, image, translations }: PostParts): Partial<JournalPost> {
  const columns = translations.map(({ field, language: target, text }) => [
    localizedColumn(field, target),
    target === language ? texts[field] : (text ?? texts[field]),
  ]);
  const missing = translations.filter(({ text, language: target }) => text === null && target !== language);
  const isTranslated = translations.every(({ fault }) => fault !== 'not-configured');
  return {
    ...texts,
    ...Object.fromEntries(columns),
    language,
    ...{ imageUrl: image.url, imageWidth: image.width, imageHeight: image.height },
    imagePlaceholder: image.placeholder,
    // The server translates what is missing, unless the site has no model.
    ...(isTranslated && { translatedBy: 'machine', untranslated: formatParts(missing) }),
  };
}
