import { expect, test } from 'vitest';
import { createDeskClient } from './desk-client.ts';

test('any number of posts is deleted, no more at once than the server takes', async () => {
  const sent: number[] = [];
  const desk = createDeskClient({
    projectId: 'journal',
    async request({ path, json }) {
      expect(path).toBe('/api/desk/journal/posts/delete');
      const { ids } = json as { ids: string[] };
      sent.push(ids.length);
      return { results: ids.map((id) => ({ id, error: null })) };
    },
  });
  const ids = Array.from({ length: 230 }, (_, number) => `post_${number}`);
  expect((await desk.remove(ids)).map(({ id }) => id)).toEqual(ids);
  expect(sent).toEqual([100, 100, 30]);
});
