/** What is shared: the page's whole address and the post's title in the reader's language. */
export interface SharedPost {
  url: string;
  title: string;
}

export interface ShareTarget {
  id: 'facebook' | 'x' | 'linkedin' | 'whatsapp' | 'telegram' | 'reddit';
  /** The service's own name, the same in every language. */
  name: string;
  /** The service's page for sharing. */
  address: string;
}

/** Width and height of the window that a share page opens in, in pixels (docs/spec/product.md section 9). */
export const POPUP_SIZE = { width: 600, height: 400 } as const;

export function buildShareTargets({ url, title }: SharedPost): ShareTarget[] {
  const address = (base: string, query: Record<string, string>) => `${base}?${encodeQuery(query)}`;
  return [
    {
      id: 'facebook',
      name: 'Facebook',
      address: address('https://www.facebook.com/sharer/sharer.php', { u: url }),
    },
    {
      id: 'x',
      name: 'X/Twitter',
      address: address('https://twitter.com/intent/tweet', { url, text: title }),
    },
    {
      id: 'linkedin',
      name: 'LinkedIn',
      address: address('https://www.linkedin.com/sharing/share-offsite/', { url }),
    },
    { id: 'whatsapp', name: 'WhatsApp', address: address('https://wa.me/', { text: `${title} ${url}` }) },
    { id: 'telegram', name: 'Telegram', address: address('https://t.me/share/url', { url, text: title }) },
    { id: 'reddit', name: 'Reddit', address: address('https://www.reddit.com/submit', { url, title }) },
  ];
}

/** A mail to nobody yet, its subject and text filled in. */
export function buildMailLink({ subject, body }: { subject: string; body: string }): string {
  return `mailto:?${encodeQuery({ subject, body: body.replaceAll('\n', '\r\n') })}`;
}

/** The features of `window.open` for a popup in the middle of the reader's window, which cannot reach back to us. */
export function popupFeatures(opener: { left: number; top: number; width: number; height: number }): string {
  const { width, height } = POPUP_SIZE;
  const left = Math.round(opener.left + (opener.width - width) / 2);
  const top = Math.round(opener.top + (opener.height - height) / 2);
  return `popup,noopener,noreferrer,width=${width},height=${height},left=${left},top=${top}`;
}

/** Spaces as %20: mail programs show a plus as it is. */
function encodeQuery(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}
