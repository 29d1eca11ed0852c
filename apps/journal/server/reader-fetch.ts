import type { IncomingMessage } from 'node:http';
import type { Backend, SharedResponse } from '@fabrica/backend';

/** Holds the parts of a request that a page needs. `header` reads what Node has parsed, without a `Headers` object. */
export interface PageRequest {
  method: string;
  url: string;
  header(name: string): string | undefined;
  /** Node's own request, where there is one, which knows the client's IP address. */
  incoming?: IncomingMessage | undefined;
  /** Says that the response is the same for all readers without a session. */
  share?(shared: SharedResponse): void;
  /** The encoded fields of a form; `undefined` for GET and HEAD. */
  form?: string;
}

/** These headers identify the reader beside the socket, by proxies, the browser and its cookies. */
const READER_HEADERS = ['user-agent', 'x-forwarded-for', 'cookie'];

interface ReaderFetchOptions {
  backend: Pick<Backend, 'fetch'>;
  /** Gets the Set-Cookie headers of the calls, for the reader's browser. */
  setCookies: string[];
  request: Pick<PageRequest, 'header' | 'incoming'>;
}

/**
 * Returns a `fetch` for the calls that a reader's form causes within the process. They count as the reader's own: rate
 * limits and the name of a session's device depend on the sender of the form.
 */
export function readerFetch({ backend, request, setCookies }: ReaderFetchOptions): typeof fetch {
  return async (input, init) => {
    const call = new Request(input, init);
    for (const name of READER_HEADERS) {
      const value = request.header(name);
      if (value !== undefined) call.headers.set(name, value);
    }
    const response = await backend.fetch(call, { incoming: request.incoming });
    setCookies.push(...response.headers.getSetCookie());
    return response;
  };
}
