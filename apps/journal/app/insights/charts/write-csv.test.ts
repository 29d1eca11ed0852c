import { writeCsv } from '@fabrica/contract';
import { expect, it } from 'vitest';

it('a CSV file starts with a byte order mark, and each of its lines ends with CR LF', () => {
  expect(writeCsv(['Seite', 'Aufrufe'], [['Das Übel', 12]])).toBe('\uFEFFSeite,Aufrufe\r\nDas Übel,12\r\n');
});

it.each([
  ['The eye, the ear', '"The eye, the ear"'],
  ['“Quoted” "twice"', '"“Quoted” ""twice"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("https://evil.example")', '"\'=HYPERLINK(""https://evil.example"")"'],
  ['+49 30', "'+49 30"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tcmd', "'\tcmd"],
  ['\rcmd', '"\'\rcmd"'],
  ['\ncmd', '"\'\ncmd"'],
  ['＝1+1', "'＝1+1"],
  ['a=b', 'a=b'],
  ['', '""'],
])('the text %j is written to CSV as %j', (text, written) => {
  expect(writeCsv(['a'], [[text]])).toBe(`\uFEFFa\r\n${written}\r\n`);
});

it('a negative number is written to CSV without an apostrophe, and null as an empty cell', () => {
  expect(writeCsv(['a', 'b'], [[-1, null]])).toBe('\uFEFFa,b\r\n-1,\r\n');
});
