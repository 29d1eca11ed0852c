import {
  buildEnormousPng,
  buildPdfPage,
  buildPictureBomb,
  buildTextBomb,
  buildZip,
  hideArchive,
  hideInGif,
  PAGE,
} from '@fabrica/backend/testing/storage/hostile-images.ts';
import { DISARMED, REFUSED } from '@fabrica/backend/testing/storage/hostile-svgs.ts';
import type { UploadResponse } from '@fabrica/contract';
import { noisePng } from '../../e2e/noise-png.ts';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, notRefused, type Received } from '../exchange.ts';
import { formWith } from '../form.ts';
import type { Target } from '../target.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const SCRIPT = 'alert(document.domain)//';

/** Files by what they try to be. */
const FILES: Readonly<Record<string, Uint8Array | string>> = {
  'a page': PAGE,
  'a page behind a space': ` \n${PAGE}`,
  'a page behind a byte order mark': `\uFEFF${PAGE}`,
  'a page in UTF-16': Buffer.from(`\uFEFF${PAGE}`, 'utf16le'),
  'a page of UTF-7': '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  'a page of XHTML': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`,
  'a script': SCRIPT,
  'a module': `export default ${SCRIPT}`,
  'a style sheet': '*{background:url(https://evil.example/)}',
  'a page behind a GIF': Buffer.concat([GIF, Buffer.from(PAGE)]),
  'a script in a GIF': hideInGif(GIF, `*/=1;${SCRIPT}`),
  'a script that begins as a GIF': `GIF89a=1;${SCRIPT}`,
  'a script that begins as a JPEG': Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(SCRIPT)]),
  'a script that begins as a PNG': Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    Buffer.from(SCRIPT),
  ]),
  'a script that begins as a RIFF': `RIFF\x00\x00\x00\x00WEBP${SCRIPT}`,
  'a page behind a PNG': Buffer.concat([noisePng(4, 4), Buffer.from(PAGE)]),
  'an archive behind a PNG': hideArchive(noisePng(4, 4), 'run.js', SCRIPT),
  'an archive': buildZip('../../../../tmp/evil.js', SCRIPT),
  'an archive of Java': buildZip('META-INF/MANIFEST.MF', 'Main-Class: Evil'),
  'a page in a PDF': buildPdfPage(),
  'a PDF that runs': '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF',
  'an enormous PNG': buildEnormousPng(),
  'a text bomb': buildTextBomb('zTXt', 64),
  'an international text bomb': buildTextBomb('iTXt', 64),
  'a picture bomb': buildPictureBomb(64),
  'an XML entity': '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
  'a style sheet of XML': '<?xml-stylesheet type="text/xsl" href="#"?><x/>',
  'a Flash film': 'FWS\x09\x00\x00\x00\x00',
  'a program of Linux': Buffer.from('7f454c4602010100', 'hex'),
  'a program of Windows': 'MZ\x90\x00',
  'a shell script': '#!/bin/sh\ntouch /tmp/evil\n',
  'a template': '{{constructor.constructor("alert(1)")()}}',
  'a web archive': 'MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>',
  'a shortcut': '[InternetShortcut]\r\nURL=javascript:alert(1)',
  'a manifest': '{"start_url":"https://evil.example/"}',
  'an MSL of ImageMagick': '<image><read filename="/etc/passwd"/></image>',
  'an MVG of ImageMagick': 'push graphic-context\nimage over 0,0 0,0 "https://evil.example/x"\n',
  'an EPS': '%!PS\n(/etc/passwd) (r) file\n',
  nothing: '',
  'one byte': '\x00',
  'a playlist': '#EXTM3U\n#EXTINF:1\nfile:///etc/passwd\n',
};
/** Names by what they claim to be. */
const NAMES = ['x.png', 'x.html', 'x.svg', 'x.js', 'x.png.html', 'x', 'x.xhtml', 'x.pdf'];
/** Types that browsers neither run nor show as a page. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)|(?:audio|video)\/[\w-]+|application\/(?:octet-stream|pdf))$/;

/** Names of fields and files that try to get out of the form, the folder or the header. */
const ODD_NAMES = [
  '../../../../etc/cron.d/x',
  '..\\..\\x.png',
  '/etc/passwd',
  'C:\\x.png',
  '%2e%2e%2fx.png',
  '..%2fx.png',
  '..%252fx.png',
  '.',
  '..',
  './x.png',
  'a/../x.png',
  'a//x.png',
  ' ',
  'x.png\u0000.html',
  'x\r\nset-cookie: a=b.png',
  'x\u202Egnp.html',
  'con.png',
  'x'.repeat(600),
  '.htaccess',
  '.env',
  'keys/master.key',
  '~/.ssh/authorized_keys',
  '__proto__',
  'constructor',
  "x'; drop table files; --.png",
  '<img src=x onerror=alert(1)>.png',
  '$(touch evil).png',
  '`touch evil`.png',
  '|touch evil',
  'x.png;.html',
  'x.png?.html',
  'x.png#.html',
];

