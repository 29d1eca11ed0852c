import type { Backend } from '@fabrica/backend';
import type { PageRequest } from './pages.ts';

/** These headers identify the reader beside the socket, by proxies, the browser and its cookies. */
const READER_HEADERS = ['user-agent', 'x-forwarded-for', 'cookie'];

export interface ReaderFetchOptions {
  backend: Pick<Backend, 'fetch'>;
  request: Pick<PageRequest, 'header' | 'incoming'>;
}

/**
 * Returns a `fetch` for the calls that a reader's form causes within the process. They count as the reader's own: rate
 * limits and the name of a session's device depend on the sender of the form.
 */
export function readerFetch({ backend, request }: ReaderFetchOptions): typeof fetch {
  return (input, init) => {
    const call = new Request(input, init);
    for (const name of READER_HEADERS) {
      const value = request.header(name);
      if (value !== undefined) call.headers.set(name, value);
    }
    return backend.fetch(call, { incoming: request.incoming });
  };
}
