import { Writable } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';

export interface RenderOptions {
  nonce: string;
  reportFailure(error: unknown): void;
}

/** Renders a page of which parts wait for what they show. Its HTML has a character for each byte. */
export function renderInParts(
  page: ReactNode,
  { nonce, reportFailure }: RenderOptions,
): Promise<{ html: string; failed: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ html: string; failed: boolean }>();
  let failed = false;
  const { pipe } = renderToPipeableStream(page, {
    // A part that is large would come at the end, and need a script to be put into its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    nonce,
    onAllReady() {
      const chunks: Uint8Array[] = [];
      const document = new Writable({
        write(chunk: Uint8Array, _, done) {
          chunks.push(chunk);
          done();
        },
        final(done) {
          resolve({ html: Buffer.concat(chunks).toString('latin1'), failed });
          done();
        },
      });
      pipe(document.once('error', reject));
    },
    onShellError: reject,
    onError(error) {
      failed = true;
      reportFailure(error);
    },
  });
  return promise;
}
