import { readFileSync } from 'node:fs';
import { type Author, uploadFile } from '@fabrica/test-peers/author.ts';
import { type DeskRequest, requestDesk } from '@fabrica/test-peers/request-desk.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Locator, Page } from '@playwright/test';
import { desk as texts } from '../../../apps/journal/messages/en/desk.ts';
import type { PostDocument } from '../../../apps/journal/project/document.ts';
import { expect } from '../journal.ts';
import { SMALL_ARTWORK, type Visitor } from '../steps.ts';

export { texts };

/** Calls the desk over HTTP with the author's token. */
export async function callDesk(server: RunningServer, author: Pick<Author, 'token'>, request: DeskRequest) {
  const response = await requestDesk(server, author, request);
  expect(response.ok, `${request.method} ${request.path}: ${response.status}`).toBe(true);
  return response.status === 204 ? null : response.json();
}

/** Writes a post over HTTP, and publishes it unless it is a draft. Returns its id. */
export async function writeOnDesk(
  server: RunningServer,
  author: Author,
  over: Partial<PostDocument> & { draft?: boolean } = {},
): Promise<string> {
  const { draft = false, ...given } = over;
  const bytes = readFileSync(SMALL_ARTWORK);
  const path = `posts/${Date.now()}${Math.floor(Math.random() * 1e6)}.webp`;
  const picture = await uploadFile(server, author.token, { path, bytes });
  const document = {
    title: 'The heart',
    content: 'Give 5.0 mg twice daily.',
    language: 'en',
    cover: { url: picture.image_url, width: 64, height: 80, placeholder: picture.image_placeholder },
    ...given,
  };
  const created = await callDesk(server, author, { method: 'POST', path: 'posts', body: { document } });
  if (!draft) {
    const { id, version } = created;
    await callDesk(server, author, { method: 'POST', path: `posts/${id}/publish`, body: {}, version });
  }
  return created.id;
}

/** The desk as somebody sees it in English. */
export class DeskPage {
  readonly page: Page;
  readonly visitor: Visitor;

  constructor(visitor: Visitor) {
    this.visitor = visitor;
    this.page = visitor.page;
  }

  /** Pastes into the text what another program has put on the clipboard. */
  async paste(copied: { html?: string; text: string }): Promise<void> {
    await this.text.evaluate((element, { html, text }) => {
      const clipboardData = new DataTransfer();
      if (html) clipboardData.setData('text/html', html);
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, copied);
  }

  async open(postId: string): Promise<void> {
    await this.visitor.open(`/admin/posts/${postId}`);
    await expect(this.title).toBeVisible();
    await expect(this.text).toBeVisible();
  }

  get title(): Locator {
    return this.page.getByRole('textbox', { name: this.visitor.m.publish.titleField.label, exact: true });
  }

  get text(): Locator {
    return this.visitor.postText;
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits until the server has everything that was written. */
  async saved(): Promise<void> {
    await expect(this.page.getByText(/^Saved( |$)/)).toBeVisible();
  }

  async fromMenu(name: string): Promise<void> {
    await this.button(texts.editor.more).click();
    await this.button(name).click();
  }
}
