import { ownLanguage as de } from '../../messages/de/own-language.ts';
import { ownLanguage as en } from '../../messages/en/own-language.ts';
import { ownLanguage as es } from '../../messages/es/own-language.ts';
import { ownLanguage as fr } from '../../messages/fr/own-language.ts';
import { isLanguage } from '../../project/languages.ts';
import { useLanguage } from './language-provider.tsx';

/** The texts that stand, in their own language, on pages of other languages. */
export const OWN_LANGUAGE = { en, es, fr, de };
export type OwnLanguage = typeof en;

/** Returns those in the language of a text; in the page's, where that is not known. */
export function useOwnLanguage(ofText: string | null | undefined) {
  const { language } = useLanguage();
  return OWN_LANGUAGE[isLanguage(ofText) ? ofText : language];
}
