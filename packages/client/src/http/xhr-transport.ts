import type { Transport } from './http.ts';

/** Returns a transport that uses XMLHttpRequest, because `fetch` reports no upload progress. */
export function createXhrTransport(onProgress: (fraction: number) => void): Transport {
  return (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      };
      request.onload = () => {
        const type = request.getResponseHeader('content-type') ?? '';
        const text = request.status === 204 ? null : request.responseText;
        resolve(new Response(text, { status: request.status, headers: { 'content-type': type } }));
      };
      request.onerror = () => reject(new TypeError('The request failed.'));
      request.onabort = () => reject(signal?.reason);
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) reject(signal.reason);
      else request.send(body instanceof FormData ? body : null);
    });
}
