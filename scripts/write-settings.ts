// npm run settings: writes the settings' table of the README and .env.example from the one schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeSettings, settingsExample, settingsTable } from './describe-settings.ts';

const readme = new URL('../README.md', import.meta.url);
const described = describeSettings();
writeFileSync(
  readme,
  readFileSync(readme, 'utf8').replace(
    /(<!-- settings -->\n)[\s\S]*(\n<!-- \/settings -->)/,
    (_, start: string, end: string) => `${start}${settingsTable(described)}${end}`,
  ),
);
writeFileSync(new URL('../.env.example', import.meta.url), settingsExample(described));
