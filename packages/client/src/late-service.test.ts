import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from './index.ts';

const CODE = './data-client.ts';

afterEach(() => {
  vi.doUnmock(CODE);
});

it('a service whose code could not be loaded says so, and is loaded by the next call', async () => {
  let isUnavailable = true;
  vi.doMock(CODE, () => {
    if (isUnavailable) throw new TypeError('Failed to fetch dynamically imported module');
    return { createDataClient: () => ({ search: async (query: string) => ({ query }) }) };
  });
  const client = createClient({ projectId: 'journal', origin: 'http://journal.example' });
  await expect(client.data.search('atlas')).rejects.toMatchObject({ name: 'NetworkError', status: null });
  isUnavailable = false;
  expect(await client.data.search('atlas')).toEqual({ query: 'atlas' });
});
