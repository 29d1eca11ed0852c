import type { Context } from 'hono';
import type { Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { BlobStore } from './blob-store.ts';
import { parseByteRange } from './byte-range.ts';
import { presentContentDisposition } from './content-disposition.ts';
import { fileName } from './file-path.ts';
import { isShownInline } from './media-type.ts';
import { fileVersion, parsePublicAddress } from './public-address.ts';
import { findFile, type StoredFile } from './queries.ts';

/** Nothing that a file brings along runs or loads, even when it is opened by itself. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const YEAR_SECONDS = 31_536_000;

export interface FileSource {
  projects: ReadonlyMap<string, Project>;
  blobs: BlobStore;
}

/**
 * `GET` and `HEAD` of `/storage/{projectId}/{path}`: the file, whole or in part, open to everyone. With
 * `?download=name` it is saved under that name.
 */
export async function serveFile(c: Context, { projects, blobs }: FileSource): Promise<Response> {
  const { file, project } = await requireFile(c.req.url, projects);
  const headers = presentHeaders(c, file);
  const tag = headers.get('etag') ?? '';
  if (matches(c.req.header('if-none-match'), tag)) return new Response(null, { status: 304, headers });

  const ifRange = c.req.header('if-range');
  const range = ifRange && ifRange !== tag ? undefined : parseByteRange(c.req.header('range'), file.size);
  if (range === null) {
    return new Response(null, {
      status: 416,
      headers: {
        'content-range': `bytes */${file.size}`,
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
      },
    });
  }
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : file.size));
  const status = range ? 206 : 200;
  // A body that nobody reads would keep the file open.
  if (c.req.raw.method === 'HEAD') return new Response(null, { status, headers });
  const body = await blobs.read(file.blob, range);
  if (!body) throw new Error(`The bytes of ${project.definition.id}/${file.path} are gone.`);
  return new Response(body, { status, headers });
}

async function requireFile(address: string, projects: FileSource['projects']) {
  const named = parsePublicAddress(address);
  const project = named && projects.get(named.projectId);
  const file = project && (await findFile(project.database, named.path));
  if (!file) throw new ServiceError('FILE_NOT_FOUND', 'File not found');
  return { file, project };
}

function presentHeaders(c: Context, file: StoredFile): Headers {
  const { content_type: contentType, hash, path } = file;
  const download = c.req.query('download');
  const isCurrentVersion = c.req.query('v') === fileVersion(hash);
  const disposition = isShownInline(contentType) && download === undefined ? 'inline' : 'attachment';
  return new Headers({
    'content-type': contentType,
    'content-disposition': presentContentDisposition(disposition, download || fileName(path)),
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    etag: `"${hash.slice(0, 32)}"`,
    'last-modified': new Date(file.updated_at).toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': isCurrentVersion ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
  });
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(',').some((candidate) => {
    const plain = candidate.trim();
    return plain === '*' || plain.replace(/^W\//, '') === tag;
  });
}
