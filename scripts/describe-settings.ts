// npm run settings: writes the table of settings in the README, and .env.example, from the schemas.
import { readFileSync, writeFileSync } from 'node:fs';
import { providerSettings, type SettingsSchema, settings } from '@fabrica/backend';
import { journalDefaults, journalSettings } from '../apps/journal/project/settings.ts';

export interface DescribedSetting {
  name: string;
  fallback: string;
  meaning: string;
}

/** Returns every setting with its default and meaning, in the order of the schemas. */
export function describeSettings(): DescribedSetting[] {
  const defaults: Readonly<Record<string, string>> = journalDefaults;
  const schemas: SettingsSchema = { ...settings, ...journalSettings };
  const named = Object.entries(schemas).map(([name, schema]) => ({
    name,
    fallback: defaults[name] ?? showDefault(schema.safeParse(undefined).data),
    meaning: schema.description ?? '',
  }));
  const patterns = Object.entries(providerSettings).map(([name, meaning]) => ({
    name,
    fallback: '',
    meaning,
  }));
  return [...named, ...patterns];
}

function showDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** Returns the Markdown table of the README. */
export function settingsTable(described: readonly DescribedSetting[]): string {
  const rows = described.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Returns the text of `.env.example`. */
export function settingsExample(described: readonly DescribedSetting[]): string {
  const lines = described.map(({ name, fallback, meaning }) => `# ${meaning}\n#${name}=${fallback}`);
  return `# Copy this file to .env. Every setting is optional. FOO_FILE=/path reads the value of FOO from a file.\n\n${lines.join('\n\n')}\n`;
}

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url);
  const described = describeSettings();
  const text = readFileSync(readme, 'utf8').replace(
    /(<!-- settings -->\n)[\s\S]*(\n<!-- \/settings -->)/,
    (_, start: string, end: string) => `${start}${settingsTable(described)}${end}`,
  );
  writeFileSync(readme, text);
  writeFileSync(new URL('../.env.example', import.meta.url), settingsExample(described));
}
