/** Holds the page's absolute URL and the post's title in the reader's language. */
interface SharedPost {
  url: string;
  title: string;
}

interface ShareTarget {
  id: 'facebook' | 'x' | 'linkedin' | 'whatsapp' | 'telegram' | 'reddit';
  /** The service's name, which is the same in every language. */
  name: string;
  /** URL of the service's page for sharing. */
  url: string;
}

/** A service's page opens in a popup of this size, in pixels (docs/spec/product.md section 9). */
const POPUP_SIZE = { width: 600, height: 400 } as const;

/** Returns the services that a post can be shared with, in the order of the menu. */
export function buildShareTargets({ url, title }: SharedPost): ShareTarget[] {
  const withQuery = (base: string, query: Record<string, string>) => `${base}?${encodeQuery(query)}`;
  return [
    {
      id: 'facebook',
      name: 'Facebook',
      url: withQuery('https://www.facebook.com/sharer/sharer.php', { u: url }),
    },
    {
      id: 'x',
      name: 'X/Twitter',
      url: withQuery('https://twitter.com/intent/tweet', { url, text: title }),
    },
    {
      id: 'linkedin',
      name: 'LinkedIn',
      url: withQuery('https://www.linkedin.com/sharing/share-offsite/', { url }),
    },
    { id: 'whatsapp', name: 'WhatsApp', url: withQuery('https://wa.me/', { text: `${title} ${url}` }) },
    { id: 'telegram', name: 'Telegram', url: withQuery('https://t.me/share/url', { url, text: title }) },
    { id: 'reddit', name: 'Reddit', url: withQuery('https://www.reddit.com/submit', { url, title }) },
  ];
}

/** Returns a `mailto:` link with subject and body, and without a recipient. */
export function buildMailLink({ subject, body }: { subject: string; body: string }): string {
  return `mailto:?${encodeQuery({ subject, body: body.replaceAll('\n', '\r\n') })}`;
}

/** Returns the features of `window.open` for a popup in the middle of the reader's window, without access to it. */
export function popupFeatures(opener: { left: number; top: number; width: number; height: number }): string {
  const { width, height } = POPUP_SIZE;
  const left = Math.round(opener.left + (opener.width - width) / 2);
  const top = Math.round(opener.top + (opener.height - height) / 2);
  return `popup,noopener,noreferrer,width=${width},height=${height},left=${left},top=${top}`;
}

/** Encodes spaces as %20, because mail programs do not decode a plus. */
function encodeQuery(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}
