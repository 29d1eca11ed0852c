import { providerSettings, type SettingsSchema, settings } from '@fabrica/backend';
import { journalDefaults, journalSettings } from '../apps/journal/project/settings.ts';

export interface DescribedSetting {
  name: string;
  fallback: string;
  meaning: string;
}

/** Every setting with its default and meaning, in the order of the schema. */
export function describeSettings(): DescribedSetting[] {
  const defaults: Readonly<Record<string, string>> = journalDefaults;
  const schemas: SettingsSchema = { ...settings, ...journalSettings };
  const own = Object.entries(schemas).map(([name, schema]) => ({
    name,
    fallback: defaults[name] ?? showDefault(schema.safeParse(undefined).data),
    meaning: schema.description ?? '',
  }));
  const ofProviders = Object.entries(providerSettings).map(([name, meaning]) => ({
    name,
    fallback: '',
    meaning,
  }));
  return [...own, ...ofProviders];
}

function showDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

export function settingsTable(described: readonly DescribedSetting[]): string {
  const rows = described.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

export function settingsExample(described: readonly DescribedSetting[]): string {
  const lines = described.map(({ name, fallback, meaning }) => `# ${meaning}\n#${name}=${fallback}`);
  return `# Every setting is optional. FOO_FILE=/path reads the value of FOO from a file.\n\n${lines.join('\n\n')}\n`;
}