/** URLs that a page must never have as an image's. */
const PORTRAITS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload="alert(1)"/>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:x',
  '//evil.example/x.png',
  '/storage/x"onerror="alert(1)',
  '/storage/x><script>alert(1)</script>',
  '/storage/\\evil.example',
  '/api/auth/logout',
  'x.png',
  '',
  ' ',
  'https://',
];

/** Attempts to have a file run in a reader's browser or in the server, or to leave its folder. */
export function hostileFiles(target: Target): AttackClass {
  let count = 0;
  const attempt = (what: string, path: string, bytes: Uint8Array | string): Attempt => ({
    what,
    async run() {
      count += 1;
      const file = { name: path.slice(0, 200).replace(/[\r\n"\0]/g, '_'), bytes, type: 'text/html' };
      const sent = formWith(
        '/api/storage/journal/upload',
        { path: path.replace('{n}', String(count)) },
        file,
      );
      return judge(target, await target.send(target.attackers.author, sent));
    },
  });
  const files = pairs(Object.entries(FILES), NAMES).map(([[what, bytes], name]) =>
    attempt(`${what} as ${name}`, `attack/{n}/${name}`, bytes),
  );
  const svgs = pairs([...DISARMED, ...REFUSED], ['x.svg', 'x.png', 'x.html']).map(([{ what, svg }, name]) =>
    attempt(`an SVG with ${what} as ${name}`, `attack/{n}/${name}`, svg),
  );
  const names = pairs(ODD_NAMES, ['', 'attack/{n}/']).map(([name, folder]) =>
    attempt(
      `the name ${JSON.stringify(name.slice(0, 40))} in ${folder || 'no folder'}`,
      folder + name,
      noisePng(4, 4),
    ),
  );
  const documents = pairs(Object.entries(FILES), ['x.pdf', 'x.docx', 'x.html', 'x.txt']).map(
    ([[what, bytes], name]): Attempt => ({
      what: `${what} read as the document ${name}`,
      run: async () => {
        const sent = formWith('/api/data/journal/extract-from-blob', {}, { name, bytes });
        const received = await target.send(target.attackers.author, sent);
        return received.text.includes('root:') ? 'it read a file of the machine' : faultOf(received, 20_000);
      },
    }),
  );
  const portraits = PORTRAITS.map(
    (photoURL): Attempt => ({
      what: `the portrait ${photoURL.slice(0, 60)}`,
      run: async () =>
        notRefused(
          await target.send(target.attackers.author, {
            method: 'PATCH',
            path: '/api/auth/me',
            body: { photoURL },
          }),
          [400],
        ),
    }),
  );
  return {
    name: 'hostile files',
    attempts: [...files, ...svgs, ...names, ...documents, ...portraits],
    concurrency: 4,
  };
}

/** Looks at what the server made of a file: refused, or stored so that no browser runs it. */
async function judge(target: Target, received: Received): Promise<string | undefined> {
  const fault = faultOf(received, 20_000);
  if (fault !== undefined || received.status >= 400) return fault;
  const { publicUrl, path } = JSON.parse(received.text) as UploadResponse & { path: string };
  if (/(?:^|\/)\.{1,2}(?:\/|$)|^\/|\\|\0/.test(path)) return `it is stored as ${path}`;
  const { pathname, search } = new URL(publicUrl, target.url);
  const served = await target.send(undefined, { path: pathname + search });
  const { headers, text } = served;
  const type = String(headers['content-type']);
  if (served.status !== 200) return `it is served with ${served.status}`;
  if (!HARMLESS.test(type)) return `it is served as ${type}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'browsers may guess its type';
  if (!/default-src 'none'.*sandbox/.test(String(headers['content-security-policy'])))
    return 'it has no sandbox';
  const isShown = String(headers['content-disposition']).startsWith('inline');
  if (isShown && !/^(?:image|audio|video)\//.test(type)) return `${type} is shown in place`;
  if (type.startsWith('image/') && /alert\(|evil\.example|<script/i.test(text)) {
    return 'the image still holds what was hidden in it';
  }
  return undefined;
}
