import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ImageSite {
  /** Its files by their paths. */
  files: Map<string, Uint8Array>;
  /** Responds to requests for paths without a file. */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** The requested paths, oldest first. */
  requested: string[];
  /** The site's certificate in PEM, for a client that is to trust it. */
  certificate: string;
  /** Returns the URL of a path. */
  at(path: string): string;
  close(): Promise<void>;
}

/** Starts a site on this machine that speaks HTTPS under a name, with a certificate that openssl makes for it. */
export async function startImageSite(name: string): Promise<ImageSite> {
  const { key, certificate } = certify(name);
  const files = new Map<string, Uint8Array>();
  const requested: string[] = [];
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const file = files.get(path.replace(/\?.*/, ''));
    if (file) response.end(file);
    else site.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: ImageSite = {
    files,
    handler: (_, response) => void response.writeHead(404).end(),
    requested,
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
