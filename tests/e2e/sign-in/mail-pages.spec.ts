import { signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../journal.ts';
import { Visitor } from '../steps.ts';
import { mailFor, mainHeading, newEmail, requestMail } from './auth-mails.ts';

test('a link without its token is explained', async ({ page }) => {
  for (const language of ['en', 'es', 'fr', 'de'] as const) {
    const visitor = new Visitor(page, language);
    for (const path of ['/auth/reset', '/auth/verify']) {
      await visitor.open(path);
      await expect(mainHeading(page, visitor.m.authMail.link.incompleteTitle)).toBeVisible();
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    }
  }
});

test('the pages of mails fit on a small phone in languages with long words', async ({ page, journal }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const author = await signUp(journal.server);
  const verify = await mailFor(journal.server, author.email, 'verify');
  for (const language of ['de', 'fr'] as const) {
    const visitor = new Visitor(page, language);
    for (const path of ['/auth/magic', '/auth/forgot']) {
      await visitor.open(path);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await requestMail(visitor, path, newEmail());
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    for (const path of ['/auth/reset?token=x', '/auth/magic?token=x', verify.link, '/auth/verify']) {
      await visitor.open(path);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
});
