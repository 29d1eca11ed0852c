import { foldText, looksLikeEmail, markdownWords } from '@fabrica/contract';
import { z } from 'zod';
import { DOCUMENT_LIMITS, type DocumentFault, SLUG } from './document-limits.ts';
import { LANGUAGE_CODES, type Language } from './languages.ts';
import { lettersOf, MARK_LETTER, type PlateMark, readShape } from './marks.ts';
import { withoutUnknown } from './stored-json.ts';

/** Matches a path from the root or an absolute URL, and no `javascript:`. Browsers read a backslash as a slash. */
export const WEB_URL = /^(?:\/(?!\/)|https?:\/\/)[^\s<>"\\]*$/i;
/** Matches `title:de,content:de`, as `translation-parts.ts` writes it. */
export const TRANSLATION_PARTS_PATTERN =
  /^(?:title|content):(?:en|es|fr|de)(?:,(?:title|content):(?:en|es|fr|de))*$/;
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns the schema of a text that the database takes, of so many characters at most without the space around it. */
function text(max: number) {
  return z
    .string()
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'must be well-formed text')
    .refine((value) => value.length <= max || (value.length <= max * 3 && [...value.trim()].length <= max), {
      message: `must be ${max} characters long at most`,
      params: { kind: 'too-long' satisfies DocumentFault },
    });
}

const language = z.enum(LANGUAGE_CODES);

function inLanguages<Schema extends z.ZodType>(schema: Schema) {
  return z.partialRecord(language, schema).default({});
}

const notes = z
  .array(
    z.strictObject({ type: z.literal('TextualBody'), language, value: text(DOCUMENT_LIMITS.note).min(1) }),
  )
  .refine((list) => new Set(list.map((one) => one.language)).size === list.length, {
    message: 'must have one note in each language',
  });

/** The marks on a picture, see `PlateMark`. */
export const plateMarks = z
  .array(
    z.strictObject({
      type: z.literal('Annotation'),
      id: z.string().regex(MARK_LETTER, 'must be a small letter from a to z'),
      body: notes.default([]),
      target: z.strictObject({
        selector: z.strictObject({
          type: z.literal('SvgSelector'),
          value: z
            .string()
            .refine(
              (svg) => readShape(svg) !== null,
              'must be a circle, a box or an outline within the picture',
            ),
        }),
      }),
    }),
  )
  .max(DOCUMENT_LIMITS.marks, `must be ${DOCUMENT_LIMITS.marks} marks at most`)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
    message: 'must have different letters',
  }) satisfies z.ZodType<PlateMark[]>;

/** Holds what is said about a picture beside its file: stored as JSON in the column `cover` of a post. */
export const coverDetails = z.strictObject({
  /** The point that crops keep in sight, in percent from the left and from the top. */
  focal: z
    .tuple([z.number().min(0).max(100), z.number().min(0).max(100)])
    .nullable()
    .default(null),
  alt: inLanguages(text(DOCUMENT_LIMITS.alt)),
  caption: inLanguages(text(DOCUMENT_LIMITS.caption)),
  credit: text(DOCUMENT_LIMITS.credit).default(''),
  licence: text(DOCUMENT_LIMITS.credit).default(''),
  /**
   * A long description for readers who do not see it: from the whole to its regions and to its marks. Blank lines part paragraphs. What
   * versions before this one do not know is absent where nothing is said, so that their nodes read such posts.
   */
  description: z.partialRecord(language, text(DOCUMENT_LIMITS.description)).optional(),
  marks: plateMarks.optional(),
});

const pixels = z.int().min(1).max(1_000_000);

const cover = coverDetails.extend({
  url: text(DOCUMENT_LIMITS.url).regex(WEB_URL, 'must be a path or a web address'),
  width: pixels.nullable().default(null),
  height: pixels.nullable().default(null),
  /** A thumbhash in base64. */
  placeholder: z.string().max(100).regex(BASE64).nullable().default(null),
});

/** The pictures of a post beside its cover, in their order: stored as JSON in the column `pictures`. */
export const pictures = z
  .array(cover)
  .max(DOCUMENT_LIMITS.pictures)
  .refine(
    (list) => JSON.stringify(list).length <= DOCUMENT_LIMITS.picturesJson,
    `must be ${DOCUMENT_LIMITS.picturesJson} characters of JSON at most`,
  );

/** References in the form of CSL-JSON, of which `id` is what the text cites. */
export const sources = z
  .array(z.looseObject({ id: text(DOCUMENT_LIMITS.name).min(1), type: text(DOCUMENT_LIMITS.name) }))
  .max(DOCUMENT_LIMITS.sources)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have different ids')
  .refine(
    (list) => JSON.stringify(list).length <= DOCUMENT_LIMITS.sourcesJson,
    `must be ${DOCUMENT_LIMITS.sourcesJson} characters of JSON at most`,
  );

