import type { IncomingMessage } from 'node:http';
import { formOfRead, modernFormat, preferredEncoding, VARIANT_URL } from '@fabrica/backend';
import { cookieLanguage } from '../reader-language.ts';
import { pageAddress } from './page-address.ts';

type ReadHeader = (name: string) => string | undefined;

/** A kind of response that is the same for all who send no credentials, and the parts of a request that it depends on. */
interface Kind {
  /** Returns a URL without what changes nothing; undefined for one of another kind. */
  address(url: string): string | undefined;
  /** Returns a name for what the headers ask for beside the encoding, of which there are few; undefined for what is rare. */
  form(header: ReadHeader, address: string): string | undefined;
}

/** Returns the key of the response to a request; undefined for one whose response is its sender's own, or is not shared. */
export type RequestKey = (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => string | undefined;

interface RequestKeyOptions {
  /** Tells whether this is the path of a built file. */
  isBuilt(path: string): boolean;
  /** Tells whether a Cookie header has a session. */
  hasSession(cookies: string | undefined): boolean;
}

/** Characters. Longer keys are not worth their memory. */
const LONGEST_URL = 1_000;
/** Host names and IPv4 addresses, as browsers write them. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d{1,5})?$/;
const TABLE_URL = /^\/api\/db\/[a-z0-9_-]+\/rest\/v1\/\w+(?:\?|$)/;
/** Headers of requests whose response is their sender's own, a part of one, or that have a body. */
const OWN = ['authorization', 'range', 'content-length', 'transfer-encoding'] as const;

/** Creates the function that says what a response depends on: no other header may change one that the cache keeps. */
export function createRequestKey({ isBuilt, hasSession }: RequestKeyOptions): RequestKey {
  const matching = (matches: (url: string) => boolean) => (url: string) => (matches(url) ? url : undefined);
  const kinds: readonly Kind[] = [
    {
      address: pageAddress,
      form: (header, address) => (address.includes('#') ? '' : (cookieLanguage(header('cookie')) ?? '')),
    },
    { address: matching((url) => TABLE_URL.test(url)), form: formOfRead },
    {
      address: matching((url) => url.startsWith('/storage/') && VARIANT_URL.test(url)),
      form: (header) => modernFormat(header('accept')) ?? '',
    },
    { address: matching((url) => url === '/healthz'), form: () => '' },
    {
      address(url) {
        const [path = ''] = url.split('?', 1);
        return isBuilt(path) ? path : undefined;
      },
      form: () => '',
    },
  ];

  return ({ method, url = '', headers }) => {
    if ((method !== 'GET' && method !== 'HEAD') || url.length > LONGEST_URL) return undefined;
    if (OWN.some((name) => headers[name] !== undefined)) return undefined;
    if (!PLAIN_HOST.test(headers.host ?? '') || hasSession(headers.cookie)) return undefined;
    const header = (name: string) => headers[name]?.toString();
    for (const kind of kinds) {
      const address = kind.address(url);
      if (address === undefined) continue;
      const form = kind.form(header, address);
      const encoding = preferredEncoding(header('accept-encoding')) ?? '';
      return form === undefined ? undefined : `${headers.host}${address}\n${encoding} ${form}`;
    }
    return undefined;
  };
}
