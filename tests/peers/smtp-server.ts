/**
 * A real SMTP server on loopback that keeps what it is given, for tests: `const smtp = await startSmtpServer()`,
 * then `SMTP_URL = smtp.url`.
 */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** Of the envelope: whom it was delivered to, with commas between them. */
  to: string;
  /** Of the envelope. */
  from: string;
  subject: string;
  text: string;
  html: string;
  /** By name in lower case, unfolded, and decoded where they are encoded words. */
  headers: Record<string, string>;
  attachments: { filename: string; type: string; content: Buffer }[];
  /** It came over TLS. */
  secure: boolean;
}

export interface TestSmtpServer {
  /** As SMTP_URL takes it. */
  url: string;
  /** What was taken so far, oldest first. */
  messages(): ReceivedMail[];
  /** The first mail that fits, also one that is still to come. Throws when there is none in time. */
  waitFor(predicate: (mail: ReceivedMail) => boolean, timeoutMs?: number): Promise<ReceivedMail>;
  /** Answers this code to the next so many recipients; 4xx is "not now", 5xx is "never". */
  refuse(times: number, responseCode: number): void;
  /** Recipients it was asked to deliver to, refused ones too. */
  asked(): number;
  /** Clients that ever connected. */
  connections(): number;
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  /** Default: a free one. */
  port?: number;
  /** Default: none. The certificate is nobody's: clients trust it when the address ends in `?tls.rejectUnauthorized=false`. */
  tls?: 'none' | 'starttls' | 'from-the-start';
  /** Wants this name and password. */
  login?: { user: string; password: string };
}

export async function startSmtpServer({
  port = 0,
  tls = 'none',
  login,
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  let asked = 0;
  let connections = 0;
  let refusal = { times: 0, responseCode: 451 };
  const server = new SMTPServer({
    secure: tls === 'from-the-start',
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    disableReverseLookup: true,
    closeTimeout: 500,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error('Wrong name or password'));
    },
    onRcptTo({ address }, _session, done) {
      asked += 1;
      if (refusal.times <= 0) return done();
      refusal.times -= 1;
      done(Object.assign(new Error(`<${address}> told to fail`), { responseCode: refusal.responseCode }));
    },
    onData(stream, { envelope, secure }, done) {
      buffer(stream).then((bytes) => {
        received.push({
          ...parseMail(bytes.toString('latin1')),
          to: envelope.rcptTo.map(({ address }) => address).join(', '),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          secure,
        });
        done();
      }, done);
    },
  });
  server.on('connect', () => {
    connections += 1;
  });
  // Each connection would wait 100 ms for clients that talk too soon; ours do not, and tests open hundreds.
  const add = server.connections.add.bind(server.connections);
  server.connections.add = (connection) => {
    connection.init = () => connection._setListeners(() => connection.connectionReady());
    return add(connection);
  };
  // A client that leaves in the middle is an error here; what its test makes of it is seen elsewhere.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const scheme = tls === 'from-the-start' ? 'smtps' : 'smtp';
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  return {
    url: `${scheme}://${credentials}127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    messages: () => [...received],
    async waitFor(predicate, timeoutMs = 10_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const mail = received.find(predicate);
        if (mail) return mail;
        if (Date.now() > end) throw new Error(`No such mail among the ${received.length} that came.`);
        await wait(20);
      }
    },
    refuse(times, responseCode) {
      refusal = { times, responseCode };
    },
    asked: () => asked,
    connections: () => connections,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

interface Part {
  headers: Record<string, string>;
  /** A character a byte. */
  body: string;
}

/** Knows what our mails are made of: UTF-8, text and HTML as alternatives, attachments, quoted-printable or base64. */
function parseMail(
  source: string,
): Pick<ReceivedMail, 'subject' | 'text' | 'html' | 'headers' | 'attachments'> {
  const mail = parsePart(source);
  const parts = splitParts(mail);
  const contentOf = (type: string) => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type));
    return part ? decodeBody(part) : '';
  };
  return {
    subject: mail.headers.subject ?? '',
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
    headers: mail.headers,
    attachments: parts.flatMap(({ headers, body }) => {
      const { 'content-disposition': disposition = '', 'content-type': type = '' } = headers;
      if (!disposition) return [];
      const filename = /filename="?([^";]+)/.exec(
        `${disposition}; ${type.replace('name=', 'filename=')}`,
      )?.[1];
      const encoding = headers['content-transfer-encoding'];
      const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(body, 'latin1');
      return [{ filename: filename ?? '', type: type.split(';')[0] ?? '', content: bytes }];
    }),
  };
}

function parsePart(source: string): Part {
  const [, head = '', body = ''] = /^([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(source) ?? [];
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), decodeWords(value)];
  });
  return { headers: Object.fromEntries(headers), body };
}

function splitParts(part: Part): Part[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/.exec(part.headers['content-type'] ?? '')?.[1];
  if (!boundary) return [part];
  const sections = `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return sections.map((section) => parsePart(section.replace(/^\r\n/, ''))).flatMap(splitParts);
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  const bytes = encoding === 'quoted-printable' ? decodeEscapes(body.replaceAll('=\r\n', '')) : body;
  const content = Buffer.from(bytes, encoding === 'base64' ? 'base64' : 'latin1');
  return content.toString('utf8').replaceAll('\r\n', '\n');
}

/** RFC 2047: `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=`. Blanks between two such words are no part of the text. */
function decodeWords(value: string): string {
  return Buffer.from(value, 'latin1')
    .toString('utf8')
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : Buffer.from(decodeEscapes(text.replaceAll('_', ' ')), 'latin1').toString('utf8'),
    );
}

function decodeEscapes(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
