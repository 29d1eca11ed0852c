import { expect, it } from 'vitest';
import { creditsOf } from '../present-post.ts';
import { authorsOf } from './author-mark.tsx';

it('an author of a byline is known by the account once it accepts, and by the name before', () => {
  const byline = JSON.stringify([{ name: 'Bea', role: 'author', userId: 'bea' }]);
  const authors = (accepted: readonly string[]) =>
    authorsOf({ userId: 'ada', ...creditsOf({ byline }, null, new Set(accepted)) });
  expect(authors([])).toEqual({ ids: new Set(['ada']), asked: new Set(['bea']), names: ['Bea'] });
  expect(authors(['bea'])).toEqual({ ids: new Set(['ada', 'bea']), asked: new Set(), names: ['Bea'] });
});
