import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: RunningServer;
let author: Author;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  author = await signUp(server, 'Dr Mara Lind');
});
afterAll(() => server.close());

async function page(path: string): Promise<{ status: number; html: string }> {
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual' });
  return { status: response.status, html: await response.text() };
}

async function publish(over: Record<string, unknown> = {}): Promise<string> {
  const post = buildPost(author, over);
  const response = await author.rest('POST', 'journal_posts', post);
  expect(response.status).toBe(201);
  return String(post.id);
}

it('a cached page shows a write in the next request', async () => {
  const id = await publish();
  expect((await page('/gallery?lang=en')).html).toContain(`/post/${id}`);
  expect((await page(`/post/${id}?lang=en`)).html).toContain('en: The eye');

  await author.rest('PATCH', `journal_posts?id=eq.${id}`, { title_en: 'en: The eye, revised' });
  expect((await page(`/post/${id}?lang=en`)).html).toContain('en: The eye, revised');
  expect((await page('/gallery?lang=en')).html).toContain('en: The eye, revised');

  await author.rest('DELETE', `journal_posts?id=eq.${id}`);
  expect((await page(`/post/${id}?lang=en`)).status).toBe(404);
  expect((await page('/gallery?lang=en')).html).not.toContain(`/post/${id}`);
});

it('the page of a post links to the posts beside it, also after they changed', async () => {
  const titled = (title: string) => ({ title, title_en: null, title_de: `${title} (de)` });
  const older = await publish(titled('The older one'));
  const middle = await publish(titled('The middle one'));
  const newer = await publish(titled('The newer one'));
  const linked = async () => {
    const { html } = await page(`/post/${middle}?lang=de`);
    return [older, newer].map((id) => html.includes(`href="/post/${id}"`));
  };
  expect(await linked()).toEqual([true, true]);
  expect((await page(`/post/${middle}?lang=de`)).html).toContain('The newer one (de)');
  await author.rest('DELETE', `journal_posts?id=eq.${newer}`);
  expect(await linked()).toEqual([true, false]);
  await author.rest('PATCH', `journal_posts?id=eq.${older}`, { published: 0 });
  expect(await linked()).toEqual([false, false]);
});

it('a cached page shows its author’s new name in the next request', async () => {
  const renamed = await signUp(server, 'Ada Byron');
  const post = buildPost(renamed);
  await renamed.rest('POST', 'journal_posts', post);
  expect((await page(`/post/${post.id}`)).html).toContain('Ada Byron');
  await fetch(`${server.url}/api/auth/me`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${renamed.token}` },
    body: JSON.stringify({ displayName: 'Ada Lovelace' }),
  });
  const { html } = await page(`/post/${post.id}`);
  expect(html).toContain('Ada Lovelace');
  expect(html).not.toContain('Ada Byron');
});

it('a cached page is correct while writes and reads race', async () => {
  const id = await publish();
  for (let round = 0; round < 25; round += 1) {
    const reading = page(`/post/${id}?lang=en`);
    await author.rest('PATCH', `journal_posts?id=eq.${id}`, { title_en: `Round ${round}.` });
    expect((await page(`/post/${id}?lang=en`)).html).toContain(`Round ${round}.`);
    await reading;
  }
});
