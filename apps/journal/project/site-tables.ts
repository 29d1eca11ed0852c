import { type Column, everyRow, permitted, type RowPolicy, type Table } from '@fabrica/backend';
import { type AccentTheme, isReadableAccent, MIN_CONTRAST } from './accent.ts';

const readAll: RowPolicy = { read: everyRow };

/** Matches `de,en`: the languages of the site, of which the first is the default. */
const LANGUAGE_LIST = /^(?:en|es|fr|de)(?:,(?:en|es|fr|de)){0,3}$/;

/** Matches the path of a file in the storage. */
const STORED_FILE = /^\/storage\/[^\s<>"]+$/;

const fileUrl = { type: 'text', min: 1, max: 2_000, pattern: STORED_FILE, nullable: true } as const;
const pixels = { type: 'integer', min: 1, max: 1_000_000, nullable: true } as const;

/** Returns a column for a text of the site, which is null where the operator has written none. */
function siteText(max: number): Column {
  return { type: 'text', min: 1, max, trim: true, nullable: true };
}

function accent(theme: AccentTheme): Column {
  return {
    type: 'text',
    max: 7,
    nullable: true,
    check: (colour) =>
      isReadableAccent(colour, theme)
        ? undefined
        : `must be a colour such as #8c2f2b with a contrast of ${MIN_CONTRAST} at least on the ${theme} grounds`,
  };
}

/** Returns a table of the operator's: everybody reads it, and who may edit the site writes its columns. */
function siteTable(columns: Record<string, Column>, files: readonly string[] = []): Table {
  return {
    columns: { ...columns, updated_at: { type: 'integer', min: 0, stamp: 'write' } },
    files,
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: permitted('site.edit'),
        update: {
          where: permitted('site.edit'),
          columns: Object.keys(columns).filter((name) => name !== 'id'),
        },
      },
    },
  };
}

/** Defines the tables of what the operator sets about the site: one row of settings, and the texts in each language. */
export const siteTables: Record<string, Table> = {
  site_settings: siteTable(
    {
      id: { type: 'text', max: 4, pattern: /^site$/, default: 'site' },
      name: siteText(60),
      languages: {
        type: 'text',
        max: 11,
        nullable: true,
        pattern: LANGUAGE_LIST,
        check: (list) =>
          new Set(list.split(',')).size === list.split(',').length
            ? undefined
            : 'must name each language once',
      },
      accent_light: accent('light'),
      accent_dark: accent('dark'),
      logo_url: fileUrl,
      logo_width: pixels,
      logo_height: pixels,
      about_image_url: fileUrl,
      about_image_width: pixels,
      about_image_height: pixels,
    },
    ['logo_url', 'about_image_url'],
  ),
  site_texts: siteTable({
    id: { type: 'text', max: 2, pattern: /^(?:en|es|fr|de)$/ },
    tagline: siteText(200),
    about_image_alt: siteText(300),
    who_title: siteText(200),
    vision_title: siteText(200),
    why_title: siteText(200),
    quote_text: siteText(500),
    quote_source: siteText(200),
    who_text: siteText(20_000),
    vision_text: siteText(20_000),
    why_text: siteText(20_000),
    contact_text: siteText(5_000),
    imprint: siteText(50_000),
    privacy: siteText(50_000),
  }),
};
