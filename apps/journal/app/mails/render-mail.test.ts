import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import type { AuthMail, LinkMail } from './mail-content.ts';
import { renderMail as renderFor } from './render-mail.tsx';

const KINDS = ['verify-email', 'magic-link', 'reset-password'] as const;
const MAILS = LANGUAGE_CODES.flatMap((language) => KINDS.map((kind) => ({ language, kind })));

const LINK =
  'https://fabrica.example.org/auth/magic?token=mt_Zm9vYmFy-_0123456789&redirect_url=https%3A%2F%2Fapp.example.org%2F';

const SITE = { name: 'Atlas', tagline: 'Plates and words' };

const renderMail = (mail: AuthMail) => renderFor(mail, SITE);

function buildMail(changes: Partial<LinkMail> = {}): LinkMail {
  return {
    kind: 'magic-link',
    language: 'en',
    link: LINK,
    linkMinutes: 15,
    code: '048213',
    codeMinutes: 10,
    siteUrl: 'https://fabrica.example.org',
    ...changes,
  };
}

/** Decodes the entities of HTML. */
const unescapeHtml = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const textOf = (html: string) =>
  unescapeHtml(
    html
      .replace(/<head>.*<\/head>/s, '')
      .replaceAll(/<!--.*?-->/gs, '')
      .replaceAll(/<[^>]+>/g, '\n'),
  );
const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href));

describe.each(MAILS)('the mail $kind in $language', ({ language, kind }) => {
  it('an auth mail has the same content as HTML and as text, with the link and the code', async () => {
    const { subject, html, text } = await renderMail(buildMail({ language, kind }));
    expect(subject).toMatch(/Atlas$/);
    expect(html).toContain(` lang="${language}"`);
    expect(linksOf(html)).toEqual([LINK, LINK, 'https://fabrica.example.org']);
    const lines = text.split('\n');
    expect(lines.filter((line) => line === LINK || line === '048213')).toEqual([LINK, '048213']);
    // No text is empty.
    expect(text).not.toMatch(/\n\n[:\n]/);
    const shown = textOf(html);
    for (const line of lines.filter((line) => line && !/^-- $|:$|^Atlas:|^https:/.test(line))) {
      expect(shown).toContain(line);
    }
    for (const each of [shown, text]) expect(each).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('an auth mail says how long its link and its code are valid', async () => {
    const { text, html } = await renderMail(buildMail({ language, kind, linkMinutes: 1_440 }));
    for (const each of [text, textOf(html)]) {
      expect(each).toMatch(/\b24\s(hours|horas|heures|Stunden)\b/);
      expect(each).toMatch(/\b10\s(minutes|minutos|Minuten)\b/);
    }
  });

  it('an auth mail loads no resources and runs no scripts', async () => {
    const { html } = await renderMail(buildMail({ language, kind }));
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|video|base|form)\b|\ssrc=|url\(|@import|@font-face|\son\w+=/i,
    );
  });
});

const ACCOUNT_KINDS = [
  'confirm-change',
  'password-changed',
  'account-deleted',
  'data-exported',
  'provider-linked',
  'new-device',
  'factor-added',
  'factor-removed',
  'factors-reset',
  'recovery-codes-made',
  'recovery-code-used',
  'codes-guessed',
  'role-changed',
] as const;
const ACCOUNT_MAILS = LANGUAGE_CODES.flatMap((language) => ACCOUNT_KINDS.map((kind) => ({ language, kind })));

function buildAccountMail({ kind, language }: (typeof ACCOUNT_MAILS)[number]): AuthMail {
  const siteUrl = 'https://fabrica.example.org';
  if (kind === 'confirm-change') return { kind, language, siteUrl, code: '048213', codeMinutes: 10 };
  const at = '2026-03-04T05:06:07Z';
  return { kind, language, siteUrl, at, device: 'Firefox, Windows', subject: 'Hospital' };
}

it.each(ACCOUNT_MAILS)(
  'the mail $kind in $language has no link but the site’s own, and the same words as HTML and as text',
  async (given) => {
    const { subject, html, text } = await renderMail(buildAccountMail(given));
    expect(subject).toContain('Atlas');
    expect(html).toContain(` lang="${given.language}"`);
    expect(linksOf(html)).toEqual(['https://fabrica.example.org']);
    const shown = textOf(html);
    for (const line of text.split('\n').filter((line) => line && !/^-- $|^Atlas:|^https:/.test(line))) {
      expect(shown).toContain(line);
    }
    for (const each of [shown, text]) expect(each).not.toMatch(/undefined|null|NaN|\[object/);
    if (given.kind === 'confirm-change') expect(text.split('\n')).toContain('048213');
    else expect(text).toMatch(/2026[\s\S]*UTC[\s\S]*Firefox, Windows/);
    if (['provider-linked', 'factor-added', 'factor-removed', 'role-changed'].includes(given.kind))
      expect(text).toContain('Hospital');
  },
);

it('every colour of a mail has a dark counterpart', async () => {
  const { html } = await renderMail(buildMail());
  const coloured = [...html.matchAll(/<\w+[^>]* style="(?:[^"]*;)?color:[^>]*>/g)].map(([tag]) => tag);
  expect(coloured.length).toBeGreaterThan(8);
  for (const tag of coloured) {
    const name = / class="(\w+)"/.exec(tag)?.[1];
    expect(html).toMatch(new RegExp(`\\.${name} \\{[^}]*\\bcolor: #\\w+ !important`));
  }
});

it('every kind of mail has a subject of its own in every language', async () => {
  const mails = [...MAILS.map(buildMail), ...ACCOUNT_MAILS.map(buildAccountMail)];
  const subjects = await Promise.all(mails.map(async (mail) => (await renderMail(mail)).subject));
  expect(new Set(subjects).size).toBe(mails.length);
});

it.each(['', 'it', 'de-CH', '__proto__'])('a mail for the language %j is in English', async (language) => {
  const english = await renderMail(buildMail());
  expect(await renderMail(buildMail({ language }))).toEqual(english);
});

it('a mail gives 60 minutes as one hour, and 90 minutes in minutes', async () => {
  expect((await renderMail(buildMail({ linkMinutes: 60 }))).text).toContain('valid for 1 hour and');
  expect((await renderMail(buildMail({ linkMinutes: 90 }))).text).toContain('valid for 90 minutes and');
});

it('markup in the link of a mail is escaped', async () => {
  const link = `https://fabrica.example.org/auth/magic?token="><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;x=1`;
  const { html } = await renderMail(buildMail({ link }));
  expect(html).not.toMatch(/<script|<img/);
  expect(linksOf(html)).toEqual([link, link, 'https://fabrica.example.org']);
  expect(textOf(html)).toContain(link);
});

it('a mail names the site by its host', async () => {
  const { text } = await renderMail(buildMail({ siteUrl: 'http://localhost:3000' }));
  expect(text).toContain('This link signs you in at localhost:3000.');
});
