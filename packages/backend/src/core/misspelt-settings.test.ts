import { expect, it } from 'vitest';
import { misspeltSettings } from './misspelt-settings.ts';

const settings = ['AI_BASE_URL', 'PUBLIC_URL', 'LOG_LEVEL', 'PORT', 'SMTP_URL', 'DATABASE_URL'];

it.each([
  ['AI_BASEURL', 'AI_BASE_URL'],
  ['AI_BASE_URI', 'AI_BASE_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['LOG_LEVL', 'LOG_LEVEL'],
  ['log_level', 'LOG_LEVEL'],
  ['SMPT_URL_', undefined],
  ['DATABSE_URL', 'DATABASE_URL'],
])('%s is probably meant to be %s', (name, meant) => {
  expect(misspeltSettings({ [name]: 'x' }, settings)).toEqual(meant ? [{ name, meant }] : []);
});

it('settings, files of settings and variables of other programs are no misspellings', () => {
  const others = [
    'AI_BASE_URL',
    'SMTP_URL_FILE',
    'HOME',
    'SHELL',
    'LOGNAME',
    'PWD',
    'XDG_DATA_DIRS',
    'PORTS',
    'HOSTNAME',
  ];
  const environment = Object.fromEntries(others.map((name) => [name, 'x']));
  expect(misspeltSettings(environment, settings)).toEqual([]);
});