/** The people of a post, in the order of their names. An account named here may edit the post. */
const byline = z
  .array(
    z.strictObject({
      name: text(DOCUMENT_LIMITS.name).refine((name) => name.trim() !== '', 'must not be blank'),
      role: z.enum(['author', 'translator', 'illustrator']),
      userId: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,100}$/)
        .optional(),
    }),
  )
  .max(DOCUMENT_LIMITS.byline);

/** The people of a post as everybody may read them. */
export const publicByline = byline.refine(
  (people) => !people.some(({ name }) => looksLikeEmail(name)),
  'must name nobody by an e-mail address',
);

/**
 * The whole of what is written about one post: what is saved, published, revised and restored. Requests are read strictly; what is
 * stored is read by `parseStored`, as a newer version may have written it.
 */
export const postDocument = z.strictObject({
  title: text(DOCUMENT_LIMITS.title).default(''),
  content: text(DOCUMENT_LIMITS.content).default(''),
  contentFormat: z.enum(['plain', 'markdown']).default('plain'),
  /** The language of the original; null when it is not known. */
  language: language.nullable().default(null),
  translations: inLanguages(
    z.strictObject({
      title: text(DOCUMENT_LIMITS.title).nullable().default(null),
      content: text(DOCUMENT_LIMITS.content).nullable().default(null),
    }),
  ),
  /** The fields whose translation failed, as `title:de,content:de`. */
  untranslated: z.string().max(100).regex(TRANSLATION_PARTS_PATTERN).nullable().default(null),
  cover: cover
    .refine(
      (one) => JSON.stringify(one).length <= DOCUMENT_LIMITS.coverJson,
      `must be ${DOCUMENT_LIMITS.coverJson} characters of JSON at most`,
    )
    .nullable()
    .default(null),
  pictures: pictures.default([]),
  sources: sources.default([]),
  slugs: inLanguages(
    text(DOCUMENT_LIMITS.slug).regex(
      SLUG,
      'must be small letters without accents, digits and single hyphens',
    ),
  ),
  byline: byline.default([]),
});

/** A document as the desk takes it. */
export const writtenDocument = postDocument.extend({ byline: publicByline.default([]) }).refine(
  ({ cover: first, pictures: further }) => {
    const letters = lettersOf([first, ...further]);
    return new Set(letters).size === letters.length;
  },
  { path: ['cover', 'marks'], message: 'must have other letters than those of its further pictures' },
);

/** Epoch milliseconds, up to the last that a `Date` can hold. */
const time = z.int().min(0).max(8.64e15);

/**
 * Says when the words that readers have of a post changed last: the column `dated_changes`. A trigger of the database sets the times,
 * whichever program changes the words; the desk says the rest.
 */
export const datedChanges = z.strictObject({
  /** The original's title and text. */
  original: time.optional(),
  /** What readers of each language see. */
  ...(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, time.optional()])) as Record<
    Language,
    z.ZodOptional<typeof time>
  >),
  /** What the author says about the last change of the original, in its language. */
  note: z.strictObject({ text: text(DOCUMENT_LIMITS.changeNote).min(1), at: time }).optional(),
  /** The time of the last change that its author called too small for a date. */
  small: time.optional(),
});
export type DatedChanges = z.infer<typeof datedChanges>;

export type PostDocument = z.infer<typeof postDocument>;
export type Cover = NonNullable<PostDocument['cover']>;
export type CoverDetails = z.infer<typeof coverDetails>;
export type Byline = PostDocument['byline'];

/** Returns a function that says what is wrong with a text that should be JSON of this schema, of which a request may name no other keys. */
export function jsonOf(schema: z.ZodType): (json: string, isStored: boolean) => string | undefined {
  return (json, isStored) => {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      return 'must be JSON';
    }
    const parsed = schema.safeParse(isStored ? withoutUnknown(schema, value) : value);
    if (parsed.success) return undefined;
    const [issue] = parsed.error.issues;
    return `is not right at "${issue?.path.join('.')}": ${issue?.message}`;
  };
}

type SearchedParts = Pick<PostDocument, 'title' | 'content' | 'contentFormat' | 'byline'>;

/** Returns what the desk searches of a document: its original's title and text, and its people, as searches compare them. */
export function searchedWords({ title, content, contentFormat, byline }: SearchedParts): string {
  const words = contentFormat === 'markdown' ? markdownWords(content) : content;
  return foldText([title, words, ...byline.map(({ name }) => name)].join('\n'));
}
