import { describe, expect, it } from 'vitest';
import { parseCode } from './form-fields.ts';

describe('the code of a mail, as people enter it', () => {
  it.each([
    ['as it is', '012345'],
    ['in two groups', '012 345'],
    ['with a space before and after', ' 012345 '],
    ['with the line’s end', '012345\r\n'],
    ['with a space that does not break', '012\u00a0345'],
    ['with a dash', '012-345'],
    ['with a long dash', '012–345'],
    ['with a mark that nobody sees', '\u200b012345\u200e'],
    ['digit by digit', '0 1 2 3 4 5'],
    ['in the wide digits of an Asian keyboard', '０１２３４５'],
  ])('is read %s', (_, typed) => {
    expect(parseCode(typed)).toBe('012345');
  });

  it.each([
    ['nothing', ''],
    ['five digits', '01234'],
    ['seven digits', '0123456'],
    ['a letter in place of a digit', 'O12345'],
    ['a number that is none', '1e2345'],
    ['a sign', '+12345'],
  ])('is not there in %s', (_, typed) => {
    expect(parseCode(typed)).toBeNull();
  });
});
