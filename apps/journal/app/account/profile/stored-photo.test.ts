import { expect, it } from 'vitest';
import { ownPhoto } from './stored-photo.ts';

it('shows a photo of our storage, and knows its path', () => {
  const photo = '/storage/journal/avatars/user%201-2.png?v=ab';
  expect(ownPhoto(photo)).toEqual({
    src: '/storage/journal/avatars/user%201-2.png?v=ab',
    path: 'avatars/user 1-2.png',
  });
});

it.each([
  null,
  'not an address',
  'https://evil.example/storage/journal/avatars/1.png',
  '//evil.example/storage/journal/avatars/1.png',
  '/storage/journal/avatars/%ff.png',
  '/avatars/1.png',
])('knows no own photo in %s', (address) => {
  expect(ownPhoto(address)).toBeUndefined();
});
