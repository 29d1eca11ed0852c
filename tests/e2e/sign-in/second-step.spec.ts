import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { signUp } from '@fabrica/test-peers/author.ts';
import type { CDPSession, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../journal.ts';
import { giveRole, setSession, signInOn, verifyAddress } from '../people.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors, recordRequests } from '../traffic.ts';

interface Authenticator {
  cdp: CDPSession;
  id: string;
  /** Whether it answers by itself when it is asked. */
  answers(isPresent: boolean): Promise<void>;
}

/** Gives the page's browser an authenticator, which keeps passkeys and knows its owner. */
async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const answers = (enabled: boolean) =>
    cdp
      .send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })
      .then(() => undefined);
  return { cdp, id, answers };
}

/** Returns a function that waits until the page has had its browser offer passkeys. An authenticator that answers by itself would take the offer. */
async function watchOffers(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const { prototype } = CredentialsContainer;
    const { get } = prototype;
    prototype.get = function (options) {
      const asked = get.call(this, options);
      if (options?.mediation === 'conditional') document.documentElement.dataset.offered = '';
      return asked;
    };
  });
  return () => page.locator('html[data-offered]').waitFor({ state: 'attached' });
}

const section = ({ page, m }: Visitor) =>
  page.getByRole('region', { name: m.factors.section.title, exact: true });

const proofDialog = ({ page }: Visitor) => page.getByRole('dialog');

/** Confirms with the password, keeps the codes and returns them. */
async function confirmAndKeepCodes({ page, m }: Visitor): Promise<string[]> {
  const codes = page.getByRole('list', { name: m.factors.recovery.list });
  await expect(codes).toBeVisible();
  const texts = await codes.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: m.factors.recovery.done }).click();
  await expect(codes).toHaveCount(0);
  return texts;
}

async function addPasskey(visitor: Visitor): Promise<string[]> {
  const { m } = visitor;
  await visitor.open('/account');
  await section(visitor).getByRole('button', { name: m.factors.section.addPasskey }).click();
  const dialog = proofDialog(visitor);
  await dialog.getByLabel(m.account.password.old).fill(PASSWORD);
  await dialog.getByRole('button', { name: m.factors.section.goOn }).click();
  return confirmAndKeepCodes(visitor);
}

async function openSignIn(visitor: Visitor, email?: string): Promise<void> {
  const { page } = visitor;
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await visitor.open('/auth?return_to=/about-me');
  if (email === undefined) return;
  await page.getByLabel(visitor.m.signIn.email, { exact: true }).fill(email);
  await page.getByLabel(visitor.m.signIn.password, { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: visitor.m.signIn.signIn, exact: true }).click();
}

const isSignedIn = async ({ page, m }: Visitor) => {
  await page.waitForURL(/\/about-me/);
  await expect(page.getByRole('button', { name: m.layout.signOut, includeHidden: true })).toHaveCount(1);
};

