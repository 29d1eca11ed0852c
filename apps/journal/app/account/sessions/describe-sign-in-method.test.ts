import type { SignInMethod } from '@fabrica/contract';
import { expect, it } from 'vitest';
import { messages } from '../../../messages/en/index.ts';
import { describeSignInMethod } from './describe-sign-in-method.ts';

it.each<[SignInMethod, string]>([
  ['password', 'With a password'],
  ['magic-link', 'With a link or code from a mail'],
  ['hand-over', 'Handed over by another device'],
  ['provider:google', 'With Google'],
  ['provider:github', 'With GitHub'],
])('the sign-in method %s is described as %j', (method, words) => {
  expect(describeSignInMethod(method, messages)).toBe(words);
});
