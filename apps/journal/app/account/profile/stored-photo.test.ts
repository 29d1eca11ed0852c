import { expect, it } from 'vitest';
import { findStoredPhoto } from './stored-photo.ts';

it('a photo URL in the journal’s storage gives the photo’s source and path', () => {
  const photo = '/storage/journal/avatars/user%201-2.png?v=ab';
  expect(findStoredPhoto(photo)).toEqual({
    src: '/storage/journal/avatars/user%201-2.png?v=ab',
    path: 'avatars/user 1-2.png',
  });
});

it.each([
  null,
  'not a URL',
  'https://evil.example/storage/journal/avatars/1.png',
  '//evil.example/storage/journal/avatars/1.png',
  '/storage/journal/avatars/%ff.png',
  '/avatars/1.png',
])('the photo URL %s does not lead to the journal’s storage', (photoUrl) => {
  expect(findStoredPhoto(photoUrl)).toBeUndefined();
});
