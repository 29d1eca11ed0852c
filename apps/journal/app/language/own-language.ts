import { ownLanguage as de } from '../../messages/de/own-language.ts';
import { ownLanguage as en } from '../../messages/en/own-language.ts';
import { ownLanguage as es } from '../../messages/es/own-language.ts';
import { ownLanguage as fr } from '../../messages/fr/own-language.ts';

/** The texts that stand, in their own language, on pages of other languages. */
export const OWN_LANGUAGE = { en, es, fr, de };
