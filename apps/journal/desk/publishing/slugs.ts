import { AppError, allOf, equals, type TablePlan } from '@fabrica/backend';
import type { PostDocument } from '../../project/document.ts';
import { DOCUMENT_LIMITS, type DocumentFault } from '../../project/document-limits.ts';
import { DEFAULT_LANGUAGE, LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import { localizeTitle, shownLanguage } from '../../project/localize.ts';
import type { DeskContext } from '../desk-context.ts';
import { postOfDocument } from '../post-columns.ts';
import { deskReader, type SlugRow } from '../queries.ts';
import { originalLanguage } from '../translations/original.ts';

/** Letters that no decomposition turns into ASCII, as each language writes them without them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
/** German writes its umlauts with an e, where other languages drop the dots. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ω: 'omega',
};

/** Returns a title as a slug: `herzschwaeche-was-hilft` for `Herzschwäche: Was hilft?`; blank when no letter is left. */
export function slugOf(title: string, language: Language): string {
  const letters = title
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(
      /./gu,
      (letter) => (language === 'de' && UMLAUTS[letter]) || LETTERS[letter] || GREEK[letter] || letter,
    )
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '');
  const slug = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  if (slug.length <= DOCUMENT_LIMITS.slug) return slug;
  // A slug ends with a whole word, unless its first word is longer than all of it.
  const cut = slug.slice(0, DOCUMENT_LIMITS.slug + 1);
  return cut.slice(0, cut.lastIndexOf('-') > 20 ? cut.lastIndexOf('-') : DOCUMENT_LIMITS.slug);
}

interface PlannedSlugs {
  /** The present slug of each language. */
  slugs: PostDocument['slugs'];
  plans: TablePlan[];
}

/**
 * Plans the slugs of a publication. A language keeps the slug that it has unless the document names another one; the first
 * one is made of the title. Throws VALIDATION_FAILED for a slug that another post has.
 */
export async function planSlugs(
  { project, plans, now }: Pick<DeskContext, 'project' | 'plans' | 'now'>,
  { postId, document, present }: { postId: string; document: PostDocument; present: readonly SlugRow[] },
): Promise<PlannedSlugs> {
  const taken = new Map<string, string>();
  const isFree = async (slug: string) => {
    const owner = present.find(({ id }) => id === slug) ?? (await findOwner(project.database, slug));
    return !taken.has(slug) && (owner === undefined || owner.post_id === postId);
  };
  const slugs: PostDocument['slugs'] = {};
  for (const [language, title] of titledLanguages(document)) {
    const named = document.slugs[language];
    const kept = present.find((one) => one.language === language && one.current === 1)?.id;
    const given = named ?? kept;
    if (given !== undefined && !(await isFree(given))) throw takenSlug(language);
    const slug = given ?? (await freeSlug(slugOf(title, language), language, isFree));
    if (slug === '') continue;
    taken.set(slug, language);
    slugs[language] = slug;
  }
  const changes = present.filter((one) => one.current === 1 && slugs[one.language as Language] !== one.id);
  const planned = changes.map(({ id }) =>
    plans.update('post_slugs', allOf(equals('id', id), equals('post_id', postId)), {
      changes: { current: 0 },
      single: true,
    }),
  );
  for (const [language, id] of Object.entries(slugs)) {
    const known = present.find((one) => one.id === id);
    if (known?.current === 1 && known.language === language) continue;
    planned.push(
      known
        ? plans.update('post_slugs', equals('id', id), { changes: { current: 1, language }, single: true })
        : plans.create('post_slugs', { id, post_id: postId, language, current: 1, created_at: now() }),
    );
  }
  return { slugs, plans: planned };
}

/** Returns the languages that a post has a title in, with the title. */
function titledLanguages(document: PostDocument): [Language, string][] {
  const post = postOfDocument(document);
  const original = originalLanguage(document) ?? DEFAULT_LANGUAGE;
  return LANGUAGE_CODES.filter(
    (language) => language === original || shownLanguage(post, 'title', language) === language,
  ).map((language) => [language, localizeTitle(post, language)]);
}

/** Returns the slug, or the first of `slug-de`, `slug-2`, `slug-3` … that no other post has. */
async function freeSlug(
  slug: string,
  language: Language,
  isFree: (slug: string) => Promise<boolean>,
): Promise<string> {
  if (slug === '' || (await isFree(slug))) return slug;
  const base = slug.slice(0, DOCUMENT_LIMITS.slug - 8).replace(/-$/, '');
  if (await isFree(`${base}-${language}`)) return `${base}-${language}`;
  for (let number = 2; ; number += 1) {
    if (await isFree(`${base}-${number}`)) return `${base}-${number}`;
  }
}

/** Returns whose the address `/post/{slug}` is: of a slug, or of a post whose id it is. */
async function findOwner(
  database: DeskContext['project']['database'],
  slug: string,
): Promise<{ post_id: string } | undefined> {
  const reader = deskReader(database);
  const known = await reader
    .selectFrom('post_slugs')
    .select('post_id')
    .where('id', '=', slug)
    .executeTakeFirst();
  if (known) return known;
  const post = await reader
    .selectFrom('journal_posts')
    .select('id as post_id')
    .where('id', '=', slug)
    .executeTakeFirst();
  return post && { post_id: `id ${post.post_id}` };
}

function takenSlug(language: Language): AppError {
  const kind: DocumentFault = 'taken';
  return new AppError('VALIDATION_FAILED', 'This address belongs to another post or language already.', {
    details: [{ field: `slugs.${language}`, message: 'belongs to another post or language already', kind }],
  });
}
