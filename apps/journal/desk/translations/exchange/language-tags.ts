import { type Language, languageOfTag } from '../../../project/languages.ts';
import { attributeOf, type XmlElement } from './read-xml.ts';

/** Returns the language that an element names in `xml:lang`, or `lang` in older files. */
export function languageOf(element: XmlElement): Language | undefined {
  return languageOfTag(attributeOf(element, 'lang'));
}
