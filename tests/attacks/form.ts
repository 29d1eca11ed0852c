import { randomBytes } from 'node:crypto';
import type { Sent } from './exchange.ts';

export interface FormFile {
  name: string;
  bytes: Uint8Array | string;
  type?: string;
}

/** Returns a request with a form of these fields and a file, written byte by byte: names may hold anything. */
export function formWith(path: string, fields: Readonly<Record<string, string>>, file: FormFile): Sent {
  const boundary = randomBytes(12).toString('hex');
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`;
  return {
    method: 'POST',
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(parts.join('') + head),
      Buffer.from(file.bytes),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}
