import { expect, it } from 'vitest';
import { readWantedLikes, wantedLikesCookie } from './wanted-likes.ts';

it('likes that could not be given yet are read back from their cookie, each once', () => {
  const likes = [
    { kind: 'post', id: 'post_1' },
    { kind: 'comment', id: 'comment_2-x' },
    { kind: 'post', id: 'post_1' },
  ] as const;
  const cookie = wantedLikesCookie(likes).split(';')[0];
  expect(readWantedLikes(`fabrica_language=de; ${cookie}`)).toEqual(likes.slice(0, 2));
  expect(wantedLikesCookie([])).toContain('Max-Age=0');
});

it('a cookie that somebody wrote by hand names nothing but posts and comments, and ten at most', () => {
  expect(readWantedLikes(undefined)).toEqual([]);
  expect(readWantedLikes('fabrica_likes=user:1.post:.post:a/b.post:../x.post:a%20b.comment:ok.:')).toEqual([
    { kind: 'comment', id: 'ok' },
  ]);
  const many = Array.from({ length: 50 }, (_, index) => `post:${index}`).join('.');
  expect(readWantedLikes(`fabrica_likes=${many}`)).toHaveLength(10);
});
