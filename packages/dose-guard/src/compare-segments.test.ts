import { expect, it } from 'vitest';
import { compareSegments } from './compare-segments.ts';
import type { Language } from './findings.ts';

type Sides = [source: Language, sourceText: string, target: Language, targetText: string];

const compare = ([source, text, target, translated]: Sides) =>
  compareSegments({ language: source, text }, { language: target, text: translated });

it.each<Sides>([
  ['en', 'Take 5 mg twice daily for 7 days.', 'de', 'Nehmen Sie 7 Tage lang zweimal täglich 5 mg ein.'],
  ['en', 'At least 1,000 mg every 8 hours', 'de', 'Mindestens 1.000 mg alle 8 Stunden'],
  ['en', '250,000 patients', 'fr', 'deux cent cinquante mille patients'],
  ['es', 'treinta y cinco mil doscientos', 'de', 'fünfunddreißigtausendzweihundert'],
  ['en', '3.5 billion cells', 'es', '3,5 mil millones de células'],
  ['en', 'one and a half tablets', 'de', 'anderthalb Tabletten'],
  ['en', 'on 12 March 2024 at 8 pm', 'de', 'am 12. März 2024 um 20 Uhr'],
  ['en', '10:sup[6] cells/kg and 1.5 × 10⁹/L', 'de', '10⁶ Zellen/kg und 1,5 x 10:sup[9]/l'],
  ['en', 'stage IV cancer at −20 °C', 'fr', 'cancer de stade 4 à moins 20 °C'],
  ['en', '0.5 g', 'de', '500 mg'],
])('%s %j says the same as %s %j', (...sides) => {
  expect(compare(sides)).toEqual([]);
});

it.each([
  ['Beide Herzens', 'de', 'Herz', 'Les deux cœurs', 'fr', 'cœur'],
  ['Dos corazones', 'es', 'corazón', 'Zwei Herzen', 'de', 'Herz'],
  ['Ein Herz', 'de', 'Herz', 'Los corazones', 'es', 'corazón'],
  ['Two heart attacks', 'en', 'heart attack', 'Dos infartos', 'es', 'infarto'],
  ['Both eyes', 'en', 'eye', 'Les deux yeux', 'fr', 'œil'],
  ['Les yeux rouges', 'fr', 'œil', 'Rote Augen', 'de', 'Auge'],
  ['A cardiac arrest', 'en', 'cardiac arrest', 'Dos paros cardíacos', 'es', 'paro cardíaco'],
  ['Two physicians', 'en', 'physician', 'Zwei Ärzte', 'de', 'Arzt'],
] as const)(
  'in “%s” (%s) the term %s is found in its form, and so is its translation',
  (text, language, source, other, to, target) => {
    const found = (words: string) =>
      compareSegments(
        { text, language },
        { text: words, language: to },
        {
          terms: [{ source, target, translate: true }],
        },
      ).filter(({ kind }) => kind === 'term');
    expect(found(other)).toEqual([]);
    expect(found('xyz xyz')).toHaveLength(1);
  },
);

it('a longer word that only begins as a term does is not the term', () => {
  const terms = [{ source: 'heart', target: 'Herz', translate: true }];
  const source = { text: 'A heartbreaking story', language: 'en' } as const;
  expect(compareSegments(source, { text: 'Eine traurige Geschichte', language: 'de' }, { terms })).toEqual(
    [],
  );
});

it('a finding names both places by their offsets in the Markdown', () => {
  const source = 'Take **5 mg** twice daily.';
  const target = 'Nehmen Sie zweimal täglich **50 mg** ein.';
  expect(compare(['en', source, 'de', target])).toEqual([
    {
      kind: 'number',
      severity: 'block',
      source: { text: '5 mg', start: 7, end: 11 },
      target: { text: '50 mg', start: 29, end: 34 },
    },
  ]);
});

