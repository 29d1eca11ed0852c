import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ownWordsOf, requireGoodPassword } from './password-rules.ts';

const EMAIL = 'ada.lovelace@example.org';
const OWN_WORDS = ownWordsOf([
  'herzkunst.example.org',
  'Blätter für Heilkunde <mail@pflegebrief.example>',
  'Fabrica',
]);
const accepts = (password: string): boolean => {
  try {
    requireGoodPassword(password, EMAIL, OWN_WORDS);
    return true;
  } catch {
    return false;
  }
};

describe('passwords that attackers try first', () => {
  it.each([
    ...['12345678910', '0987654321', 'christopher', 'passwordpassword', 'letmeinplease', 'basketball'],
    ...[
      '1qaz2wsx3edc',
      'qwertyuiop',
      'qwerty123456',
      'qwertzuiop1',
      'azertyuiop',
      'poiuytrewq',
      'mnbvcxz123',
    ],
    ...[
      'asdfghjkl123',
      'zxcvbnm123',
      'aaaaabbbbb',
      '1111122222',
      '1234512345',
      '123123123123',
      'abcabcabcabc',
    ],
    ...[
      'Password1!',
      'P@ssw0rd2024!',
      'Sunshine2023',
      'iloveyou1234',
      'Michael1985!',
      'football2022',
      'dragonmaster',
    ],
    ...[
      'abcdefghijklmnop',
      '9876543210',
      'abcd123456',
      'hallohallo',
      'schatz12345',
      'chocolate12',
      'princess2020',
    ],
    ...['trustno1trust', 'zaq12wsxcde', '01.01.1990!!', 'mynameisjohn', 'mynameismichael'],
    ...['whatismyname', 'ichbindiebeste', 'monamourpourtoi', 'tequieromucho1', 'summer2024summer'],
    ...['ada.lovelace', 'lovelace1815', '!!lovelace!!', 'example.org12'],
    ...[
      'Herzkunst2026',
      'herzkunst.example',
      'fabrica-fabrica',
      'Fabrica!2026!',
      'Heilkunde99',
      'PflegeBrief#1',
    ],
  ])('the password %j is refused', (password) => {
    expect(accepts(password)).toBe(false);
  });

  it.each([
    ...['tenletters', 'Lungs draw 12 breaths', 'correct horse battery staple', 'Sonne über Würzburg'],
    ...[
      'vK3-xq9_Lm2',
      'a long enough passphrase',
      'myblueelephantdances',
      'Thieves love 9 locks',
      'ñandú corre lejos',
      'house night water friend',
    ],
  ])('the password %j is accepted', (password) => {
    expect(accepts(password)).toBe(true);
  });

  const ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
  /** Returns passwords of a kind that attackers generate, as many as its parts allow. */
  const GENERATED: [string, () => string[]][] = [
    [
      'a walk over the keyboard in columns',
      () =>
        [0, 1, 2, 3].flatMap((first) =>
          [1, -1].map((step) =>
            [0, 1, 2]
              .flatMap((nth) => ROWS.map((row) => row[first + nth]).sort(() => (nth % 2 ? step : -step)))
              .join(''),
          ),
        ),
    ],
    [
      'a date and little else',
      () =>
        ['1.1.1990', '01/12/1985', '1999-12-31', '24121978', '19780124', '31-12-99-99'].flatMap((date) =>
          ['!!', '!!!', 'ab', '..', '--'].flatMap((more) => [date + more, more + date]),
        ),
    ],
    [
      'a short sentence and a name',
      () =>
        ['mynameis', 'iam', 'ichbin', 'jesuis', 'yosoy', 'ilove', 'teamo'].flatMap((start) =>
          ['john', 'maria', 'stefan', 'nicolas', 'alejandro', 'emma'].flatMap((name) => [
            `${start}${name}12`,
            `${start} ${name}!!`,
          ]),
        ),
    ],
    [
      'a common word that comes twice',
      () =>
        ['trust', 'secret', 'monkey', 'summer', 'hallo', 'soleil', 'amigo'].flatMap((word) =>
          ['1', '!!', '-', '2024', ' 99 '].map((between) => `${word}${between}${word}`),
        ),
    ],
  ];
  it.each(GENERATED)('passwords that are %s are refused', (_, generate) => {
    const passwords = generate().filter(({ length }) => length >= 10);
    expect(passwords.length).toBeGreaterThan(7);
    expect(passwords.filter(accepts)).toEqual([]);
  });

  it('of ten random letters and digits, 98 in a hundred are accepted', () => {
    const random = (index: number) =>
      BigInt(`0x${hash('sha256', String(index), 'hex')}`)
        .toString(36)
        .slice(1, 11);
    const accepted = Array.from({ length: 1_000 }, (_, index) => random(index)).filter(accepts);
    expect(accepted.length).toBeGreaterThan(980);
  });

  it('a password of 200 characters is checked in 20 milliseconds of the processor', () => {
    const password = 'qwertyuiopasdfghjklzxcvbnm1234567890'.repeat(6).slice(0, 199);
    const started = process.threadCpuUsage();
    for (let time = 0; time < 20; time += 1) accepts(`${password}${time % 10}`);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 20).toBeLessThan(20_000);
  });
});
