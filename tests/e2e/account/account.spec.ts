import type { Author } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { signInOn } from '../people.ts';
import type { Visitor } from '../steps.ts';
import { accountSection, openAccount, profileParts } from './account-page.ts';

let author: Author;
let visitor: Visitor;

test('a visitor of the account page signs in and returns to it, the header links to it, and signing out leaves it', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  const { layout, account } = visitor.m;
  await page.context().setStorageState({ cookies: [], origins: [] });
  await visitor.open('/account');
  await expect(page).toHaveURL(/\/auth\?return_to=(\/|%2F)account/);
  await visitor.hydrated();
  await visitor.signIn(author.email);
  await expect(page).toHaveURL(/\/account$/);
  await expect(accountSection(visitor, 'profile')).toBeVisible();

  const link = page.getByRole('banner').getByRole('link', { name: layout.account, exact: true });
  await visitor.open('/about-me');
  await expect(link).not.toHaveAttribute('aria-current');
  await link.click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('heading', { level: 1, name: account.title })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(account.title));
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.getByRole('banner').getByRole('button', { name: layout.signOut, exact: true }).click();
  await expect(page).toHaveURL(/\/auth\?/);
  await expect(link).toHaveCount(0);
});

test('the account page works with the keyboard alone', async ({ page, journal }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  ({ author, visitor } = await signInOn(page, journal.server));
  const { layout, account } = visitor.m;
  await visitor.open('/about-me');
  /** Presses Tab until the element with that role and name has the focus. */
  const tabTo = async (role: 'link' | 'button' | 'textbox', name: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}.`);
  };
  await tabTo('link', layout.account);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await tabTo('textbox', account.profile.name);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Enter');
  await expect(profileParts(visitor).saved).toBeVisible();
  await tabTo('button', account.sessions.everywhere.open);
  await page.keyboard.press('Space');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await tabTo('button', account.data.delete.open);
  await page.keyboard.press('Enter');
  await page.keyboard.type(author.email);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(account.data.delete.done)).toBeVisible();
});

test('the German account page and its header fit into every width', async ({ page, journal }) => {
  const atEachWidth = async (check: () => Promise<void>) => {
    for (const width of [320, 360, 1024, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await test.step(`at ${width} px`, check);
    }
  };
  ({ author, visitor } = await openAccount(page, journal.server, 'de'));
  const { layout, account } = visitor.m;
  await expect(accountSection(visitor, 'sessions').getByRole('listitem')).toHaveCount(1);
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await accountSection(visitor, 'email').getByRole('button', { name: account.email.send }).click();
  await expect(accountSection(visitor, 'email').getByLabel(visitor.m.authMail.code.label)).toBeVisible();
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await accountSection(visitor, 'data').getByRole('button', { name: account.data.delete.open }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await page.keyboard.press('Escape');

  const header = page.getByRole('banner');
  await atEachWidth(async () => {
    await visitor.unfoldMenu();
    await expectNoSidewaysScroll(page);
    for (const part of [
      header.getByRole('link', { name: layout.createPost, exact: true }),
      header.getByRole('link', { name: layout.account, exact: true }),
      header.getByRole('button', { name: layout.signOut, exact: true }),
    ]) {
      const { lines, scrolls } = await part.evaluate((element) => {
        const texts = document.createRange();
        const tops = new Set<number>();
        const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (nodes.nextNode()) {
          texts.selectNodeContents(nodes.currentNode);
          for (const { top } of texts.getClientRects()) tops.add(Math.round(top));
        }
        return { lines: tops.size, scrolls: element.scrollWidth > element.clientWidth };
      });
      expect(lines, 'lines of words').toBe(1);
      expect(scrolls).toBe(false);
    }
  });
});

test('axe finds nothing on the account page, in light and in dark', async ({ page, journal }) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  await expect(accountSection(visitor, 'sessions').getByRole('listitem')).toHaveCount(1);
  await profileParts(visitor).save.click();
  await expect(profileParts(visitor).saved).toBeVisible();
  await accountSection(visitor, 'email').getByRole('button', { name: visitor.m.account.email.send }).click();
  await expect(accountSection(visitor, 'email').getByLabel(visitor.m.authMail.code.label)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await accountSection(visitor, 'data')
    .getByRole('button', { name: visitor.m.account.data.delete.open })
    .click();
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await expectAccessibleInBothThemes(page);
});
