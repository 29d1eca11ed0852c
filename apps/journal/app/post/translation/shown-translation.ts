import type { JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import { localizedColumn } from '../../../project/localize.ts';
import type { ParseMarkdown } from '../../../project/markdown/parse-tree.ts';
import type { ReleasedTranslations } from '../../../project/translations.ts';
import type { Changes } from './find-changes.ts';

type Facts = NonNullable<ReleasedTranslations[Language]>;

/** Holds what readers are told about a translation. Times are epoch milliseconds. */
export interface ShownTranslation extends Changes, Pick<Facts, 'checked' | 'reviewedBy' | 'reviewedAt'> {
  by: Exclude<Facts['by'], 'unknown'>;
  /** The language of the original; `null` when it is not known. */
  source: Language | null;
}

/** A text counts as a machine's until a person has edited it on the desk. */
const NOTHING_KNOWN: Omit<ShownTranslation, 'source'> = {
  by: 'machine',
  checked: false,
  reviewedBy: null,
  reviewedAt: null,
  isStale: false,
  changed: [],
};

/** Returns what the server knows of a post's translation, which the desk alone writes; nothing where it knows nothing. */
export function releasedFacts(
  { translations }: Pick<JournalPost, 'translations'>,
  language: Language,
): Facts | undefined {
  return translations ? (JSON.parse(translations) as ReleasedTranslations)[language] : undefined;
}

/** Returns what readers of a language are told about its translation. */
export async function describeTranslation(
  post: JournalPost,
  { language, source, parse }: { language: Language; source: Language | null; parse: ParseMarkdown },
): Promise<ShownTranslation> {
  const facts = releasedFacts(post, language);
  const text = post[localizedColumn('content', language)];
  if (!facts || !text) return { source, ...NOTHING_KNOWN };
  // The code that splits texts is loaded with the first translation of which something is known.
  const { findChanges } = await import('./find-changes.ts');
  const { by, checked, reviewedBy, reviewedAt, hashes } = facts;
  const changes = await findChanges(post, { text, hashes }, parse);
  return { source, by: by === 'unknown' ? 'machine' : by, checked, reviewedBy, reviewedAt, ...changes };
}
