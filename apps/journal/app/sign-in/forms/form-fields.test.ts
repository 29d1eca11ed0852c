import { expect, it } from 'vitest';
import { parseCode } from './form-fields.ts';

it.each([
  ['without separators', '012345'],
  ['in two groups', '012 345'],
  ['with a space before and after', ' 012345 '],
  ['with a line end', '012345\r\n'],
  ['with a space that does not break', '012\u00a0345'],
  ['with a dash', '012-345'],
  ['with a long dash', '012–345'],
  ['with invisible marks', '\u200b012345\u200e'],
  ['digit by digit', '0 1 2 3 4 5'],
  ['in the wide digits of an Asian keyboard', '０１２３４５'],
])('the code of a mail is read when it is typed %s', (_, typed) => {
  expect(parseCode(typed)).toBe('012345');
});

it('a code of eight digits is read', () => {
  expect(parseCode('0123 4567')).toBe('01234567');
});

it.each([
  ['nothing', ''],
  ['five digits', '01234'],
  ['seven digits', '0123456'],
  ['a letter in place of a digit', 'O12345'],
  ['an exponent', '1e2345'],
  ['a sign', '+12345'],
])('no code is read from %s', (_, typed) => {
  expect(parseCode(typed)).toBeNull();
});
