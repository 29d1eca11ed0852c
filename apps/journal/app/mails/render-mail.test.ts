import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../language/languages.ts';
import type { AuthMail } from './mail-content.ts';
import { renderMail } from './render-mail.tsx';

const KINDS = ['verify-email', 'magic-link', 'reset-password'] as const;
const MAILS = LANGUAGE_CODES.flatMap((language) => KINDS.map((kind) => ({ language, kind })));

const LINK =
  'https://fabrica.example.org/auth/magic?token=mt_Zm9vYmFy-_0123456789&redirect_url=https%3A%2F%2Fapp.example.org%2F';

function buildRequest(changes: Partial<AuthMail> = {}): AuthMail {
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

/** The HTML's addresses and words as a mail program has them. */
const unescapeHtml = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const wordsOf = (html: string) =>
  unescapeHtml(
    html
      .replace(/<head>.*<\/head>/s, '')
      .replaceAll(/<!--.*?-->/gs, '')
      .replaceAll(/<[^>]+>/g, '\n'),
  );
const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href));

describe.each(MAILS)('the mail $kind in $language', ({ language, kind }) => {
  it('says the same as HTML and as text, with the link and the code', async () => {
    const { subject, html, text } = await renderMail(buildRequest({ language, kind }));
    expect(subject).toMatch(/Fabrica$/);
    expect(html).toContain(` lang="${language}"`);
    expect(linksOf(html)).toEqual([LINK, LINK, 'https://fabrica.example.org']);
    const lines = text.split('\n');
    expect(lines.filter((line) => line === LINK || line === '048213')).toEqual([LINK, '048213']);
    // No word of it is blank.
    expect(text).not.toMatch(/\n\n[:\n]/);
    const words = wordsOf(html);
    for (const line of lines.filter((line) => line && !/^-- $|:$|^Fabrica:|^https:/.test(line))) {
      expect(words).toContain(line);
    }
    for (const each of [words, text]) expect(each).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('gives both times in words', async () => {
    const { text, html } = await renderMail(buildRequest({ language, kind, linkMinutes: 1_440 }));
    for (const each of [text, wordsOf(html)]) {
      expect(each).toMatch(/\b24\s(hours|horas|heures|Stunden)\b/);
      expect(each).toMatch(/\b10\s(minutes|minutos|Minuten)\b/);
    }
  });

  it('loads nothing from anywhere and runs nothing', async () => {
    const { html } = await renderMail(buildRequest({ language, kind }));
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|video|base|form)\b|\ssrc=|url\(|@import|@font-face|\son\w+=/i,
    );
  });
});

it('has another colour in the dark for everything that it colours', async () => {
  const { html } = await renderMail(buildRequest());
  const coloured = [...html.matchAll(/<\w+[^>]* style="(?:[^"]*;)?color:[^>]*>/g)].map(([tag]) => tag);
  expect(coloured.length).toBeGreaterThan(8);
  for (const tag of coloured) {
    const name = / class="(\w+)"/.exec(tag)?.[1];
    expect(html).toMatch(new RegExp(`\\.${name} \\{[^}]*\\bcolor: #\\w+ !important`));
  }
});

it('has a subject of its own for every kind and language', async () => {
  const subjects = await Promise.all(
    MAILS.map(async (mail) => (await renderMail(buildRequest(mail))).subject),
  );
  expect(new Set(subjects).size).toBe(MAILS.length);
});

it.each(['', 'it', 'de-CH', '__proto__'])('is in English for the language %j', async (language) => {
  const english = await renderMail(buildRequest());
  expect(await renderMail(buildRequest({ language }))).toEqual(english);
});

it('says one hour as one', async () => {
  expect((await renderMail(buildRequest({ linkMinutes: 60 }))).text).toContain('valid for 1 hour and');
  expect((await renderMail(buildRequest({ linkMinutes: 90 }))).text).toContain('valid for 90 minutes and');
});

it('takes a hostile link for an address and nothing else', async () => {
  const link = `https://fabrica.example.org/auth/magic?token="><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;x=1`;
  const { html } = await renderMail(buildRequest({ link }));
  expect(html).not.toMatch(/<script|<img/);
  expect(linksOf(html)).toEqual([link, link, 'https://fabrica.example.org']);
  expect(wordsOf(html)).toContain(link);
});

it('names the site by its address without the scheme', async () => {
  const { text } = await renderMail(buildRequest({ siteUrl: 'http://localhost:3000' }));
  expect(text).toContain('This link signs you in at localhost:3000.');
});
