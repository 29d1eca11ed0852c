import { expect, it } from 'vitest';
import { unreadSettings } from './unread-settings.ts';

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
  const sentence = `${name} is not a setting: ${meant} is probably meant.`;
  expect(unreadSettings({ [name]: 'x' }, settings)).toEqual(meant ? [sentence] : []);
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
  expect(unreadSettings(environment, settings)).toEqual([]);
});

it('a setting of an earlier version is said to be one no longer', () => {
  const environment = { DNS_TIMEOUT: '5', PORT: '80' };
  expect(unreadSettings(environment, settings)).toEqual([
    'DNS_TIMEOUT is no longer a setting: CHANGELOG.md says what holds.',
  ]);
});
