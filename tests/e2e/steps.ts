import { fileURLToPath } from 'node:url';
import { PASSWORD } from '@fabrica/test-peers/author.ts';
import type { Locator, Page } from '@playwright/test';
import { messages as de } from '../../apps/journal/messages/de/index.ts';
import { messages as en } from '../../apps/journal/messages/en/index.ts';
import { messages as es } from '../../apps/journal/messages/es/index.ts';
import { messages as fr } from '../../apps/journal/messages/fr/index.ts';
import type { Language } from '../../apps/journal/project/languages.ts';
import { expect } from './journal.ts';

export const catalogues = { en, es, fr, de };
export type Catalogue = typeof en;

/** An artwork of 64 × 80 pixels, so that the server has little to do for its variants. */
export const SMALL_ARTWORK = fileURLToPath(new URL('artwork.webp', import.meta.url));
/** An artwork of the usual size, 1280 × 1600 pixels. */
export const FULL_ARTWORK = fileURLToPath(
  new URL('../../apps/journal/project/demo/images/heart-coronaries.webp', import.meta.url),
);
export { PASSWORD };

let accounts = 0;

/** The steps that a person takes on a page in one language. */
export class Visitor {
  readonly page: Page;
  readonly m: Catalogue;
  readonly language: Language;

  constructor(page: Page, language: Language = 'en') {
    this.page = page;
    this.language = language;
    this.m = catalogues[language];
  }

  async open(path: string): Promise<void> {
    const separator = path.includes('?') ? '&' : '?';
    await this.page.goto(`${path}${separator}lang=${this.language}`);
    await this.hydrated();
  }

  /** Waits until React has hydrated the page. Input before that would be lost. */
  async hydrated(): Promise<void> {
    await this.page.waitForFunction(() => {
      const main = document.querySelector('main');
      return main !== null && Object.keys(main).some((key) => key.startsWith('__reactFiber'));
    });
  }

  /** Opens the header's menu if it is folded. */
  async unfoldMenu(): Promise<void> {
    const toggle = this.page.getByRole('button', { name: this.m.layout.openMenu });
    if (await toggle.isVisible()) await toggle.click();
  }

  /** Signs up through the header's button and returns the e-mail address. */
  async signUp(name: string): Promise<string> {
    accounts += 1;
    const email = `${name.toLowerCase().replace(/\W+/g, '.')}.${accounts}.${Date.now()}@example.org`;
    await this.unfoldMenu();
    await this.page.getByRole('button', { name: this.m.layout.signIn, exact: true }).click();
    await this.page.waitForURL(/\/auth/);
    await this.hydrated();
    await this.page.getByRole('link', { name: this.m.signIn.signUpTab, exact: true }).click();
    await this.page.getByLabel(this.m.signIn.name, { exact: true }).fill(name);
    await this.page.getByLabel(this.m.signIn.email, { exact: true }).fill(email);
    await this.page.getByLabel(this.m.signIn.password, { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: this.m.signIn.signUp, exact: true }).click();
    await this.#leftSignIn();
    return email;
  }

  async signIn(email: string): Promise<void> {
    await this.page.getByLabel(this.m.signIn.email, { exact: true }).fill(email);
    await this.page.getByLabel(this.m.signIn.password, { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: this.m.signIn.signIn, exact: true }).click();
    await this.#leftSignIn();
  }

  /** Waits for the page after it: the address changes a moment before, and a menu that is opened in between closes again. */
  async #leftSignIn(): Promise<void> {
    await this.page.waitForURL((url) => url.pathname !== '/auth');
    await expect(this.page.getByRole('link', { name: this.m.signIn.signUpTab, exact: true })).toHaveCount(0);
  }

  async openCreatePost(): Promise<void> {
    const link = this.page.getByRole('link', { name: this.m.layout.createPost, exact: true });
    // A folded menu closes when the page changes, also where it was opened a moment too early: people open it again.
    await expect(async () => {
      await this.unfoldMenu();
      await link.click({ timeout: 5_000 });
    }).toPass();
    await this.page.waitForURL(/\/admin/);
  }

  async fillPost(title: string, content: string, artwork = SMALL_ARTWORK): Promise<void> {
    await this.page.locator('input[type=file]').setInputFiles(artwork);
    await expect(this.page.getByAltText(this.m.publish.image.preview)).toBeVisible();
    await this.page.getByLabel(this.m.publish.titleField.label).fill(title);
    await this.medicalText.fill(content);
  }

  /** Returns the desk's editor of a post's text, which takes the place of a text area once it is loaded. */
  get postText(): Locator {
    const name = this.m.publish.contentField.label;
    return this.page.getByRole('textbox', { name, exact: true }).and(this.page.locator('[contenteditable]'));
  }

  /** Returns the text area of the create page. */
  get medicalText(): Locator {
    return this.page.getByRole('textbox', { name: this.m.publish.contentField.label, exact: true });
  }

  async expectMedicalText(text: string): Promise<void> {
    await expect(this.medicalText).toHaveValue(text);
  }

  get publishButton(): Locator {
    // Not the button of the header's form, which signs out and is there before this one.
    return this.page.locator('main form button[type=submit]').filter({ visible: true }).last();
  }

  /** Returns a notice of either area that says this, and more. */
  notice(text: string, more = ''): Locator {
    const notices = this.page.locator('.notice, [role=status], [role=alert]');
    return notices.filter({ hasText: text }).filter({ hasText: more }).first();
  }

  /** Closes a notice, unless it has gone by itself meanwhile: a press would wait for it for ever. */
  async closeNotice(text: string): Promise<void> {
    const close = this.notice(text).getByRole('button', { name: this.m.layout.closeNotice });
    await close.evaluateAll((buttons: HTMLElement[]) => {
      for (const button of buttons) button.click();
    });
    await expect(this.notice(text)).toHaveCount(0);
  }

  /**
   * Opens a post's share menu and chooses an item with Enter. A pointer scrolls the page first, which the menu follows a frame
   * later: a press beside the menu closes it.
   */
  async share(item: string): Promise<void> {
    await this.page.getByRole('button', { name: this.m.post.share.open }).click();
    // The menu moves the focus to its first item once it is there.
    await expect(this.page.getByRole('menuitem').first()).toBeFocused();
    await this.page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
  }

  /** Returns the card of a post in the gallery. */
  card(title: string): Locator {
    return this.page.getByRole('link', { name: new RegExp(escapePattern(title)) });
  }

  get likeButton(): Locator {
    return this.page.getByRole('region', { name: this.m.post.engagement }).locator('button[aria-pressed]');
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Returns a file for an input. */
export function file(
  name: string,
  mimeType: string,
  buffer: Buffer,
): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType, buffer };
}
