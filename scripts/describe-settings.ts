// npm run settings: writes docs/settings.md and .env.example from the schemas.
import { writeFileSync } from 'node:fs';
import { providerSettings, type SettingsSchema, settings } from '@fabrica/backend';
import { journalDefaults, journalSettings } from '../apps/journal/project/settings.ts';

export interface DescribedSetting {
  name: string;
  fallback: string;
  meaning: string;
}

const PAGE_HEAD = `# Settings

Environment variables, all optional; \`npm start\` and \`npx fabrica\` read them from \`.env\` as well. \`FOO_FILE=/path\` reads the value of \`FOO\`
from a file. \`npx fabrica doctor\` tries what they name. This page is written by \`npm run settings\`.`;

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

/** Returns the text of `docs/settings.md`. */
export function settingsPage(described: readonly DescribedSetting[]): string {
  const rows = described.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  );
  return `${PAGE_HEAD}\n\n${['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n')}\n`;
}

/** Returns the text of `.env.example`. */
export function settingsExample(described: readonly DescribedSetting[]): string {
  const lines = described.map(({ name, fallback, meaning }) => `# ${meaning}\n#${name}=${fallback}`);
  return `# Copy this file to .env. Every setting is optional. FOO_FILE=/path reads the value of FOO from a file.\n\n${lines.join('\n\n')}\n`;
}

if (import.meta.main) {
  const described = describeSettings();
  writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage(described));
  writeFileSync(new URL('../.env.example', import.meta.url), settingsExample(described));
}
