import type { Language } from '../findings.ts';

/** A number in digits. `misread` says that another language's decimal sign was used, which readers here may take for thousands. */
interface Digits {
  value: number;
  misread: boolean;
}

const GROUPS = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/**
 * Returns the value of a number as a language writes it, or undefined for what is no number, such as 4.2.1.
 * English has 1,000.5 and the others 1.000,5. Spaces and Swiss apostrophes separate thousands in all of them. Spanish
 * accepts both decimal signs, as its academy does.
 */
export function readDigits(written: string, language: Language): Digits | undefined {
  const isSwiss = /\d['’]\d/.test(written);
  const text = written.replace(/[\s'’]/g, '').replace('·', '.');
  const [decimal, group] = language === 'en' || isSwiss ? ['.', ','] : [',', '.'];
  const parts = text.split(/[.,]/);
  if (parts.length === 1) return { value: Number(text), misread: false };
  const signs = text.replace(/\d/g, '');
  const last = signs.at(-1) ?? '';
  if (signs.length > 1 && new Set(signs).size === 2) {
    // Thousands and decimals: the last sign is the decimal one, and all others are the same.
    if (new Set(signs.slice(0, -1)).size !== 1 || signs.slice(0, -1).includes(last)) return undefined;
    const value = Number(`${parts.slice(0, -1).join('')}.${parts.at(-1)}`);
    return { value, misread: last !== decimal };
  }
  if (GROUPS.test(text) && (last === group || signs.length > 1)) {
    return { value: Number(parts.join('')), misread: last !== group };
  }
  if (signs.length > 1) return undefined;
  return {
    value: Number(parts.join('.')),
    misread: last !== decimal && language !== 'es',
  };
}

/** Returns the number that raised digits stand for, such as -1 for ⁻¹. */
export const readRaised = (text: string): number => Number(text.normalize('NFKC').replace('\u2212', '-'));

/** Returns the value of ½ and its like: they are compositions of their digits. */
export function readFraction(sign: string): number {
  const [over, below] = sign.normalize('NFKC').split('\u2044');
  return Number(over) / Number(below);
}

/** Returns the value of a Roman numeral, or undefined. Those above 39 are not in use for stages, types and centuries. */
export function readRoman(text: string): number | undefined {
  const match = /^(X{0,3})(IX|IV|V?I{0,3})$/.exec(text);
  if (!match || text === '') return undefined;
  const ones = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];
  return (match[1] ?? '').length * 10 + ones.indexOf(match[2] ?? '');
}
