import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PictureSite {
  /** Its files, by their paths. */
  files: Map<string, Uint8Array>;
  /** Answers what is no file. */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths that were asked for, oldest first. */
  asked: string[];
  /** PEM: who takes this one, believes the site. */
  certificate: string;
  at(path: string): string;
  close(): Promise<void>;
}

/** A site on this machine that speaks HTTPS under a name, with a certificate that openssl makes for it. */
export async function startPictureSite(name: string): Promise<PictureSite> {
  const { key, certificate } = certify(name);
  const files = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const file = files.get(path.replace(/\?.*/, ''));
    if (file) response.end(file);
    else site.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: PictureSite = {
    files,
    handler: (_, response) => void response.writeHead(404).end(),
    asked,
    certificate,
    at: (path) => `https://${name}:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

function certify(name: string): { key: string; certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-site-'));
  const [keyPath, certificatePath] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
        ...['-keyout', keyPath, '-out', certificatePath],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(keyPath, 'utf8'), certificate: readFileSync(certificatePath, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
