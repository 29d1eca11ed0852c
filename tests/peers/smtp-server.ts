/**
 * A real SMTP server on loopback that keeps the mails it receives: `const smtp = await startSmtpServer()`, then
 * `SMTP_URL = smtp.url`.
 */
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the envelope, separated by commas. */
  to: string;
  /** The sender of the envelope. */
  from: string;
  subject: string;
  text: string;
  html: string;
  /** The headers by their names in lower case, unfolded, with encoded words decoded. */
  headers: Record<string, string>;
  attachments: { filename: string; type: string; content: Buffer }[];
  /** Whether it came over TLS. */
  secure: boolean;
}

export interface TestSmtpServer {
  /** The value of SMTP_URL. */
  url: string;
  /** Returns the mails received so far, oldest first. */
  messages(): ReceivedMail[];
  /** Returns the first mail that matches, and waits for it if there is none yet. Throws when the time is up. */
  waitFor(predicate: (mail: ReceivedMail) => boolean, timeoutMs?: number): Promise<ReceivedMail>;
  /** Rejects the next recipients with this code: 4xx for now, 5xx for good. */
  refuse(times: number, responseCode: number): void;
  /** Returns the number of recipients so far, rejected ones included. */
  recipients(): number;
  /** Returns the number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface SmtpServerOptions {
  /** Default: a free port. */
  port?: number;
  /** Default: none. Clients accept its self-signed certificate with `?tls.rejectUnauthorized=false` in the URL. */
  tls?: 'none' | 'starttls' | 'from-the-start';
  /** The required name and password. */
  login?: { user: string; password: string };
}

export async function startSmtpServer({
  port = 0,
  tls = 'none',
  login,
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  let recipients = 0;
  let connections = 0;
  let rejection = { times: 0, responseCode: 451 };
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
      recipients += 1;
      if (rejection.times <= 0) return done();
      rejection.times -= 1;
      done(Object.assign(new Error(`<${address}> rejected`), { responseCode: rejection.responseCode }));
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
  // Each connection would wait 100 ms for clients that send too early. Tests open hundreds of connections.
  const add = server.connections.add.bind(server.connections);
  server.connections.add = (connection) => {
    connection.init = () => connection._setListeners(() => connection.connectionReady());
    return add(connection);
  };
  // A client that disconnects in the middle is an error here, which its test checks on the other side.
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
    async waitFor(predicate, timeoutMs = 30_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const mail = received.find(predicate);
        if (mail) return mail;
        if (Date.now() > end) throw new Error(`None of the ${received.length} received mails matches.`);
        await wait(20);
      }
    },
    refuse(times, responseCode) {
      rejection = { times, responseCode };
    },
    recipients: () => recipients,
    connections: () => connections,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

interface Part {
  headers: Record<string, string>;
  /** One character for each byte. */
  body: string;
}

/** Parses what our mails consist of: UTF-8, text and HTML as alternatives, attachments, quoted-printable or base64. */
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

/** Decodes words such as `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=` (RFC 2047), without the blanks between two of them. */
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
