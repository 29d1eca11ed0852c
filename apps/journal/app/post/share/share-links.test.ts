import { describe, expect, it } from 'vitest';
import { buildMailLink, buildShareTargets, popupFeatures } from './share-links.ts';

const SHARED = { url: 'https://journal.example/post/post_1?lang=fr', title: 'L’œil & la lumière — 100 %' };

describe('sharing a post', () => {
  it('a post can be shared with six services, in this order', () => {
    expect(buildShareTargets(SHARED).map(({ name }) => name)).toEqual([
      'Facebook',
      'X/Twitter',
      'LinkedIn',
      'WhatsApp',
      'Telegram',
      'Reddit',
    ]);
  });

  it('each service receives the absolute URL of the post over HTTPS', () => {
    for (const { url } of buildShareTargets(SHARED)) {
      const { protocol, searchParams } = new URL(url);
      expect(protocol).toBe('https:');
      expect([...searchParams.values()].join(' ')).toContain(SHARED.url);
    }
  });

  it('the title is shared with the services that accept one', () => {
    const withTitle = buildShareTargets(SHARED).filter(({ url }) =>
      [...new URL(url).searchParams.values()].some((value) => value.includes(SHARED.title)),
    );
    expect(withTitle.map(({ id }) => id)).toEqual(['x', 'whatsapp', 'telegram', 'reddit']);
  });

  it('a title that ends in half a character can be shared', () => {
    expect(() => buildShareTargets({ ...SHARED, title: 'cut \ud83d' })).not.toThrow();
  });

  it('a mail link carries its subject and body unchanged', () => {
    const link = buildMailLink({ subject: 'A & B? 100%', body: 'First line\n\nhttps://x.example/?a=1&b=2' });
    expect(link).not.toContain('+');
    const [, query = ''] = link.split('?', 2);
    const fields = Object.fromEntries(
      query.split('&').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]),
    );
    expect(link.startsWith('mailto:?')).toBe(true);
    expect(fields).toEqual({ subject: 'A & B? 100%', body: 'First line\r\n\r\nhttps://x.example/?a=1&b=2' });
  });

  it('the popup has 600 by 400 pixels in the middle of the window, and no access to it', () => {
    const features = popupFeatures({ left: 100, top: 50, width: 1400, height: 900 }).split(',');
    expect(features).toEqual(
      expect.arrayContaining(['noopener', 'noreferrer', 'width=600', 'height=400', 'left=500', 'top=300']),
    );
  });
});
