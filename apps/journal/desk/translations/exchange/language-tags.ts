import { isLanguage, type Language } from '../../../project/languages.ts';
import { attributeOf, type XmlElement } from './read-xml.ts';

/** Returns one of our languages for a tag such as `de`, `de-CH` or `DE_AT`; undefined for others. */
export function languageOfTag(tag: string | undefined): Language | undefined {
  const [code] = (tag ?? '').toLowerCase().split(/[-_]/);
  return isLanguage(code) ? code : undefined;
}

/** Returns the language that an element names in `xml:lang`, or `lang` in older files. */
export function languageOf(element: XmlElement): Language | undefined {
  return languageOfTag(attributeOf(element, 'lang'));
}
