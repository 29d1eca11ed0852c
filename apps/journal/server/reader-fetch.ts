import type { Backend } from '@fabrica/backend';
import type { PageRequest } from './pages.ts';

/** What tells of the reader beyond the socket: through which proxies, with which browser, and what that was bound to. */
const OF_THE_READER = ['user-agent', 'x-forwarded-for', 'cookie'];

export interface ReaderFetchOptions {
  backend: Pick<Backend, 'fetch'>;
  request: Pick<PageRequest, 'header' | 'incoming'>;
}

/**
 * Calls within the process that a form of the reader's asks for. They count as the reader's own: rate limits and the
 * name of a session's device go by who sent the form.
 */
export function readerFetch({ backend, request }: ReaderFetchOptions): typeof fetch {
  return (input, init) => {
    const call = new Request(input, init);
    for (const name of OF_THE_READER) {
      const value = request.header(name);
      if (value !== undefined) call.headers.set(name, value);
    }
    return backend.fetch(call, { incoming: request.incoming });
  };
}
