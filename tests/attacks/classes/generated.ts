import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import fc from 'fast-check';
import { hostilePieces } from '../../server/once/hostile-texts.ts';
import type { AttackClass, Attempt } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import { ROUTES } from '../fuzzed-routes.ts';
import { hostileText, textOf } from '../hostile-values.ts';
import { SECRET, type Target } from '../target.ts';
import { createDeskPost, routeAttempts, StayingSession, withOwn } from './fuzz.ts';
import { judge } from './scripts-in-pages.ts';

const SEED = 33_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** The names of the classes. */
export const GENERATED = [
  'generated: desk',
  'generated: factors',
  'generated: cookies',
  'generated: files of translators',
  'generated: Markdown',
] as const;

/** So many generated requests at each of what is new since the first attacks: desk, factors, cookies, files of translators, Markdown. */
export async function generated(target: Target, requests: number): Promise<AttackClass[]> {
  const author = await signUp(target.server, 'Greta Generated');
  const session = new StayingSession(target, author);
  const own = await createDeskPost(target, author);
  const secrets = async () => session.faults();
  return [
    { name: 'generated: desk', attempts: [...bodies('/api/desk/'), ...deskRequests()], findHarm: secrets },
    {
      name: 'generated: factors',
      attempts: bodies('/factors', '/passkey', '/second-step'),
      findHarm: secrets,
    },
    await cookies(target, requests),
    await translatorsFiles(target, author, own.post, requests),
    markdown(target, author, requests),
  ].map((one) => ({ ...one, concurrency: 6 }));

  /** Returns requests to the calls whose path has one of these words, as many to each. */
  function bodies(...words: string[]): Attempt[] {
    const routes = ROUTES.filter(({ path }) => words.some((word) => path.includes(word)));
    const share = words.includes('/api/desk/') ? requests / 2 : requests;
    const runs = Math.ceil(share / routes.length);
    return routes.flatMap((route, index) => {
      const here = { ...route, path: withOwn(route.path, own) };
      return routeAttempts(target, session, here, { seed: SEED + index, runs }).map(quietly);
    });
  }

  /** Returns requests to any call of the desk, with ids, languages and versions that are hostile, or of somebody else. */
  function deskRequests(): Attempt[] {
    const id = fc.oneof(
      fc.constantFrom(own.post, target.belongings.draft, target.belongings.post, 'none', '..', '.'),
      hostileText,
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
      path: fc.constantFrom(
        ...new Set(ROUTES.map((route) => route.path).filter((path) => path.includes('{post}'))),
      ),
      rest: fc.constantFrom(
        '',
        '/ask',
        '/history',
        '/restore',
        '/preview',
        '/discard',
        '/unschedule',
        '/byline',
        '/x',
      ),
      id,
      segment: fc.oneof(fc.constant(own.segment), hostileText),
      version: fc.oneof(
        fc.constantFrom('"1"', 'W/"1"', '*', '"1", "2"', '"-1"', '"1e9"', '"99999999999999999"', ''),
        hostileText,
      ),
      body: fc.oneof(
        fc.constantFrom({}, { document: {} }, { at: 8.64e15 + 1 }, { days: 1e9 }, []),
        hostileText,
      ),
    });
    return fc
      .sample(request, { numRuns: Math.ceil(requests / 2), seed: SEED })
      .map(({ method, path, rest, id: post, segment, version, body }) => {
        const filled = path.replace('{post}', part(post)).replace('{segment}', part(segment));
        const sent: Sent = {
          method,
          path: filled + rest,
          headers: { ...JSON_TYPE, 'if-match': inHeader(version) },
        };
        if (method !== 'GET') sent.body = textOf(body);
        return { what: `${method} ${sent.path.slice(0, 200)}`, run: () => session.send(sent, secretFault) };
      })
      .map(quietly);
  }
}

const part = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 2_000);
/** Returns the text as a header can carry it. */
const inHeader = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 4_000);
const quietly = (attempt: Attempt): Attempt => ({ ...attempt, what: attempt.what.slice(0, 300) });

/** Returns that a response has what only its owner may read. */
function secretFault(received: Received): string | undefined {
  return received.text.includes(SECRET) ? `shows what is secret: ${received.status}` : undefined;
}

