import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Backend, type Config, changeRole, findAccount } from '@fabrica/backend';
import { createClient, type FabricaClient } from '@fabrica/client';
import type { Byline, Cover } from '../document.ts';
import type { Introduction, JournalPost, SiteTexts } from '../entities.ts';
import { LANGUAGE_CODES } from '../languages.ts';
import { markOf, type PlateMark, withNote } from '../marks.ts';
import type { LanguageTranslation } from '../translations.ts';
import {
  authors,
  type DemoAuthor,
  type DemoMark,
  type DemoPicture,
  type DemoPost,
  emailOf,
  ILLUSTRATOR,
  posts,
  removedMarker,
} from './index.ts';
import { siteTexts } from './site-texts.ts';

const DAY_MS = 86_400_000;

/** The author who reviews the translations, as an editor for that time. */
const REVIEWER = authors.mara;

/**
 * Fills an empty journal with the demo content, with the requests that the clients of an author and of a reviewer make. The
 * accounts have no password and receive no mail. The next start completes a run that was interrupted. Returns whether it has
 * filled one.
 */
export async function seedDemo(
  backend: Backend,
  { dataDir, projectId, publicUrl }: Config,
): Promise<boolean> {
  const project = backend.projects.get(projectId);
  if (!project) return false;
  const connect = (secretKey?: string) =>
    createClient({
      projectId,
      origin: publicUrl,
      fetch: (input, init) => backend.fetch(new Request(input, init)),
      ...(secretKey ? { secretKey } : {}),
    });
  const service = connect(project.secretKey);
  const generateMagicToken = async (email: string) => {
    const response = await backend.fetch(
      new Request(`${publicUrl}/api/auth/signin/magic/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${project.secretKey}` },
        body: JSON.stringify({ projectId, email }),
      }),
    );
    if (!response.ok) throw new Error(`The demo account ${email} could not be made (${response.status}).`);
    return ((await response.json()) as { token: string }).token;
  };
  const markerFile = join(dataDir, 'demo.unfinished');
  if (existsSync(removedMarker({ dataDir }))) return false;
  const isUnfinished = existsSync(markerFile);
  const isFilled = (await service.db.table('journalPosts').count({})) > 0;
  if (!isUnfinished && (isFilled || (await service.db.table('profiles').count({})) > 0)) return false;

  writeFileSync(markerFile, '');
  const rows: Partial<JournalPost>[] = [];
  for (const author of isFilled ? [] : Object.values(authors)) {
    const client = connect();
    const { id } = await signIn(client, author, generateMagicToken);
    await introduce(client, id, author);
    for (const post of posts.filter((one) => one.author === author.key)) {
      rows.push(await preparePost(client, id, post));
    }
    client.auth.destroy();
  }
  if ((await service.db.table('siteTexts').count()) === 0) {
    await service.db.table<SiteTexts>('siteTexts').createMany(siteTexts);
  }
  if (!isFilled) await service.db.table<Partial<JournalPost>>('journalPosts').createMany(rows);
  const reviewer = await findAccount(project, emailOf(REVIEWER));
  if (reviewer) {
    const change = { personId: reviewer.id, source: { ip: null, device: null } };
    await changeRole(project, { ...change, role: 'editor' });
    const client = connect();
    await signIn(client, REVIEWER, generateMagicToken);
    await reviewTranslations(client, service);
    client.auth.destroy();
    // A run that was interrupted has left the account an editor.
    await changeRole(project, { ...change, role: project.definition.signUpRole });
  }
  rmSync(markerFile);
  return true;
}

/** Signs in as a demo author, with an e-mail address that nobody can have, and returns the account. */
async function signIn(
  client: FabricaClient,
  author: DemoAuthor,
  generateMagicToken: (email: string) => Promise<string>,
): Promise<{ id: string }> {
  await client.auth.verifyMagicLink(await generateMagicToken(emailOf(author)));
  return client.auth.updateMe({ displayName: author.displayName });
}

/** Writes the author's sentences, unless a run that was interrupted has. */
async function introduce(client: FabricaClient, userId: string, author: DemoAuthor): Promise<void> {
  const table = client.db.table<Introduction>('introductions');
  if ((await table.count({ where: { userId } })) > 0) return;
  const sentences = LANGUAGE_CODES.map((language) => ({
    userId,
    language,
    sentence: author.introduction[language],
  }));
  await table.createMany(sentences);
}

