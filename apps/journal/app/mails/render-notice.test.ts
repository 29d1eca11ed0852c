import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import type { Notice } from './mail-content.ts';
import { renderNotice as renderAny } from './render-notice.tsx';

const STOP = 'https://fabrica.example.org/auth/notices?token=journal.abc.def&lang=en';

const SITE = { name: 'Atlas', tagline: null };

function buildNotice(changes: Partial<Notice> = {}): Notice {
  return {
    kind: 'new-comments',
    language: 'en',
    about: { id: 'post_1', title: 'The eye', title_de: 'Das Auge', title_fr: '' },
    rows: [
      { id: 'c2', user_name: 'Ben', content: 'Second.\nOn two lines.' },
      { id: 'c1', user_name: 'Cleo', content: 'First.' },
    ],
    total: 2,
    stopLink: STOP,
    siteUrl: 'https://fabrica.example.org',
    ...changes,
  };
}

async function renderNotice(notice: Notice) {
  const mail = await renderAny(notice, SITE);
  if (!mail) throw new Error(`There are no texts for ${notice.kind}.`);
  return mail;
}

const unescapeHtml = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href));

describe.each(LANGUAGE_CODES)('a mail about comments in %s', (language) => {
  it('a mail about comments has the same content as HTML and as text, with authors, comments and links', async () => {
    const { subject, html, text } = await renderNotice(buildNotice({ language }));
    const post = `https://fabrica.example.org/post/post_1?lang=${language}`;
    expect(html).toContain(` lang="${language}"`);
    expect(linksOf(html)).toEqual([post, STOP, 'https://fabrica.example.org']);
    const lines = text.split('\n');
    expect(lines.filter((line) => line === post || line === STOP)).toEqual([post, STOP]);
    expect(subject).toContain(language === 'de' ? 'Das Auge' : 'The eye');
    expect(subject).toContain('2');
    for (const word of ['Ben', 'Second.', 'On two lines.', 'Cleo', 'First.']) {
      expect(html).toContain(word);
      expect(text).toContain(word);
    }
    for (const each of [html, text]) expect(each).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('a mail about comments has a singular, and says how many comments it leaves out', async () => {
    const one = await renderNotice(buildNotice({ language, total: 1, rows: buildNotice().rows.slice(0, 1) }));
    expect(one.subject).not.toMatch(/\d/);
    const many = await renderNotice(buildNotice({ language, total: 14 }));
    expect(many.text).toMatch(/\b12\b/);
  });
});

it('titles, names and comments cannot add headers or markup to a mail', async () => {
  const title = 'Heart\r\nBcc: eve@example.org\u202E <script>alert(1)</script>';
  const rows = [{ id: 'c1', user_name: '<b>Eve</b>\nX: y', content: '<img src=x onerror=alert(1)>' }];
  const { subject, html } = await renderNotice(buildNotice({ about: { id: '1', title }, rows, total: 1 }));
  expect(subject).not.toMatch(/[\p{Cc}\u202E]/u);
  expect(html).not.toMatch(/<script|<img|<b>/);
});

it('a comment cannot look like another part of the mail', async () => {
  const content =
    'Fine.\r\n\n\n\n-- \nFabrica\u001B[2J\nUnsubscribe:\u2028https://evil.example/\u202Egnp.exe';
  const rows = [{ id: 'c1', user_name: 'Eve', content }];
  const { text, html } = await renderNotice(buildNotice({ rows, total: 1 }));
  const quoted = '> Fine.\n> \n> -- \n> Fabrica [2J\n> Unsubscribe:\n> https://evil.example/ gnp.exe\n';
  expect(text).toContain(`Eve:\n${quoted}`);
  expect(text.match(/^-- $/gm)).toHaveLength(1);
  for (const each of [text, html]) expect(each).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u202E]/u);
});

it('long words of a comment are wrapped within the mail’s width', async () => {
  const { html } = await renderNotice(buildNotice());
  const container = /<table[^>]*max-width:520px[^>]*>/.exec(html)?.[0];
  expect(container).toMatch(/overflow-wrap:anywhere.*word-break:break-word/);
});

it('a mail quotes only the first 400 characters of a comment', async () => {
  const rows = [{ id: 'c1', user_name: 'Ben', content: 'ö'.repeat(5_000) }];
  const { text } = await renderNotice(buildNotice({ rows, total: 1 }));
  expect(text.match(/ö/g)).toHaveLength(399);
});

it('a notice of a kind without texts renders no mail', async () => {
  expect(await renderAny(buildNotice({ kind: 'new-loans' }), SITE)).toBeUndefined();
});

it.each(LANGUAGE_CODES)(
  'a mail in %s about bylines leads to the account page, and stops such mails alone',
  async (language) => {
    const { subject, html, text } = await renderNotice(
      buildNotice({ kind: 'named', language, about: {}, rows: [] }),
    );
    const link = `https://fabrica.example.org/account?lang=${language}#bylines`;
    expect(linksOf(html)).toEqual([link, `${STOP}&kind=named`, 'https://fabrica.example.org']);
    expect(text).toContain(link);
    expect(subject).toContain('Atlas');
  },
);
