import { expect, test } from 'vitest';
import { initialsOf } from './portrait.tsx';

test.each([
  ['Dr Ada Byron', 'AB'],
  ['Inès Vautrin', 'IV'],
  ['Inès Vautrin, illustrator', 'IV'],
  ['Ana P.', 'AP'],
  ['étienne', 'É'],
  ['Dr', 'D'],
  ['李小龙', '李'],
  ['42', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