/** Uploads the pictures as the author and returns the post's row. */
async function preparePost(
  client: FabricaClient,
  userId: string,
  post: DemoPost,
): Promise<Partial<JournalPost>> {
  const createdAt = Date.now() - post.daysAgo * DAY_MS;
  const upload = (picture: DemoPicture) => uploadPicture(client, picture, createdAt);
  const { url, width, height, placeholder, ...cover } = await upload(post.artwork);
  const pictures: Cover[] = [];
  for (const picture of post.pictures ?? []) pictures.push(await upload(picture));
  const { title, content, contentFormat = 'plain', sources } = post;
  return {
    id: `post_${createdAt}`,
    userId,
    title: title.en,
    content: content.en,
    contentFormat,
    imageUrl: url,
    imageWidth: width,
    imageHeight: height,
    imagePlaceholder: placeholder,
    cover: JSON.stringify(cover),
    pictures: pictures.length > 0 ? JSON.stringify(pictures) : null,
    sources: sources ? JSON.stringify(sources) : null,
    byline: bylineOf(post, userId),
    titleEn: title.en,
    titleEs: title.es,
    titleFr: title.fr,
    titleDe: title.de,
    contentEn: content.en,
    contentEs: content.es,
    contentFr: content.fr,
    contentDe: content.de,
    language: 'en',
    createdAt,
    updatedAt: createdAt,
    published: 1,
  };
}

async function uploadPicture(
  client: FabricaClient,
  { file, alt, caption, description, marks }: DemoPicture,
  createdAt: number,
): Promise<Cover> {
  const bytes = await readFile(new URL(`images/${file}`, import.meta.url));
  const { publicUrl, width, height, placeholder } = await client.storage.upload(
    new File([new Uint8Array(bytes)], file, { type: 'image/webp' }),
    `posts/${createdAt}-${file}`,
    { upsert: true },
  );
  const { pathname, search } = new URL(publicUrl);
  const url = `${pathname}${search}`;
  const rights = { credit: ILLUSTRATOR, licence: 'CC BY 4.0' };
  return {
    url,
    width,
    height,
    placeholder,
    focal: null,
    alt,
    caption,
    ...(description && { description }),
    ...(marks && { marks: marks.map(markOfDemo) }),
    ...rights,
  };
}

function markOfDemo({ letter, shape, note }: DemoMark): PlateMark {
  return LANGUAGE_CODES.reduce(
    (mark, language) => withNote(mark, language, note?.[language] ?? ''),
    markOf(letter, shape),
  );
}

/** Names the illustrator beside the author of a text. What the illustrator wrote herself needs no byline. */
function bylineOf({ author }: DemoPost, userId: string): string | null {
  if (author === 'ines') return null;
  const people: Byline = [
    { name: authors[author].displayName, role: 'author', userId },
    { name: ILLUSTRATOR, role: 'illustrator' },
  ];
  return JSON.stringify(people);
}

/** Accepts the translations on the desk, post by post, and lets the posts stay as old as they are. */
async function reviewTranslations(reviewer: FabricaClient, service: FabricaClient): Promise<void> {
  // An author may have written others before a run that was interrupted is completed.
  const reviewed = new Set(posts.filter((post) => !post.isUnreviewed).map(({ title }) => title.en));
  const table = service.db.table<JournalPost>('journalPosts');
  for (const { id, title, createdAt } of await table.list({ select: ['id', 'title', 'createdAt'] })) {
    if (!reviewed.has(title)) continue;
    for (const language of LANGUAGE_CODES.filter((code) => code !== 'en')) {
      const path = `/api/desk/${reviewer.projectId}/posts/${id}/translations/${language}`;
      const read = (await reviewer.request({ method: 'GET', path })) as LanguageTranslation;
      const segments = read.segments.map(({ id: segment, version }) => ({ id: segment, version }));
      await reviewer.request({ method: 'POST', path: `${path}/accept-all`, json: { segments } });
    }
    await table.update(id, { updatedAt: createdAt });
  }
}
