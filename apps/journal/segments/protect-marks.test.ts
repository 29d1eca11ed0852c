import { expect, it } from 'vitest';
import { chooseSign, protectMarks } from './protect-marks.ts';

const of = (text: string, keep: string[] = []) => protectMarks(text, { sign: chooseSign([text]), keep });

it.each([
  ['See [the book](https://a.example/x "Title") of it.[^1]', 'See <1>the book</1> of it.<2/>'],
  ['A ![heart](/heart.png) and **[bold *words*](/a)**', 'A <1>heart</1> and **<2>bold *words*</2>**'],
  ['It is so :cite[a1] at https://a.example/b, and <https://c.example>.', 'It is so <1/> at <2/>, and <3/>.'],
  ['Read [it][book] and CO:sub[2]', 'Read <1>it</1> and CO:sub[2]'],
  ['If 2 <3/> is written [so](/a)', 'If 2 <3/> is written <x1>so</x1>'],
])('%j is given to a model as %j, and comes back as it was', (text, given) => {
  const made = of(text);
  expect(made.text).toBe(given);
  expect(made.restore(made.text)).toEqual({ text });
});

it('what stays is put back where the translation has it, in whichever order and case that is', () => {
  const made = of('Aspirin is in [the book](/b).[^1]', ['aspirin']);
  expect(made.text).toBe('<1>Aspirin</1> is in <2>the book</2>.<3/>');
  expect(made.restore('Im <2>Buch</2><3></3> steht <1>Aspirina</1>.')).toEqual({
    text: 'Im [Buch](/b)[^1] steht Aspirin.',
  });
});

it.each([
  ['<1>Aspirin mit <2>Wasser</2></1><3/>', ['<1>Aspirin mit <2>Wasser</2></1>']],
  ['<1>Aspirin nicht</1> <2>nehmen</2><3/>', ['<1>Aspirin nicht</1>']],
  ['<1>Aspirin 5</1> <2>nehmen</2><3/>', ['<1>Aspirin 5</1>']],
  ['<1>Ibuprofen</1> <2>nehmen</2><3/>', ['<1>Ibuprofen</1>']],
])('words to keep swallow nothing: in %j, it is said that %j was added', (translation, added) => {
  expect(of('Take Aspirin with [water](/w).[^1]', ['aspirin']).restore(translation)).toEqual({
    lost: [],
    added,
  });
});

it.each(['Aspirin', 'aspirins', ' ASPIRINA ', 'Aspiri', ''])('of words to keep, %j is a form', (form) => {
  expect(of('Take Aspirin.', ['aspirin']).restore(`Nimm <1>${form}</1>.`)).toEqual({ text: 'Nimm Aspirin.' });
});

it('a word to keep is no expression', () => {
  expect(of('Take C++ (and a.b) or axb.', ['C++', '(and', 'a.b', '']).text).toBe(
    'Take <1>C++</1> <2>(and</2> <3>a.b</3>) or axb.',
  );
});

it.each([
  ['Das Buch.<2/>', ['<1>…</1>'], []],
  ['Das <1>Buch.<2/>', ['<1>…</1>'], []],
  ['Das <1/> Buch.<2/>', ['<1>…</1>'], ['<1/>']],
  ['Das <1>Buch</1>.<2/><2/>', [], ['<2/>']],
  ['Das <1>Buch</1>.<2/><3/>', [], ['<3/>']],
  ['Das <1>Buch.<2/></2></1>', [], ['</2>']],
])('of %j it is said what was lost and added', (translation, lost, added) => {
  expect(of('The [book](/b).[^1]').restore(translation)).toEqual({ lost, added });
});

it('a long text of the beginnings of marks is read in no time', () => {
  // The time of other programs does not count.
  const before = process.threadCpuUsage();
  for (const part of ['[a](b "', '<1>', '<1/>', 'https://', '![', '[a](<', '[a][', '**[a]('])
    of(part.repeat(20_000), ['aspirin']).restore(part.repeat(20_000));
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(5_000_000);
});
