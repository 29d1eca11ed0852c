import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from './chunk-text.ts';

const withoutSpace = (text: string) => text.replace(/\s+/g, '');
const longestCharacter = (text: string) => Math.max(0, ...[...text].map((one) => one.length));

describe('chunkText', () => {
  it('a chunk has as many whole paragraphs as fit', () => {
    const text = 'One.\n\nTwo is longer.\n\n\n  Three.  ';
    expect(chunkText(text, 100)).toEqual(['One.\n\nTwo is longer.\n\nThree.']);
    expect(chunkText(text, 22)).toEqual(['One.\n\nTwo is longer.', 'Three.']);
  });

  it('a paragraph that does not fit is cut between its sentences', () => {
    const text = 'Mr. Brown came at 3.5 p. m. He sat down! Did he? Yes.';
    expect(chunkText(text, 30)).toEqual(['Mr. Brown came at 3.5 p. m.', 'He sat down! Did he? Yes.']);
  });

  it('a sentence that does not fit is cut between its words, and a word only when it is too long by itself', () => {
    expect(chunkText('a quick brown fox', 8)).toEqual(['a quick', 'brown', 'fox']);
    expect(chunkText('so incomprehensible it was', 8)).toEqual(['so', 'incompre', 'hensible', 'it was']);
  });

  it('chunks keep the lines of lists and tables', () => {
    const rows = 'Place\tRoom\nÜbersee\t48 €\nBärwalde\t55 €';
    expect(chunkText(rows, 30)).toEqual(['Place\tRoom\nÜbersee\t48 €', 'Bärwalde\t55 €']);
  });

  it('chunks have no spaces between sentences that have none', () => {
    const text = '今日は晴れ。明日は雨。';
    expect(chunkText(`${text}\n\n${text}`, 11)).toEqual([text, text]);
    expect(chunkText(text.repeat(2), 12)).toEqual([text, text]);
  });

  it('chunks cut no character in two', () => {
    expect(chunkText('👩🏽🙂🙂', 3)).toEqual(['👩', '🏽', '🙂', '🙂']);
    expect(chunkText('a🙂b', 1)).toEqual(['a', '🙂', 'b']);
  });

  it('a text of white space has no chunks', () => {
    expect(chunkText('', 50)).toEqual([]);
    expect(chunkText(' \n\n\t \n', 50)).toEqual([]);
  });

  it('chunks lose nothing but white space, and none is empty or too large', () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.lorem(),
        fc.constantFrom('\n', '\n\n', ' ', '. ', '\t', '\r\n', '。', '\u00a0', '🙂', '\u0301'),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 120 }), (parts, size) => {
        const whole = parts.join('');
        const chunks = chunkText(whole, size);
        expect(withoutSpace(chunks.join(''))).toBe(withoutSpace(whole));
        const sound = (chunk: string) =>
          chunk !== '' &&
          chunk === chunk.trim() &&
          chunk.length <= Math.max(size, longestCharacter(chunk)) &&
          (chunk.isWellFormed() || !whole.isWellFormed());
        expect(chunks.filter((chunk) => !sound(chunk))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('a megabyte without a space is cut into chunks', () => {
    const chunks = chunkText('x'.repeat(1024 * 1024), 1_000);
    expect(chunks).toHaveLength(1_049);
  });
});
