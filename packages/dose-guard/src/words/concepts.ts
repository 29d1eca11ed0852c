/**
 * Beginnings of words that stand for one thing in English, Spanish, French and German, without accents. They tell which
 * number belongs to what when a translation puts its parts in another order.
 */
const TABLE = `
morning breakfast|manana desayun|matin dejeuner|morgen fruh
evening night bedtime dinner|noche cena acostar tarde|soir nuit coucher diner|abend nacht schlafen
noon midday lunch|mediodia almuerz|midi|mittag
adult|adult|adult|erwachs
child paediat pediat|nin pediat|enfant pediat|kind padiat
infant newborn neonat babies|lactante neonat bebe|nourriss nouveau neonat|saugling neugebor
men man male|hombre varon|homme masculin|mann manner mannlich
women woman female|mujer femenin|femme feminin|frau weiblich
patient|pacient|patient|patient
participant subject volunteer|participant sujet voluntari|participant sujet volontair|teilnehm proband freiwillig
placebo|placebo|placebo|placebo
control|control|control temoin|kontroll
died death mortal|muri murier fallec muert mortal|deced mort|starb gestorb verstorb tod sterb
surviv|superviv sobreviv|surviv survie|uberleb
start initial begin loading|inici carga comenz|debut initial charge commenc|anfang start beginn initial
maintenance|mantenimient|entretien|erhalt
systolic|sistolic|systol|systol
diastolic|diastolic|diastol|diastol
weight|peso|poids|gewicht
height|altura talla estatura|taille|grosse korpergross
water|agua|eau|wasser
increas rose raise higher|aument increment elev mayor|augment eleve|erhoh steiger stieg anstieg hoher
decreas reduc fell drop lower|reduc dismin baj|redui reduc dimin baiss|reduz senk sank verring niedrig ruckgang
left|izquierd|gauche|link
right|derech|droit|recht
mean average median|media promedi mediana|moyen median|mittel durchschnitt median
total overall|total|total|insgesamt gesamt
pregnan|embaraz gestant|enceinte grossess|schwanger
elderly older|ancian mayores|age agees|alter senior
severe|grave sever|sever grave|schwer
mild|leve|leger|leicht
moderate|moderad|moder|massig mittel
kidney renal|renal rinon|rein renal|nier renal
liver hepat|hepat higad|foie hepat|leber hepat
heart cardiac|corazon cardi|coeur card|herz kard
pulse|pulso|pouls|puls
fever temperat|fiebre temperat|fievre temperat|fieber temperat
breath respirat|respirat|respirat|atem respirat
blood|sangre sanguin|sang|blut
glucose sugar|glucos azucar|glucos glycem sucre|glukos zucker
infect|infect infecci|infect|infekt
treat therap|tratamient tratad terapi|traite therap|behandl therap
dose dosage|dosis|dose dosi|dosis dosen dosier
tablet|comprimid tablet|comprime|tablett
capsule|capsul|gelul capsul|kapsel
inject|inyecc inyect|inject|injekt spritz
hospital|hospital|hopital hospital|krankenhaus klinik stationar
day|dia|jour|tag
week|semana|semaine|woche
century|siglo|siecle|jahrhundert
month|mes|mois|monat
year|ano|an annee|jahr
hour|hora|heure|stunde
meal food eat|comida aliment|repas alimen|mahlzeit essen nahrung
surger operat|cirug operac intervenc|chirurg operat interven|operat chirurg eingriff
vaccin|vacun|vaccin|impf
case|caso|cas|fall falle
smok|fumad|fumeur|raucher
sensitiv|sensib|sensib|sensitiv
specific|especific|specific|spezif
primary|primari|primair|primar
secondary|secundari|secondair|sekundar
upper|superior|superieur|ober
lower|inferior|inferieur|unter
before|antes|avant|vor
after|despues tras|apres|nach
first|primer|premier|erst
second|segund|deuxiem second|zweit
third|tercer|troisiem|dritt
then follow|luego seguid posterior|puis ensuite suivi|dann danach anschliess gefolgt
morphine|morfin|morphin|morphin
prednis|prednis|prednis|prednis
sodium|sodio|sodium natrem|natrium
potassium|potasi|potassium kaliem|kalium
`;

const CONCEPTS = new Map<string, { stem: string; concept: number }[]>();
TABLE.trim()
  .split('\n')
  .forEach((row, concept) => {
    for (const stem of row.split(/[| ]/)) {
      const key = stem.slice(0, 2);
      const same = CONCEPTS.get(key);
      if (same) same.push({ stem, concept });
      else CONCEPTS.set(key, [{ stem, concept }]);
    }
  });

/** Words that many languages share begin alike, up to the spelling of a few sounds. */
function cognate(word: string): string | undefined {
  if (word.length < 4) return undefined;
  return word
    .replaceAll('ph', 'f')
    .replaceAll('th', 't')
    .replaceAll('k', 'c')
    .replaceAll('y', 'i')
    .replaceAll('z', 'c')
    .slice(0, 4);
}

/** Returns what a word stands for, as keys that words of other languages may share. */
export function conceptsOf(word: string): string[] {
  const folded = word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe');
  const concepts = (CONCEPTS.get(folded.slice(0, 2)) ?? [])
    .filter(({ stem }) =>
      stem.length < 4 ? folded === stem || folded === `${stem}s` : folded.startsWith(stem),
    )
    .map(({ concept }) => String(concept));
  const key = cognate(folded);
  return concepts.length > 0 ? concepts : key ? [key] : [];
}
