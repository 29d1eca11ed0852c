import type { SignInMethod } from '@fabrica/contract';
import { expect, it } from 'vitest';
import { messages } from '../../../messages/en/index.ts';
import { describeMethod } from './describe-sign-in-method.ts';

it.each<[SignInMethod, string]>([
  ['password', 'With a password'],
  ['magic-link', 'With a link or code from a mail'],
  ['hand-over', 'Handed over by another device'],
  ['provider:google', 'With Google'],
  ['provider:github', 'With GitHub'],
])('says how a session began: %s', (method, words) => {
  expect(describeMethod(method, messages)).toBe(words);
});
