import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend, Config } from '@fabrica/backend';
import { createClient, type FabricaClient } from '@fabrica/client';
import type { JournalPost, SiteTexts } from '../entities.ts';
import { authors, type DemoAuthor, type DemoPost, emailOf, posts, removedMarker } from './index.ts';
import { siteTexts } from './site-texts.ts';

const DAY_MS = 86_400_000;

/**
 * Fills an empty journal with the demo content, with the requests that any author's client makes. The accounts have no
 * password and receive no mail. The next start completes a run that was interrupted.
 */
export async function seedDemo(backend: Backend, { dataDir, projectId, publicUrl }: Config): Promise<void> {
  const project = backend.projects.get(projectId);
  if (!project) return;
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
  if (existsSync(removedMarker({ dataDir }))) return;
  if ((await service.db.table('journalPosts').count({})) > 0) {
    // A run that was interrupted at its very end leaves the marker behind.
    rmSync(markerFile, { force: true });
    return;
  }
  if ((await service.db.table('profiles').count({})) > 0 && !existsSync(markerFile)) return;

  writeFileSync(markerFile, '');
  const rows: Partial<JournalPost>[] = [];
  for (const author of Object.values(authors)) {
    const client = connect();
    const { id } = await signIn(client, author, generateMagicToken);
    for (const post of posts.filter((one) => one.author === author.key)) {
      rows.push({ ...(await preparePost(client, id, post)), byline: bylineOf(author, id) });
    }
    client.auth.destroy();
  }
  if ((await service.db.table('siteTexts').count()) === 0) {
    await service.db.table<SiteTexts>('siteTexts').createMany(siteTexts);
  }
  await service.db.table<Partial<JournalPost>>('journalPosts').createMany(rows);
  rmSync(markerFile);
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

/** Names an author who has drawn the artwork too as both, in the words of each language; null for one who has written alone. */
function bylineOf({ displayName: name, isIllustrator }: DemoAuthor, userId: string): string | null {
  if (!isIllustrator) return null;
  return JSON.stringify(['author', 'illustrator'].map((role) => ({ name, role, userId })));
}

/** Uploads the artwork as its author and returns the post's row. */
async function preparePost(
  client: FabricaClient,
  userId: string,
  post: DemoPost,
): Promise<Partial<JournalPost>> {
  const createdAt = Date.now() - post.daysAgo * DAY_MS;
  const artwork = await readFile(new URL(`images/${post.artwork}`, import.meta.url));
  const file = new File([new Uint8Array(artwork)], post.artwork, { type: 'image/webp' });
  const path = `posts/${createdAt}-${post.slug}.webp`;
  const image = await client.storage.upload(file, path, { upsert: true });
  const { pathname, search } = new URL(image.publicUrl);
  return {
    id: `post_${createdAt}`,
    userId,
    title: post.title.en,
    content: post.content.en,
    imageUrl: `${pathname}${search}`,
    imageWidth: image.width,
    imageHeight: image.height,
    imagePlaceholder: image.placeholder,
    titleEn: post.title.en,
    titleEs: post.title.es,
    titleFr: post.title.fr,
    titleDe: post.title.de,
    contentEn: post.content.en,
    contentEs: post.content.es,
    contentFr: post.content.fr,
    contentDe: post.content.de,
    language: 'en',
    createdAt,
    updatedAt: createdAt,
    published: 1,
  };
}
