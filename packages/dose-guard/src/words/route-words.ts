/** A way on which a medicine enters the body, with the beginnings of its words in all four languages. */
interface Route {
  name: string;
  /** Words that say it. */
  says: RegExp;
  /** Words that may say it: a translation with one of them is right. */
  hints: RegExp;
  /** Abbreviations, which count with their dots or in capitals: "im" is a German word. */
  abbreviation?: string;
}

const NEVER = /^(?!)/;

export const ROUTES: readonly Route[] = [
  {
    name: 'oral',
    says: /^(?:oral|orales|oralen|oraler|oralement|oralmente|orally|oraux|orale|peroral\p{L}*)$/u,
    hints:
      /^(?:mouth|mund|boca|bouche|ein|einnehmen|einzunehmen|eingenommen|einnahme|schluck\p{L}*|geschluckt|swallow\p{L}*|avale\p{L}*|trag\p{L}*|os|ingest\p{L}*|inger\p{L}*|buccale?)$/u,
    abbreviation: 'po',
  },
  {
    name: 'intravenous',
    says: /^(?:intraven|endoven|intravein)/,
    hints: /^(?:infu|perfus|vein|vena|vene|veine|venös|venous)/,
    abbreviation: 'iv',
  },
  { name: 'intramuscular', says: /^intramus/, hints: /^(?:muscle|muskel|músculo)/, abbreviation: 'im' },
  {
    name: 'subcutaneous',
    says: /^(?:subcut|subkut|subcután|cutanée?s?$|hypoderm)/,
    hints: /^(?:skin|haut|piel|peau|subcut|subkut)/,
    abbreviation: 'sc',
  },
  {
    name: 'intradermal',
    says: /^(?:intraderm|intradérm|intrakut|intracut)/,
    hints: /^(?:skin|haut|piel|peau|derm)/,
  },
  { name: 'sublingual', says: /^subling/, hints: /^(?:tongue|zunge|lengua|langue)/ },
  {
    name: 'rectal',
    says: /^re[ckt]t?[ao]l/,
    hints: /^(?:suppos|zäpfchen|supos|rectum|recto|enddarm|after$|anus)/,
  },
  { name: 'vaginal', says: /^(?:intra)?vaginal/, hints: /^(?:vagin|scheide)/ },
  { name: 'inhaled', says: /^inhal/, hints: /^(?:inhal|einatm|inspir|aérosol|aerosol|atm)/ },
  {
    name: 'nasal',
    says: /^(?:intra)?nasal/,
    hints: /^(?:nose|nostril|nase|nasen|nariz|narina|fosa|nez|narine)/,
  },
  { name: 'transdermal', says: /^transd[eé]rm/, hints: /^(?:skin|haut|piel|peau|patch|pflaster|parche)/ },
  {
    name: 'topical',
    says: /^(?:topic|topiqu|topisch|tópic)/,
    hints: /^(?:lo[ck]al|äußerlich|skin|haut|piel|peau|external|externe|cutan|kutan)/,
  },
  { name: 'intrathecal', says: /^intra(?:the[kc]|thé[kc]|te[ckqu])/, hints: /^(?:lumb|spinal|rachi)/ },
  { name: 'epidural', says: /^(?:epidur|épidur|peridur|péridur)/, hints: NEVER },
  { name: 'intra-articular', says: /^intraarti/, hints: /^(?:artic|gelenk|joint|artik)/ },
  { name: 'intraperitoneal', says: /^intrap[eé]rit/, hints: /^p[eé]rit/ },
  { name: 'intraosseous', says: /^intra(?:oss|óse|ose)/, hints: /^(?:bone|knoch|óse|oss|hueso)/ },
  { name: 'intravitreal', says: /^intravitr|^intravítr/, hints: /^(?:vitr|vítr|glaskörper)/ },
];

/** Routes in several words: under the skin. */
export const ROUTE_PHRASES: readonly (readonly [string, string])[] = [
  [
    'by mouth|per os|par la bouche|por la boca|por boca|durch den mund|zum einnehmen|par voie buccale',
    'oral',
  ],
  [
    'under the skin|unter die haut|bajo la piel|debajo de la piel|sous la peau|sous cutané|sous cutanée|sous cutanées',
    'subcutaneous',
  ],
  [
    'under the tongue|unter die zunge|unter der zunge|bajo la lengua|debajo de la lengua|sous la langue',
    'sublingual',
  ],
  ['into a vein|into the vein|in eine vene|en una vena|dans une veine', 'intravenous'],
  ['into a muscle|into the muscle|in einen muskel|en un músculo|dans un muscle', 'intramuscular'],
];
