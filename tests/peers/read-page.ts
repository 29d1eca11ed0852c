import { createHash } from 'node:crypto';

/** Returns what the first group of a pattern matches in a page, with the characters that HTML escapes in attributes. */
export function attribute(html: string, pattern: RegExp): string | undefined {
  return pattern
    .exec(html)?.[1]
    ?.replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Returns the CSP sources of the inline scripts of a page. */
export function scriptSources(html: string): string[] {
  return [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '', script]) => !/src=|ld\+json/.test(attributes) && script !== '')
    .map(([, , script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
