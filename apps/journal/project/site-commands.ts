import { type Cli, presentTable, usageError } from '@fabrica/backend/cli';
import { CELL_LENGTH } from './comment-commands.ts';
import { shorten, toOneLine } from './shorten.ts';
import { siteTables } from './site-tables.ts';

/** The columns that a command does not set: keys, times, and images, which the interface uploads and measures. */
const NOT_BY_COMMAND = /^id$|^updated_at$|^(?:logo|about_image)_(?:url|width|height)$/;

const settingNames = namesIn('site_settings');
const textNames = namesIn('site_texts');

export function siteGet({ command, run }: Cli): void {
  command('site get', 'Shows what is set about the site: its name, languages, accents and texts.')
    .addHelpText('after', '\nWhat is not listed has its neutral text. Images are set at /admin/site.')
    .action(
      run(async ({ fetchRows, json, show, terminal }) => {
        const [settings] = await readRows(fetchRows, 'site_settings');
        const texts = await readRows(fetchRows, 'site_texts');
        const lines = [
          ...linesOf(settings, settingNames, null),
          ...texts.flatMap((row) => linesOf(row, textNames, row.id)),
        ];
        if (lines.length === 0 && !json) return terminal.note('Nothing is set yet.');
        show({ settings: settings ?? null, texts }, presentTable(['NAME', 'LANGUAGE', 'VALUE'], lines));
      }),
    );
}

export function siteSet({ command, run }: Cli): void {
  command('site set', 'Sets something about the site: its name, an accent, or a text in a language.')
    .argument('<name>')
    .argument('<value>')
    .option('--language <code>', 'The language of a text: en, es, fr or de.')
    .addHelpText(
      'after',
      `
Settings: ${settingNames.join(', ')}.
Texts, with --language: ${textNames.join(', ')}.
The value "-" is read from standard input, for long texts: fabrica site set imprint - --language de < imprint.md
An empty value brings the neutral text back. Every page shows the change at once.`,
    )
    .action(
      run(async ({ fetchRows, show, terminal }, name, given, { language }) => {
        const { table, id } = rowOf(name, language);
        const value = (given === '-' ? await terminal.readInput() : given).trim() || null;
        await fetchRows(`/rest/v1/${table}?on_conflict=id`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
          body: JSON.stringify({ id, [name]: value, updated_at: Date.now() }),
        });
        const of = language === undefined ? '' : ` (${language})`;
        show(
          { table, id, [name]: value },
          value === null ? `${name}${of} is no longer set.` : `${name}${of} is set.`,
        );
      }),
    );
}

type SiteRow = Record<string, string | number | null> & { id: string };

function namesIn(table: string): string[] {
  return Object.keys(siteTables[table]?.columns ?? {}).filter((name) => !NOT_BY_COMMAND.test(name));
}

/** Returns the row that holds a name. Throws a usage error for unknown names, and where the language is missing or is too much. */
function rowOf(name: string, code: string | undefined): { table: string; id: string } {
  if (settingNames.includes(name)) {
    if (code === undefined) return { table: 'site_settings', id: 'site' };
    throw usageError(`"${name}" is the same in all languages: leave --language out.`);
  }
  if (!textNames.includes(name)) {
    throw usageError(`There is no "${name}"; there is: ${[...settingNames, ...textNames].join(', ')}.`);
  }
  if (code !== undefined && /^(?:en|es|fr|de)$/.test(code)) return { table: 'site_texts', id: code };
  throw usageError(`Say in which language "${name}" is: --language en, es, fr or de.`);
}

async function readRows(fetchRows: (path: string) => Promise<Response>, table: string): Promise<SiteRow[]> {
  return (await fetchRows(`/rest/v1/${table}?order=id`)).json();
}

function linesOf(
  row: SiteRow | undefined,
  names: readonly string[],
  code: string | null,
): (string | null)[][] {
  return names.flatMap((name) => {
    const value = row?.[name];
    return typeof value === 'string' ? [[name, code, shorten(toOneLine(value), CELL_LENGTH)]] : [];
  });
}
