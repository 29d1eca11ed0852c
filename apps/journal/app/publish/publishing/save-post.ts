import { type FabricaClient, FabricaError } from '@fabrica/client';
import { detectLanguage } from '@fabrica/dose-guard/detect-language';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import { createDeskClient, currentCopyOf, type DeskClient } from '../../desk/desk-client.ts';
import { coverOf, type DeskDocument, EMPTY_DOCUMENT } from '../../desk/document.ts';
import { isSameDocument } from '../../desk/saving/merge-documents.ts';
import type { CheckpointStore, UploadedImage } from '../draft/checkpoint.ts';
import { type DraftDetails, NO_DETAILS } from '../draft/draft-details.ts';
import type { Translation } from '../translation/translate-part.ts';
import { formatParts, type SourceTexts } from '../translation/translation-parts.ts';

/** All that this page sends of translations is a model's. */
const BY_MACHINE = { translatedBy: 'machine' } as const;

export interface DraftContent {
  texts: SourceTexts;
  contentFormat?: DeskDocument['contentFormat'] | undefined;
  /** The references that the text cites. */
  sources?: DeskDocument['sources'] | undefined;
  details?: DraftDetails | undefined;
  /** The picture, once it is uploaded. */
  image?: UploadedImage | undefined;
  /** The translations, once there are some. */
  translations?: readonly Translation[] | undefined;
}

/** Returns all of a draft as the desk knows it. */
export function buildDocument({
  texts,
  contentFormat = 'plain',
  sources = [],
  details = NO_DETAILS,
  image,
  translations,
}: DraftContent): DeskDocument {
  const { focal, alt, caption, credit, licence, slugs, byline, language } = details;
  return {
    ...EMPTY_DOCUMENT,
    ...texts,
    contentFormat,
    sources,
    slugs,
    byline: [...byline],
    language: language ?? detectLanguage(texts.content) ?? null,
    cover: image
      ? {
          ...coverOf({
            url: image.url,
            width: image.width ?? null,
            height: image.height ?? null,
            placeholder: image.placeholder ?? null,
          }),
          ...{ focal, alt, caption, credit, licence },
        }
      : null,
    ...(translations && {
      translations: localizedTexts(texts, translations),
      untranslated: formatParts(worthRetrying(translations)),
    }),
  };
}

export interface SaveDraftOptions {
  document: DeskDocument;
  checkpoint: CheckpointStore;
  desk: DeskClient;
}

/**
 * Saves a draft on the server and returns its id and version. Throws the client's errors: `STALE` when it was changed on
 * another device meanwhile.
 */
export async function saveDraft({ document, checkpoint, desk }: SaveDraftOptions): Promise<SavedDraft> {
  const note = (saved: SavedDraft) => {
    checkpoint.write({ ...checkpoint.read(), desk: saved });
    return saved;
  };
  const { id, version, isNew } = await findDraft(checkpoint, desk, { document, note });
  if (isNew) return { id, version };
  try {
    return note({ id, version: (await desk.save(id, { version, document }, BY_MACHINE)).version });
  } catch (error) {
    const current = currentCopyOf(error);
    // An earlier save reached the server, and only its response was lost.
    if (current && isSameDocument(current.document, document)) {
      const saved = note({ id, version: current.version });
      const hasTranslations = Object.keys(document.translations).length > 0;
      // The save that reached the server may have been one of the texts alone.
      return hasTranslations ? note({ id, ...(await resave(desk, saved, document)) }) : saved;
    }
    if (!(error instanceof FabricaError) || error.status !== 404) throw error;
    // Somebody has removed it elsewhere: what is written here is a draft all the same.
    forget(checkpoint);
    return saveDraft({ document, checkpoint, desk });
  }
}

async function resave(desk: DeskClient, { id, version }: SavedDraft, document: DeskDocument) {
  return { version: (await desk.save(id, { version, document }, BY_MACHINE)).version };
}

export interface SavedDraft {
  id: string;
  version: number;
}

async function findDraft(
  checkpoint: CheckpointStore,
  desk: DeskClient,
  { document, note }: { document: DeskDocument; note: (saved: SavedDraft) => SavedDraft },
): Promise<SavedDraft & { isNew: boolean }> {
  const known = checkpoint.read().desk;
  if (known && known.version > 0) return { ...known, isNew: false };
  // The id is stored first, so that a creation whose response is lost is not another draft.
  const { id } = known ?? note({ id: newPostId(), version: 0 });
  try {
    const created = note(await desk.create(id, document, BY_MACHINE));
    return { ...created, isNew: known === undefined };
  } catch (error) {
    if (!(error instanceof FabricaError) || error.status !== 409) throw error;
    // Another author has a post of this millisecond.
    forget(checkpoint);
    return findDraft(checkpoint, desk, { document, note });
  }
}

function forget(checkpoint: CheckpointStore): void {
  const { desk: _, postId: __, ...rest } = checkpoint.read();
  checkpoint.write(rest);
}

export interface SavePostOptions extends DraftContent {
  checkpoint: CheckpointStore;
  client: Pick<FabricaClient, 'projectId' | 'request'>;
}

/** Publishes the post and returns its id. A publication whose response was lost is not made twice. */
export async function savePost({ checkpoint, client, ...content }: SavePostOptions): Promise<string> {
  const desk = createDeskClient(client);
  const document = buildDocument(content);
  const sent = checkpoint.read().postId;
  if (sent !== undefined) {
    const earlier = await readIfThere(desk, sent);
    if (earlier) checkpoint.write({ ...checkpoint.read(), desk: { id: sent, version: earlier.version } });
    const isDone = earlier?.state === 'published' && isSamePost(earlier.document, document);
    if (isDone) return sent;
  }
  const { id, version } = await saveDraft({ document, checkpoint, desk });
  checkpoint.write({ ...checkpoint.read(), postId: id });
  await desk.publish(id, version);
  return id;
}

async function readIfThere(desk: DeskClient, id: string) {
  try {
    return await desk.read(id);
  } catch (error) {
    if (error instanceof FabricaError && error.status === 404) return undefined;
    throw error;
  }
}

/** Compares two documents without their slugs, which a publication makes of the titles. */
function isSamePost(one: DeskDocument, other: DeskDocument): boolean {
  return isSameDocument({ ...one, slugs: {} }, { ...other, slugs: {} });
}

function newPostId(): string {
  return `post_${Date.now()}`;
}

/** Returns the failed translations, except where the site has no provider and a retry would fail too. */
function worthRetrying(translations: readonly Translation[]): Translation[] {
  return translations.filter(({ fault }) => fault !== null && fault !== 'not-configured');
}

/** Returns the texts in each language, with the original where a translation is missing. */
function localizedTexts(
  texts: SourceTexts,
  translations: readonly Translation[],
): DeskDocument['translations'] {
  const textOf = (field: 'title' | 'content', language: string) =>
    translations.find((one) => one.field === field && one.language === language)?.text ?? texts[field];
  return Object.fromEntries(
    LANGUAGE_CODES.map((language) => [
      language,
      { title: textOf('title', language), content: textOf('content', language) },
    ]),
  );
}