/** Requests of pages and their forms with generated cookies, none of which is a session. */
async function cookies(target: Target, requests: number): Promise<AttackClass> {
  const view = (path: string) => target.send(undefined, { path });
  const before = await view('/gallery');
  const name = fc.constantFrom(
    ...[
      'fabrica_session',
      '__Host-fabrica_session',
      'Fabrica_Session',
      'fabrica_session ',
      ' fabrica_session',
    ],
    ...['fabrica_language', 'fabrica_link_language', 'fabrica_likes', 'fabrica_accent', '__proto__', '', 'x'],
  );
  const token = fc.constantFrom(
    'journal',
    'journal.',
    'journal..',
    'other.x',
    'journal.session.x',
    target.victim.id,
  );
  const value = fc.oneof(
    hostileText,
    fc.tuple(token, fc.constantFrom('', '.'), hostileText).map((parts) => parts.join('')),
    fc.constantFrom('de', 'DE', 'xx', 'de,es', '"de"', '%64e', 'x'.repeat(8_000)),
  );
  const jar = fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 5 })
    .chain((pairs) =>
      fc
        .constantFrom('; ', ';', ',', ';;')
        .map((between) => pairs.map((pair) => pair.join('=')).join(between)),
    );
  const path = fc.constantFrom(
    ...['/', '/gallery', '/gallery.data', '/account', '/account.data', '/admin', '/admin/posts', '/contact'],
    ...['/auth', '/auth/step', '/auth/session', '/nowhere', '/feed.xml', '/gallery?lang=de'],
    ...[
      `/post/${target.belongings.post}`,
      `/post/${target.belongings.draft}`,
      `/post/${target.belongings.draft}.data`,
    ],
  );
  const sender = fc.constantFrom(
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: target.url },
    { origin: 'null' },
    { origin: 'https://evil.example' },
  );
  const form = fc
    .array(
      fc.tuple(
        fc.constantFrom('intent', 'email', 'password', 'content', 'name', 'token', 'code'),
        hostileText,
      ),
      {
        maxLength: 4,
      },
    )
    .map((fields) => new URLSearchParams(fields).toString());
  const request = fc.record({ jar, path, sender, form, isForm: fc.boolean() });
  const attempts = fc.sample(request, { numRuns: requests, seed: SEED }).map((one): Attempt => {
    const cookie = inHeader(one.jar);
    const headers: Record<string, string> = { ...one.sender, cookie };
    if (one.isForm) headers['content-type'] = 'application/x-www-form-urlencoded';
    const sent: Sent = { method: one.isForm ? 'POST' : 'GET', path: one.path, headers };
    if (one.isForm) sent.body = one.form;
    const what = `${sent.method} ${one.path} with the cookies ${JSON.stringify(cookie.slice(0, 120))}`;
    return { what, run: async () => faultOfPage(await target.send(undefined, sent)) };
  });
  return {
    name: 'generated: cookies',
    attempts,
    async findHarm() {
      const after = await view('/gallery');
      const same = after.status === before.status && langOf(after) === langOf(before);
      return same ? [] : [`visitors without cookies get ${after.status} in ${langOf(after)}`];
    },
  };
}

const langOf = ({ text }: Received) => /<html lang="(\w+)"/.exec(text)?.[1];

function faultOfPage(received: Received): string | undefined {
  const set = [received.headers['set-cookie'] ?? []].flat();
  // Nobody is signed in; a cookie that is no session is taken away, and nothing of what was sent comes back in one.
  const signedIn = set.find((line) => /fabrica_session=[^;]/.test(line));
  const odd = set.find((line) => !/^[\w-]+=[\w%.-]*(?:; [\w-]+(?:=[\w/]+)?)*$/.test(line));
  if (signedIn ?? odd) return `sets the cookie ${signedIn ?? odd}`;
  const cached = set.length > 0 && /public|s-maxage/.test(String(received.headers['cache-control']));
  if (cached) return 'a response that sets a cookie may be shared';
  return secretFault(received) ?? judge(received);
}