it('words that were copied warn, are a doubt where they are seen to be in the source’s language, and contradict no number', () => {
  const copied = (text: string, other?: string) =>
    compareSegments({ text, language: 'en' }, { text, language: 'de' }, { recogniseOther: () => other });
  const arteries = 'Two arteries leave the aorta, and they do not meet again.';
  const seen = ['en', undefined].flatMap((other) => copied(arteries, other));
  expect(seen.map(({ kind, severity }) => [kind, severity])).toEqual([
    ['language', 'doubt'],
    ['untranslated', 'warning'],
  ]);
  expect(copied('Take 1.000 mg of it with water.').map(({ kind }) => kind)).toContain('number');
  const misread = compare(['en', 'Take 2.5 mg.', 'de', 'Nehmen Sie 2.5 mg.']);
  expect(misread.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual(['decimal block']);
});

it('three words in a row that a clause has from its source are a doubt, where they are in its language, and else a small word', () => {
  const found = compareSegments(
    { text: 'Rest after the meal.', language: 'en' },
    { text: 'Sie sollen after the meal ruhen.', language: 'de' },
    { recogniseOther: (text) => (text === 'after the meal' ? 'en' : undefined) },
  );
  expect(found.map(({ kind, target }) => [kind, target?.text])).toEqual([['language', 'after the meal']]);
});

it('a clause of four words in another language is a doubt, and of three in the source’s, unless the source quotes it', () => {
  const other = (text: string) => (/\bthe\b/.test(text) ? 'en' : /\bdella\b/.test(text) ? 'it' : undefined);
  const found = (source: string, text: string) =>
    compareSegments(
      { text: source, language: 'en' },
      { text, language: 'de' },
      { recogniseOther: (clause) => (clause === text ? undefined : other(clause)) },
    ).map(({ kind, severity, target }) => [kind, severity, target?.text]);
  expect(
    found('Rest, and take it after the evening meal.', 'Ruhe, and take it after the evening meal.'),
  ).toEqual([['language', 'doubt', 'and take it after the evening meal']]);
  expect(found('Rest after the meal.', 'Ruhe, after the meal.')).toEqual([
    ['language', 'doubt', 'after the meal'],
  ]);
  const quoted = 'nel mezzo del cammin della vita';
  expect(found(`He wrote: ${quoted}.`, `Er schrieb: ${quoted}.`)).toEqual([]);
  expect(found('He wrote of the middle.', `Er schrieb: ${quoted}.`)).toContainEqual([
    'language',
    'doubt',
    quoted,
  ]);
});

it.each<Sides>([
  ['en', 'The dose was reduced by 5 mg.', 'de', 'Die Dosis wurde auf 5 mg reduziert.'],
  ['en', 'The dose was reduced to 5 mg.', 'fr', 'La dose a été réduite de 5 mg.'],
  ['es', 'Aumente la dosis en 10 mg.', 'fr', 'Augmentez la dose à 10 mg.'],
])('%s %j contradicts %s %j by what stays of a dose', (...sides) => {
  expect(compare(sides)).toMatchObject([{ severity: 'block' }]);
});

it.each<[...Sides, kind: string]>([
  ['en', 'Give it IM.', 'de', 'Geben Sie es i.v.', 'route'],
  ['en', 'Take it before breakfast.', 'es', 'Tómelo después del desayuno.', 'opposite'],
  ['de', 'Das linke Knie wird operiert.', 'fr', 'On opère le genou droit.', 'opposite'],
  ['fr', 'Augmentez la dose lundi.', 'en', 'Reduce the dose on Monday.', 'opposite'],
  ['es', 'Una cucharadita por la mañana', 'de', 'Ein Esslöffel am Morgen', 'opposite'],
  ['en', 'The ticket costs nine euros.', 'fr', 'Le billet coûte neuf dollars.', 'opposite'],
  ['es', 'Cuesta 45 céntimos.', 'de', 'Es kostet 45 Euro.', 'opposite'],
  ['fr', 'Deux gouttes dans chaque œil', 'en', 'Two drops in each ear', 'opposite'],
  ['de', 'Er schluckte das Mittel.', 'es', 'Se inyectaba el remedio.', 'opposite'],
  ['en', 'It was changed at noon.', 'fr', 'On la changeait à minuit.', 'opposite'],
  ['es', 'La combinación es peligrosa.', 'de', 'Die Kombination ist unbedenklich.', 'opposite'],
  ['de', 'Bei Hyperkaliämie absetzen.', 'es', 'Suspender en caso de hipopotasemia.', 'opposite'],
  ['en', 'Her asthma is chronic.', 'fr', 'Son asthme est aigu.', 'opposite'],
  ['de', 'Die Niere ist vergrößert.', 'en', 'The liver is enlarged.', 'opposite'],
  ['en', 'Two men were treated.', 'es', 'Se trató a dos mujeres.', 'opposite'],
  ['en', 'It is riskier at night.', 'es', 'Es más segura por la noche.', 'opposite'],
  ['en', 'It heals eventually.', 'de', 'Es heilt eventuell.', 'opposite'],
  ['es', 'La paciente está embarazada.', 'en', 'The patient is embarrassed.', 'opposite'],
  ['fr', 'Il est constipé.', 'es', 'Está constipado.', 'opposite'],
  ['de', 'Das ist also wahr.', 'en', 'That is also true.', 'opposite'],
  ['en', 'Take it with water.', 'de', 'Nehmen Sie es ohne Wasser ein.', 'opposite'],
  ['en', 'Give prednisone.', 'es', 'Administre prednisolona.', 'opposite'],
  ['fr', 'Prenez de l’ibuprofène, si besoin.', 'de', 'Nehmen Sie es bei Bedarf.', 'opposite'],
  ['en', 'No ibuprofen; paracetamol helps.', 'fr', 'Pas de paracétamol ; l’ibuprofène aide.', 'opposite'],
  ['en', 'Give it before starting fluids.', 'es', 'Adminístrelo después de iniciar líquidos.', 'opposite'],
  ['de', 'Der distale Radius ist gebrochen.', 'en', 'The proximal radius is broken.', 'opposite'],
  ['en', 'Some coughed in summer.', 'fr', 'Certains toussaient en hiver.', 'opposite'],
  [
    'en',
    'The donor is positive, the recipient negative.',
    'fr',
    'Le receveur est positif, le donneur négatif.',
    'opposite',
  ],
  [
    'es',
    'Descanse cuando tosa y tenga fiebre.',
    'de',
    'Ruhen Sie, wenn Sie husten oder fiebern.',
    'opposite',
  ],
  ['en', 'Give hydroxyzine.', 'de', 'Geben Sie Hydralazin.', 'opposite'],
  ['en', 'Drive unless you feel tired.', 'fr', 'Conduisez si vous êtes fatigué.', 'negation'],
  ['es', 'No come nada y no bebe.', 'fr', 'Il ne mange rien et il boit.', 'negation'],
  ['fr', 'Prenez-le avec un verre de lait.', 'es', 'Tómelo con a glass of milk.', 'language'],
  ['en', 'Drink plenty of water.', 'de', 'Trinken Sie viel Wasser und auch reichlich warme Milch.', 'length'],
  ['en', 'It ends in the dark.', 'de', 'Es endet im Dunkeln', 'punctuation'],
  ['en', 'Rest (if you can) and drink.', 'de', 'Ruhen Sie und trinken Sie.', 'punctuation'],
])('%s %j and %s %j is a doubt: %s', (...sides) => {
  const [source, text, target, translated, kind] = sides;
  const found = compare([source, text, target, translated]);
  expect(found.map((one) => `${one.kind} ${one.severity}`)).toContain(`${kind} doubt`);
});

it.each<Sides>([
  ['en', 'The dose was reduced by 5 mg.', 'de', 'Die Dosis wurde um 5 mg reduziert.'],
  ['en', 'The risk fell by up to 30 %.', 'de', 'Das Risiko sank um bis zu 30 %.'],
  ['en', 'Reduce the dose from 10 to 5 mg.', 'fr', 'Réduire la dose de 10 à 5 mg.'],
  ['en', 'Penicillin IV, then orally', 'de', 'Penicillin i.v., dann oral'],
  ['en', 'It heals eventually.', 'de', 'Es heilt schließlich.'],
  ['es', 'La dosis actual es baja.', 'en', 'The current dose is low.'],
  ['en', 'Phenoxymethylpenicillin or azithromycin', 'es', 'Fenoximetilpenicilina o azitromicina'],
  ['fr', 'Hydrochlorothiazide et méthotrexate', 'de', 'Methotrexat und Hydrochlorothiazid'],
  ['es', 'Tomaba heparina.', 'de', 'Sie bekam Heparinspritzen.'],
  ['en', 'half of them', 'de', '50 % von ihnen'],
  ['en', 'six times a year, women four times', 'de', 'sechsmal, Frauen viermal im Jahr'],
  ['es', 'Retírelo, salvo que exista una fístula.', 'de', 'Entfernen Sie es, sofern keine Fistel vorliegt.'],
  ['es', 'Son 1,2 millones de unidades.', 'fr', 'Cela fait 1,2 million d’unités.'],
  ['en', 'Thursday evening between six and nine', 'fr', 'jeudi soir de 18 heures à 21 heures'],
  ['fr', 'La racine L5 au niveau L4-L5', 'de', 'In Höhe L4/L5 die Wurzel L5'],
  ['fr', 'Il ne boit ni ne fume.', 'en', 'He neither drinks nor smokes.'],
  ['en', 'Give it orally or intravenously.', 'es', 'Adminístrese por vía intravenosa u oral.'],
])('%s %j agrees with %s %j on what stays of a dose, on routes, words and medicines', (...sides) => {
  expect(compare(sides).filter(({ severity }) => severity !== 'warning')).toEqual([]);
});

it('what only one side was read to say warns: a comparator that stands apart', () => {
  const severities = (...sides: Sides) => compare(sides).map(({ severity }) => severity);
  expect(severities('en', '10 g or more of it', 'de', '10 g davon oder mehr')).toEqual(['warning']);
  expect(severities('en', 'at least 10 g', 'de', '10 g')).toEqual(['block']);
});

it.each<[part: string, source: Language, target: Language]>([
  ['a;', 'fr', 'es'],
  ['(a', 'fr', 'es'],
  ['£5 ', 'en', 'de'],
  ['>5 ', 'fr', 'es'],
  ['5. ', 'en', 'de'],
  ['twice a day ', 'en', 'de'],
  ['before left ', 'en', 'fr'],
  ['aapril; ', 'en', 'fr'],
  ['ibuprofen', 'en', 'de'],
  ['the and or ', 'en', 'de'],
  ['ne ni donneur positif ', 'fr', 'es'],
])('the longest segment of nothing but %j is compared in no time, from %s to %s', (part, source, target) => {
  const text = part.repeat(6_000 / part.length);
  const others = ['x', text.slice(0, 5_000), text.replaceAll('5', '6'), text.replaceAll('>', '')];
  for (const translated of [text, ...others]) {
    // What is compiled with the first comparison is not the text's.
    const times = [1, 2].map(() => {
      const before = process.threadCpuUsage();
      compare([source, text, target, translated]);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...times), translated.slice(0, 20)).toBeLessThan(300);
  }
});
