import { describe, expect, it } from 'vitest';
import { requireGoodPassword } from './password-rules.ts';

const EMAIL = 'ada.lovelace@example.org';
const accepts = (password: string): boolean => {
  try {
    requireGoodPassword(password, EMAIL);
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
    ...['ada.lovelace', 'lovelace1815', '!!lovelace!!', 'example.org12'],
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
    ],
  ])('the password %j is accepted', (password) => {
    expect(accepts(password)).toBe(true);
  });

  it('a password of 200 characters is checked in 20 milliseconds of the processor', () => {
    const password = 'qwertyuiopasdfghjklzxcvbnm1234567890'.repeat(6).slice(0, 199);
    const started = process.threadCpuUsage();
    for (let time = 0; time < 20; time += 1) accepts(`${password}${time % 10}`);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 20).toBeLessThan(20_000);
  });
});
