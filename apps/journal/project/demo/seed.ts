import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend, Config } from '@fabrica/backend';
import { createClient, type FabricaClient } from '@fabrica/client';
import type { JournalPost } from '../../app/entities.ts';
import { authors, type DemoAuthor, type DemoPost, posts } from './index.ts';

const DAY_MS = 86_400_000;

/**
 * Fills an empty journal with the demo content, by the calls that any author makes. The accounts
 * get passwords that nobody knows. A run that was cut off is finished by the next one.
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
  const unfinished = join(dataDir, 'demo.unfinished');
  if ((await service.db.table('journalPosts').count({})) > 0) {
    // A run that was cut off right at its end leaves its mark behind.
    rmSync(unfinished, { force: true });
    return;
  }
  if ((await service.db.table('profiles').count({})) > 0 && !existsSync(unfinished)) return;

  writeFileSync(unfinished, '');
  const rows: Partial<JournalPost>[] = [];
  for (const author of Object.values(authors)) {
    const client = connect();
    const { id } = await signUp(client, author);
    for (const post of posts.filter((one) => one.author === author.key)) {
      rows.push(await preparePost(client, id, post));
    }
    client.auth.destroy();
  }
  await service.db.table<Partial<JournalPost>>('journalPosts').createMany(rows);
  rmSync(unfinished);
}

function signUp(client: FabricaClient, { key, displayName }: DemoAuthor): Promise<{ id: string }> {
  return client.auth.signUp({
    email: `${key}.${randomBytes(4).toString('hex')}@example.org`,
    password: randomBytes(32).toString('base64url'),
    displayName,
  });
}

/** Uploads the plate as its author and answers the row that shows it. */
async function preparePost(
  client: FabricaClient,
  userId: string,
  post: DemoPost,
): Promise<Partial<JournalPost>> {
  const createdAt = Date.now() - post.daysAgo * DAY_MS;
  const plate = await readFile(new URL(`plates/images/${post.plate}`, import.meta.url));
  const file = new File([new Uint8Array(plate)], post.plate, { type: 'image/webp' });
  const { publicUrl } = await client.storage.upload(file, `posts/${createdAt}-${post.slug}.webp`, {
    upsert: true,
  });
  const { pathname, search } = new URL(publicUrl);
  return {
    id: `post_${createdAt}`,
    userId,
    title: post.title.en,
    content: post.content.en,
    imageUrl: `${pathname}${search}`,
    titleEn: post.title.en,
    titleEs: post.title.es,
    titleFr: post.title.fr,
    titleDe: post.title.de,
    contentEn: post.content.en,
    contentEs: post.content.es,
    contentFr: post.content.fr,
    contentDe: post.content.de,
    createdAt,
    updatedAt: createdAt,
    published: 1,
  };
}
