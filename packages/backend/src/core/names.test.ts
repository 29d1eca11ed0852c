import { looksLikeName, nameFault, normalizeName } from '@fabrica/contract';
import { describe, expect, it } from 'vitest';

describe('names', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Ada \u00A0 Lovelace ', 'Ada Lovelace'],
    ['A\u200Bda\u2060\uFEFF', 'Ada'],
    ['A\u00ADda', 'Ada'],
    ['Ａｄａ', 'Ada'],
    ['\u{1D400}da', 'Ada'],
    ['A\u{E0041}da\u{E007F}', 'Ada'],
    ['\u3164\u2800', ''],
    ['Zoe\u0308', 'Zoë'],
    ['Z\u0335\u0336\u0337\u0338\u0321\u0322a', 'Z\u0335\u0336\u0337\u0338a'],
    ['نور\u200Cالدین', 'نور\u200Cالدین'],
    ['क्\u200Dष', 'क्\u200Dष'],
    ['Ada\u200D', 'Ada'],
    ['Nguyễn Thị Minh Khai', 'Nguyễn Thị Minh Khai'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(normalizeName(typed)).toBe(stored);
    expect(normalizeName(stored)).toBe(stored);
  });

  it.each([
    'Ada Lovelace',
    'Дмитрий Менделеев',
    'Dmitri Менделеев',
    'Σωκράτης',
    'Åsa-Мария',
    '山田 太郎',
    'O’Brien, M.D.',
    'محمد علي',
    'Ada 🦋',
    'Jean-François 2',
    '',
  ])('%j may be a name', (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  it.each([
    ['ada@example.org', 'email'],
    ['ada＠example.org', 'email'],
    ['Ad\u0430', 'unclear'],
    ['\u039Cara Lind', 'unclear'],
    ['Ada\u202EecalevoL', 'unclear'],
    ['Ada\u200F', 'unclear'],
    ['Ada\u2066x\u2069', 'unclear'],
    ['Ada\nLovelace', 'unclear'],
    ['Ada\u0000', 'unclear'],
    ['Ada\u001B[31m', 'unclear'],
    ['A\u200Bd\u0430', 'unclear'],
    ['Ada\uD800', 'unclear'],
    ['\u0531da', 'unclear'],
  ])('%j is refused as %s', (name, fault) => {
    expect(nameFault(name)).toBe(fault);
  });

  it.each([
    ['Dr Mara Lind', 'dr. mara lind'],
    ['Dr Mara Lind', 'Mara Lind'],
    ['Dr Mara Lind', 'Mara Lind, M.D.'.replaceAll('.', '')],
    ['Dr Mara Lind', 'Dr Mara L1nd'],
    ['Dr Mara Lind', 'Dr Mara LIND'],
    ['Dr Mara Lind', 'Dr Mara Iind'],
    ['Dr Mara Lind', 'Dr Marà  Lind'],
    ['Dr Mara Lind', 'Dr. Mara-Lind'],
    ['Dr Mara Lind', 'Dr Mara\u200B Lind'],
    ['Dr Mara Lind', 'Dr Mara\u3164 Lind'],
    ['Dr Mara Lind', 'Dr Мага Lind'.replace('г', 'r')],
    ['Sara Cope', 'Ѕага Соре'],
    ['Anna Bern', 'Anna Bem'],
    ['Walter Zoo', 'VValter Z00'],
    ['Ada', 'Αda'],
  ])('%j looks like %j', (name, other) => {
    expect(looksLikeName(name, other)).toBe(true);
    expect(looksLikeName(other, name)).toBe(true);
  });

  it.each([
    ['Dr Mara Lind', 'Dr Mara Lund'],
    ['Dr Mara Lind', 'Dr Jon Vale'],
    ['Dr Mara Lind', 'Anonymous'],
    ['Dr', 'Prof'],
    ['', ''],
    ['🦋', '🌿'],
    ['山田', '山本'],
  ])('%j does not look like %j', (name, other) => {
    expect(looksLikeName(name, other)).toBe(false);
  });
});