test('a passkey that was made on the account page signs in alone, from a button and from the e-mail field', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const authenticator = await addAuthenticator(page);
  const { author, visitor } = await signInOn(page, journal.server);
  await visitor.open('/account');
  await expect(section(visitor)).toContainText(visitor.m.factors.section.verifyFirst);
  await verifyAddress(journal.server, author);
  const { m } = visitor;
  const scripts = recordRequests(page, (request) => /passkey|simplewebauthn|esm/.test(request.url()));
  await visitor.open('/gallery');
  expect(scripts).toEqual([]);
  const codes = await addPasskey(visitor);
  expect(new Set(codes).size).toBe(10);
  const added = section(visitor).getByRole('listitem');
  await expect(added).toContainText(m.factors.section.passkey);
  await expectAccessible(page);
  const { credentials } = await authenticator.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.id,
  });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  await expect
    .poll(async () => (await journal.server.mailsTo(author.email)).map(({ subject }) => subject).join())
    .toContain('second step');

  await authenticator.answers(false);
  const offered = await watchOffers(page);
  await openSignIn(visitor);
  await offered();
  await expect(page.getByLabel(m.signIn.email, { exact: true })).toHaveAttribute(
    'autocomplete',
    'username webauthn',
  );
  await expectAccessible(page);
  await authenticator.answers(true);
  await page.getByRole('button', { name: m.factors.passkeySignIn }).click();
  await isSignedIn(visitor);

  // The browser offers it for the e-mail field; the authenticator of this test takes the offer by itself.
  await openSignIn(visitor);
  await isSignedIn(visitor);

  await authenticator.answers(false);
  await openSignIn(visitor, author.email);
  await page.waitForURL(/\/auth\/step/);
  expect(page.url()).not.toContain('ticket');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(m.factors.step.title);
  await expectAccessible(page);
  await page.reload();
  await visitor.hydrated();
  const code = page.getByLabel(m.factors.recoveryCode, { exact: true });
  await code.fill('AAAAA-AAAAA');
  await page.getByRole('button', { name: m.factors.step.signIn, exact: true }).click();
  await expect(code).toHaveAccessibleDescription(m.factors.codeWrong);
  await expect(code).toBeFocused();
  expectConsoleErrors(consoleErrors, /status of 401/);
  await authenticator.answers(true);
  await page.getByRole('button', { name: m.factors.usePasskey }).click();
  await isSignedIn(visitor);
});

test('an app is set up, asked for at each sign-in, renamed and removed', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { author, visitor } = await signInOn(page, journal.server, { language: 'de' });
  await verifyAddress(journal.server, author);
  const { m } = visitor;
  const texts = m.factors.section;
  await visitor.open('/account');
  await section(visitor).getByRole('button', { name: texts.addApp }).click();
  const dialog = proofDialog(visitor);
  await dialog.getByLabel(m.account.password.old).fill('not the passphrase');
  await dialog.getByRole('button', { name: texts.goOn }).click();
  await expect(dialog.getByLabel(m.account.password.old)).toHaveAccessibleDescription(
    m.account.password.oldWrong,
  );
  expectConsoleErrors(consoleErrors, /status of 401/);
  await dialog.getByLabel(m.account.password.old).fill(PASSWORD);
  await dialog.getByRole('button', { name: texts.goOn }).click();
  await expect(dialog.getByRole('img', { name: m.factors.app.qrCode })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.locator('[data-secret]').getAttribute('data-secret')) ?? '';
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await dialog.getByLabel(m.factors.app.code).fill(codeNow(secret));
  await dialog.getByRole('button', { name: m.factors.app.confirm }).click();
  const [recovery = ''] = await confirmAndKeepCodes(visitor);
  await expect(section(visitor).getByRole('listitem')).toContainText(texts.app);

  await openSignIn(visitor, author.email);
  await page.waitForURL(/\/auth\/step/);
  const code = page.getByLabel(m.factors.code, { exact: true });
  const used = codeNow(secret, 1);
  await code.fill(used);
  await code.press('Enter');
  await isSignedIn(visitor);
  expectConsoleErrors(consoleErrors, /status of 401/);

  await openSignIn(visitor, author.email);
  await page.waitForURL(/\/auth\/step/);
  await code.fill(recovery.toLowerCase());
  await code.press('Enter');
  await isSignedIn(visitor);
  expectConsoleErrors(consoleErrors, /status of 401/);

  await visitor.open('/account');
  const part = section(visitor);
  await expect(part).toContainText(texts.codesLeft(9));
  await part.getByRole('button', { name: /^Umbenennen/ }).click();
  await part.getByLabel(texts.name, { exact: true }).fill('Mein Telefon');
  await part.getByRole('button', { name: texts.save }).click();
  await expect(part.getByRole('listitem')).toContainText('Mein Telefon');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await part.getByRole('button', { name: texts.removeOf('Mein Telefon') }).click();
  const removal = page.getByRole('alertdialog');
  await removal.getByLabel(m.factors.code, { exact: true }).fill(used);
  await removal.getByRole('button', { name: texts.remove }).click();
  await expect(removal.getByLabel(m.factors.code, { exact: true })).toHaveAccessibleDescription(
    m.factors.codeWrong,
  );
  expectConsoleErrors(consoleErrors, /status of 401/);
  await expectAccessible(page);
  await removal.getByRole('button', { name: m.account.cancel }).click();
});