/** Files of translators (XLIFF of a post, and terms and memories of the journal) whose parts are generated or broken. */
async function translatorsFiles(
  target: Target,
  author: Author,
  post: string,
  requests: number,
): Promise<AttackClass> {
  const path = `/api/desk/journal/posts/${post}/translations/de.xlf`;
  const content = async () =>
    JSON.parse((await target.send(author, { path: `/api/desk/journal/posts/${post}` })).text);
  const { document } = await content();
  const { text } = await target.send(author, { path });
  const tokens = text.split(/(<[^>]*>)/);
  const element = fc.constantFrom(
    ...[
      '<target>',
      '</target>',
      '<unit id="x">',
      '</unit>',
      '<file>',
      '<xliff version="9">',
      '</xliff>',
      '<pc id="1">',
    ],
    ...[
      '<ph id="1"/>',
      '<target/>',
      '<!DOCTYPE x [<!ENTITY a "aa">]>',
      '<!ENTITY % x SYSTEM "file:///etc/passwd">',
    ],
    ...[
      '&a;',
      '&#0;',
      '&#x110000;',
      '&lt;script&gt;',
      '<![CDATA[',
      ']]>',
      '<?xml version="1.0" encoding="x"?>',
    ],
    ...[
      '<x:include href="file:///etc/passwd"/>',
      '<mrk translate="no">',
      '<segment state="final">',
      '<script>',
    ],
  );
  const change = fc.record({
    at: fc.nat(tokens.length - 1),
    how: fc.constantFrom('replace', 'drop', 'double', 'insert', 'attribute', 'swap', 'cut'),
    by: fc.oneof(element, hostileText),
  });
  const broken = fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    const parts = [...tokens];
    for (const { at, how, by } of changes) {
      const there = parts[at] ?? '';
      if (how === 'replace') parts[at] = by;
      else if (how === 'drop') parts[at] = '';
      else if (how === 'double') parts[at] = there.repeat(2);
      else if (how === 'insert') parts[at] = by + there;
      else if (how === 'attribute') parts[at] = there.replace(/"[^"]*"/, () => `"${by}"`);
      else if (how === 'cut') parts.length = Math.max(at, 1);
      else [parts[at], parts[0]] = [parts[0] ?? '', there];
    }
    return parts.join('');
  });
  const kind = fc.constantFrom('de.xlf', 'de.xlf', 'de.xlf', 'terms.tbx', 'memory.tmx');
  const attempts = fc
    .sample(fc.tuple(kind, broken), { numRuns: requests, seed: SEED })
    .map(([file, body]): Attempt => {
      const isPost = file === 'de.xlf';
      const renamed = isPost ? body : body.replaceAll('xliff', file.endsWith('tbx') ? 'tbx' : 'tmx');
      const sent: Sent = {
        method: 'POST',
        path: isPost ? path : `/api/desk/journal/translations/${file}`,
        body: Buffer.from(renamed.toWellFormed()),
        headers: { 'content-type': 'application/xml' },
      };
      const by = isPost ? author : target.attackers.admin;
      return {
        what: `${file}: ${renamed.slice(0, 200)}`,
        async run() {
          const received = await target.send(by, sent);
          const read = /root:.*:0:0:/.test(received.text) ? 'a file of the machine is read' : undefined;
          return read ?? secretFault(received) ?? faultOf(received);
        },
      };
    });
  return {
    name: 'generated: files of translators',
    attempts: attempts.map(quietly),
    async findHarm() {
      const { document: after } = await content();
      const words = ({ title, content: body }: { title: string; content: string }) => `${title}\n${body}`;
      return words(after) === words(document) ? [] : ['a file of translations has changed the original'];
    },
  };
}

/** Texts in Markdown of generated constructs, each of which is stored and shown. */
function markdown(target: Target, author: Author, requests: number): AttackClass {
  const harmful = fc.constantFrom(
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt&#58;alert(1)',
      '//evil.example/x.png',
      '/\\evil.example',
      'data:text/html,x',
    ],
    ...[
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      "' onload='x",
      '{onclick="x"}',
    ],
    ...[
      '{src="javascript:alert(1)"}',
      ':::figure{src="//evil.example/x.png"}',
      '<a href="javascript:x">',
      '](javascript:x)',
    ],
  );
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...hostilePieces) },
    { weight: 3, arbitrary: harmful },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  );
  const text = fc.array(piece, { minLength: 2, maxLength: 40 }).map((pieces) => `x ${pieces.join('')}`);
  const rest = '/api/db/journal/rest/v1/journal_posts';
  const attempts = fc.sample(text, { numRuns: requests, seed: SEED }).map((content, index): Attempt => {
    const words = content.toWellFormed().replaceAll('\0', '');
    const row = buildPost(author, { id: `post_md_${index}`, content: words, content_format: 'markdown' });
    return {
      what: `the text ${JSON.stringify(words.slice(0, 200))}`,
      async run() {
        const created = await target.send(author, {
          method: 'POST',
          path: rest,
          headers: JSON_TYPE,
          body: textOf(row),
        });
        if (created.status !== 201)
          return created.status === 400 ? faultOf(created) : `stored with ${created.status}`;
        const weakness = judge(await target.send(undefined, { path: `/post/${row.id}` }));
        await author.rest('DELETE', `journal_posts?id=eq.${row.id}`);
        return weakness;
      },
    };
  });
  return { name: 'generated: Markdown', attempts: attempts.map(quietly) };
}
