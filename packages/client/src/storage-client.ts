import {
  fileTooLargeMessage,
  MAX_UPLOAD_BYTES,
  type RemoveResponse,
  type UploadResponse,
} from '@fabrica/contract';
import { StorageError } from './http/errors.ts';
import { type HttpClient, parseBody } from './http/http.ts';
import { createXhrTransport } from './http/xhr-transport.ts';

export interface UploadOptions {
  /** Overwrites the caller's own file at that path. */
  upsert?: boolean | undefined;
  /** Stores an image that browsers do not show (HEIC, TIFF) as a JPEG or PNG in its place. */
  convert?: boolean | undefined;
  /** Is called with the uploaded part, from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface DownloadResponse {
  downloadUrl: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

export interface StorageClient {
  /**
   * Uploads a file. Throws a StorageError: PAYLOAD_TOO_LARGE over 50 MB, FILE_EXISTS without `upsert`,
   * VALIDATION_FAILED, …
   */
  upload(file: Blob, path: string, options?: UploadOptions): Promise<UploadResponse>;
  /** Returns the URL of a file. Throws FILE_NOT_FOUND. */
  download(path: string): Promise<DownloadResponse>;
  remove(...paths: string[]): Promise<RemoveResponse>;
}

/** Creates the client of storage. It checks the rules of docs/spec/product.md section 5 before it sends anything. */
export function createStorageClient({
  http,
  projectId,
}: {
  http: HttpClient;
  projectId: string;
}): StorageClient {
  const base = `/api/storage/${encodeURIComponent(projectId)}`;
  return {
    async upload(file, path, { upsert = false, convert, onProgress, signal } = {}) {
      requireFile(file);
      requirePath(path);
      const form = new FormData();
      // The file comes last, so that the server knows the path before the bytes arrive.
      form.append('path', path);
      form.append('options', JSON.stringify({ upsert, convert }));
      form.append('file', file, file instanceof File ? file.name : (path.split('/').pop() ?? path));
      const hasProgress = onProgress && typeof XMLHttpRequest !== 'undefined';
      const transport = hasProgress ? createXhrTransport(onProgress) : undefined;
      const response = await http.request({
        service: 'storage',
        method: 'POST',
        path: `${base}/upload`,
        form,
        signal,
        transport,
      });
      const uploaded = parseBody<UploadResponse>(response, 'publicUrl');
      onProgress?.(1);
      return uploaded;
    },
    async download(path) {
      requirePath(path);
      const query = new URLSearchParams({ path });
      const response = await http.request({
        service: 'storage',
        method: 'GET',
        path: `${base}/download`,
        query,
      });
      return parseBody<DownloadResponse>(response, 'downloadUrl');
    },
    async remove(...paths) {
      if (paths.length === 0) throw new StorageError('VALIDATION_FAILED', 'At least one path is required.');
      for (const path of paths) requirePath(path);
      const response = await http.request({
        service: 'storage',
        method: 'DELETE',
        path: `${base}/remove`,
        json: { paths },
      });
      return parseBody<RemoveResponse>(response, 'removed');
    },
  };
}

function requireFile(file: unknown): void {
  if (!(file instanceof Blob)) throw new StorageError('VALIDATION_FAILED', 'A file is required.');
  if (file.size > MAX_UPLOAD_BYTES)
    throw new StorageError('PAYLOAD_TOO_LARGE', fileTooLargeMessage(file.size));
}

function requirePath(path: unknown): void {
  if (typeof path !== 'string' || !path.trim()) {
    throw new StorageError('INVALID_PATH', 'The path must be a non-empty string.');
  }
}