test('a passkey of another account is no second step, and a canceled one says so', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const authenticator = await addAuthenticator(page);
  const stranger = await signInOn(page, journal.server);
  await verifyAddress(journal.server, stranger.author);
  await addPasskey(stranger.visitor);
  const { cdp, id } = authenticator;
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id });
  const owner = await signUp(journal.server);
  await verifyAddress(journal.server, owner);
  await setSession(page, owner, journal.server);
  const visitor = new Visitor(page);
  await addPasskey(visitor);
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id });
  for (const credential of credentials) {
    await cdp.send('WebAuthn.addCredential', { authenticatorId: id, credential });
  }
  await authenticator.answers(false);
  await openSignIn(visitor, owner.email);
  await page.waitForURL(/\/auth\/step/);
  await authenticator.answers(true);
  await page.getByRole('button', { name: visitor.m.factors.usePasskey }).click();
  await expect(page.getByRole('alert')).toContainText(visitor.m.factors.notShown);
  expectConsoleErrors(consoleErrors, /status of 401/);
});

test('a role that has to have a second factor sets it up at the next sign-in, and keeps its codes first', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await addAuthenticator(page);
  const author = await signUp(journal.server);
  await verifyAddress(journal.server, author);
  await giveRole(journal.server, author, 'reader');
  const visitor = new Visitor(page, 'fr');
  await visitor.open('/about-me');
  await openSignIn(visitor, author.email);
  await page.waitForURL(/\/auth\/step/);
  const { m } = visitor;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(m.factors.setUp.title);
  await expectAccessible(page);
  await page.getByRole('button', { name: m.factors.setUp.makePasskey }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(m.factors.recovery.title);
  await expectAccessible(page);
  expect(await confirmAndKeepCodes(visitor)).toHaveLength(10);
  await isSignedIn(visitor);
  expectConsoleErrors(consoleErrors, /status of 401/);
  await visitor.open('/account');
  await expect(section(visitor)).toContainText(m.factors.section.required);
});

test('the second step goes on in a popup, and its opener gets the session', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const author = await signUp(journal.server);
  await verifyAddress(journal.server, author);
  const call = async (path: string, body: unknown) => {
    const response = await fetch(`${journal.server.url}/api/auth/factors/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { secret: string; setUp: string };
  };
  const { secret, setUp } = await call('totp/begin', { proof: { password: PASSWORD } });
  await call('totp', { setUp, code: codeNow(secret) });
  const visitor = new Visitor(page);
  await visitor.open('/about-me');
  const message = page.evaluate(
    () =>
      new Promise<{ type: string; state: string }>((resolve) => {
        window.addEventListener('message', ({ data }) => data?.type?.startsWith('BLINK') && resolve(data));
      }),
  );
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      const query = new URLSearchParams({ mode: 'popup', opener_origin: location.origin, state: 's' });
      window.open(`/auth?${query}`, '_blank', 'popup');
    }),
  ]);
  const inPopup = new Visitor(popup);
  await inPopup.hydrated();
  await popup.getByLabel(inPopup.m.signIn.email, { exact: true }).fill(author.email);
  await popup.getByLabel(inPopup.m.signIn.password, { exact: true }).fill(PASSWORD);
  await popup.getByRole('button', { name: inPopup.m.signIn.signIn, exact: true }).click();
  await popup.waitForURL(/\/auth\/step\?.*mode=popup/);
  const closed = popup.waitForEvent('close');
  const code = popup.getByLabel(inPopup.m.factors.code, { exact: true });
  await code.fill(codeNow(secret, 1));
  await code.press('Enter');
  expect(await message).toMatchObject({ type: 'BLINK_AUTH_TOKENS', state: 's', projectId: 'journal' });
  await closed;
  expectConsoleErrors(consoleErrors, /status of 401/);
});
