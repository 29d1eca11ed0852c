import type { Language } from '../findings.ts';

/** Names what a comparator says: at least, more than, at most, less than, about. */
export type Comparator = 'ge' | 'gt' | 'le' | 'lt' | 'about';

/** `weak` comparators may as well say nothing: "over" in "over 5 days", "hasta" in "aumentar hasta 10 mg". */
export interface ComparatorWord {
  comparator: Comparator;
  /** The other meaning that it may have: "knapp" is a little less, and about. */
  also?: Comparator;
  weak?: true;
}

type Entries<Meaning> = readonly (readonly [string, Meaning])[];
type ByLanguage<Value> = Readonly<Record<Language, Value>>;

const ge = { comparator: 'ge' } as const;
const gt = { comparator: 'gt' } as const;
const le = { comparator: 'le' } as const;
const lt = { comparator: 'lt' } as const;
const about = { comparator: 'about' } as const;
const weakGe = { comparator: 'ge', weak: true } as const;
const weakLe = { comparator: 'le', weak: true } as const;
const justUnder = { comparator: 'lt', also: 'about' } as const;
const justOver = { comparator: 'gt', also: 'about' } as const;
/** A time within which something happens, which other languages may call a limit. */
const within = { comparator: 'le', also: 'lt', weak: true } as const;
const weakAbout = { comparator: 'about', weak: true } as const;

const SYMBOLS: Entries<ComparatorWord> = [
  ['≥|⩾|>=|=>|≧', ge],
  ['>', gt],
  ['≤|⩽|<=|=<|≦', le],
  ['<', lt],
  ['≈|~|∼|≃|≅', about],
];

/** Adds the forms that Spanish and French prepositions have with an article: "superior al 5 %", "inférieur aux 5 %". */
function withArticles(entries: ByLanguage<Entries<ComparatorWord>>): ByLanguage<Entries<ComparatorWord>> {
  const contracted = (
    list: Entries<ComparatorWord>,
    forms: readonly (readonly [RegExp, readonly string[]])[],
  ) =>
    list.map(([phrases, word]) => {
      const all = phrases
        .split('|')
        .flatMap((phrase) => [
          phrase,
          ...forms.flatMap(([ending, others]) =>
            ending.test(phrase) ? others.map((other) => phrase.replace(ending, other)) : [],
          ),
        ]);
      return [[...new Set(all)].join('|'), word] as const;
    });
  return {
    ...entries,
    es: contracted(entries.es, [
      [/ a$/, [' al']],
      [/ de$/, [' del']],
    ]),
    fr: contracted(entries.fr, [
      [/ à$/, [' au', ' aux']],
      [/ de$/, [' du', ' des', ' d']],
    ]),
  };
}

/** Words that stand before the number they compare with. */
export const COMPARATORS_BEFORE: ByLanguage<Entries<ComparatorWord>> = withArticles({
  en: [
    ...SYMBOLS,
    [
      'at least|a minimum of|minimum of|minimum|no less than|not less than|no fewer than|not fewer than|not below|greater than or equal to|more than or equal to|equal to or greater than|equal to or more than|equal to or above|or more than|min|no lower than|not lower than|at or above|at or over|of or above',
      ge,
    ],
    [
      'more than|greater than|over|above|higher than|longer than|larger than|older than|heavier than|later than|in excess of|exceed|exceeds|exceeding|exceeded|upwards of|bigger than|beyond|well over|upward of',
      gt,
    ],
    [
      'up to|at most|a maximum of|maximum of|maximum|no more than|not more than|not over|not above|no higher than|no longer than|not longer than|no later than|not exceeding|not to exceed|less than or equal to|lower than or equal to|equal to or less than|max|not greater than|no greater than|up to a maximum of|not later than|at or below|at or under|at the latest',
      le,
    ],
    [
      'less than|fewer than|under|below|lower than|shorter than|younger than|smaller than|lighter than|earlier than|well below',
      lt,
    ],
    [
      'about|approximately|around|roughly|approx|some|nearly|almost|circa|ca|close to|an estimated|an average of about|in the region of|on the order of|in the order of',
      about,
    ],
    ['c .', weakAbout],
    ['within', within],
    ['just under|a little less than|slightly less than|barely|a little under|slightly under', justUnder],
    ['just over|a little over|slightly over|a little more than|slightly more than', justOver],
    ['from', weakGe],
    ['no more often than|not more often than|no more frequently than|not more frequently than', le],
    ['as much as|as many as|as high as|as long as', weakLe],
  ],
  es: [
    ...SYMBOLS,
    [
      'al menos|como mínimo|por lo menos|un mínimo de|mínimo de|mínimo|no menos de|no inferior a|igual o superior a|igual o mayor a|igual o mayor que|igual o mayor de|mayor o igual a|mayor o igual que|superior o igual a|iguales o superiores a|mayores o iguales a|no menor de|no inferiores a|cuando menos|mín|desde al menos',
      ge,
    ],
    [
      'más de|mayor de|mayor que|mayor a|mayores de|mayores que|mayores a|superior a|superiores a|superior al|superiores al|por encima de|por encima del|superar|supera|superan|supere|superen|superado|exceder|excede|exceda|excedan|exceden|sobrepasar|sobrepase|rebasar|más allá de|más del|mayor del|por arriba de',
      gt,
    ],
    [
      'no más a menudo que|con una frecuencia no superior a|hasta|como máximo|un máximo de|máximo de|máximo|a lo sumo|como mucho|no más de|no superior a|no mayor de|igual o inferior a|igual o menor a|igual o menor que|menor o igual a|menor o igual que|inferior o igual a|iguales o inferiores a|a más tardar|máx|hasta un máximo de|hasta un|hasta en un|como muy tarde|como muy tarde a',
      le,
    ],
    [
      'baja de|baja del|bajan de|bajan del|desciende de|desciende del|cae de|menos de|menor de|menor que|menor a|menores de|menores que|menores a|inferior a|inferiores a|inferior al|inferiores al|por debajo de|por debajo del|antes de cumplir|menos del|menor del',
      lt,
    ],
    [
      'aproximadamente|unos|unas|alrededor de|alrededor del|cerca de|cerca del|en torno a|en torno al|casi|aprox|más o menos|ronda|rondan|rondaba|rondaban|del orden de|cercano a|cercana a|próximo a|próxima a',
      about,
    ],
    ['algo menos de|poco menos de|un poco menos de|ligeramente inferior a|apenas', justUnder],
    ['algo más de|poco más de|un poco más de|ligeramente superior a', justOver],
    ['dentro de|en un plazo de|en el plazo de|en un radio de|en', within],
    ['hacia|hacia las|h .|c .|ca .|hacia el año', weakAbout],
    ['a partir de|a partir de los|desde|desde los', weakGe],
  ],
  fr: [
    ...SYMBOLS,
    [
      'au moins|au minimum|un minimum de|minimum de|minimum|pas moins de|supérieur ou égal à|supérieure ou égale à|supérieurs ou égaux à|supérieures ou égales à|égal ou supérieur à|égale ou supérieure à|d au moins|min',
      ge,
    ],
    [
      'plus de|plus d|supérieur à|supérieure à|supérieurs à|supérieures à|au dessus de|au delà de|dépasser|dépasse|dépassent|dépassez|dépassant|dépassé|excéder|excède|excédant|excédez|de plus de|supérieur aux',
      gt,
    ],
    [
      'pas plus souvent que|jusqu à|jusqu|au maximum|un maximum de|maximum de|maximum|au plus|tout au plus|pas plus de|pas plus d|inférieur ou égal à|inférieure ou égale à|inférieurs ou égaux à|inférieures ou égales à|égal ou inférieur à|égale ou inférieure à|au plus tard|max|à concurrence de|à hauteur de',
      le,
    ],
    [
      'moins de|moins d|inférieur à|inférieure à|inférieurs à|inférieures à|en dessous de|au dessous de|sous les|sous|de moins de',
      lt,
    ],
    [
      'environ|approximativement|à peu près|près de|près d|autour de|aux alentours de|presque|quelque|approx|à environ|d environ|quasiment|avoisine|avoisinent|avoisinait|de l ordre de|proche de|voisin de|voisine de',
      about,
    ],
    ['un peu moins de|à peine', justUnder],
    ['un peu plus de', justOver],
    ['dans|en|en l espace de|dans un délai de|dans un rayon de|endéans', within],
    ['vers|v .|c .|ca .', weakAbout],
    ['à partir de|à partir du|à partir de l âge de|dès|dès l âge de|dès les|à compter de', weakGe],
  ],
  de: [
    ...SYMBOLS,
    [
      'mindestens|wenigstens|zumindest|mind|nicht weniger als|nicht unter|mindestens aber|minimal|größer oder gleich|größer gleich|größer als oder gleich|nicht kürzer als|ein minimum von|gleich oder größer als|ab einschließlich|nicht kleiner als',
      ge,
    ],
    [
      'mehr als|über|größer als|höher als|länger als|älter als|schwerer als|später als|oberhalb|oberhalb von|jenseits von|größer|überschreiten|überschreitet|übersteigt|übersteigen|überstieg|knapp über',
      gt,
    ],
    [
      'nicht häufiger als|nicht öfter als|bis zu|höchstens|maximal|max|nicht mehr als|nicht über|nicht länger als|nicht höher als|spätestens|kleiner oder gleich|kleiner gleich|bis maximal|bis zu maximal|ein maximum von|gleich oder kleiner als|nicht größer als|bis höchstens|nicht älter als|längstens|bis zu einem|bis zu einer',
      le,
    ],
    [
      'noch keine|noch keinen|noch nicht|weniger als|unter|kleiner als|niedriger als|geringer als|kürzer als|jünger als|leichter als|unterhalb|unterhalb von|unterschreitet|unterschreiten|früher als|unterhalb eines|unter einem|unterhalb der',
      lt,
    ],
    [
      'etwa|ungefähr|ca|rund|circa|zirka|annähernd|nahezu|fast|schätzungsweise|um die|beinahe|in der größenordnung von',
      about,
    ],
    ['knapp|etwas weniger als|kaum|knapp unter', justUnder],
    ['etwas mehr als|gut', justOver],
    ['gegen|um', weakAbout],
    ['innerhalb|innerhalb von|binnen|in|im umkreis von', within],
    ['ab|ab einem|ab dem|ab einer', weakGe],
    ['bis', weakLe],
  ],
});

/** Words that stand behind the number and its unit. */
export const COMPARATORS_AFTER: ByLanguage<Entries<ComparatorWord>> = {
  en: [
    [
      'or more|or after|or above|or over|or older|or higher|or greater|or longer|and over|and above|and older|and more|and higher|or later|or heavier|at a minimum|at the least|or beyond|and up|of age and older|of age or older|old or older|of age and over|of age or over|old and over|old and older',
      ge,
    ],
    [
      'or less|or earlier|or before|or below|or under|or fewer|or lower|or younger|and under|and below|and younger|at most|or shorter|of age and younger|of age or younger|at the most|maximum|old or younger|at the latest|at latest',
      le,
    ],
  ],
  es: [
    [
      'o más|y más|o después|o posterior|o posteriores|o más tarde|o mayores|y mayores|o mayor|o superior|o superiores|en adelante|como mínimo|o más años|o más de edad|de edad o más|de edad o mayores|de edad y mayores|por lo menos|al menos',
      ge,
    ],
    [
      'o menos|y menos|o antes|o anterior|o anteriores|o menor|o menores|o inferior|o inferiores|como máximo|a lo sumo|de edad o menos|de edad o menores|de máximo|a más tardar|como muy tarde|como mucho|a lo sumo',
      le,
    ],
  ],
  fr: [
    [
      'ou plus|et plus|ou plus tard|ou après|ou davantage|au moins|au minimum|minimum|et au delà|ou au delà|ou plus âgés|et plus âgés',
      ge,
    ],
    [
      'ou moins|et moins|ou plus tôt|ou avant|au plus|au plus tard|au maximum|maximum|ou plus jeunes|et plus jeunes|ou en dessous',
      le,
    ],
  ],
  de: [
    [
      'oder mehr|und mehr|oder danach|und später|oder älter|und älter|oder höher|oder darüber|und darüber|und höher|oder länger|oder später|alt oder älter|alt und älter|oder größer|aufwärts|und länger|oder schwerer',
      ge,
    ],
    [
      'oder weniger|und weniger|oder früher|oder davor|oder jünger|und jünger|oder niedriger|oder darunter|und darunter|oder kürzer|alt oder jünger|oder kleiner',
      le,
    ],
    ['überschreiten|überschreitet|übersteigen|übersteigt|überstieg|überschritten|hinaus', gt],
    ['unterschreiten|unterschreitet|unterschritten', lt],
  ],
};

/** Words that may stand between a comparator and its number. */
export const FILLERS: ByLanguage<ReadonlySet<string>> = {
  en: new Set('the a an of to total at age ages for than € $ £ us'.split(' ')),
  es: new Set(
    'en los las el la un una de del a total edad cada otros otras unos unas durante € $'.split(' '),
  ),
  fr: new Set('après en dans les la le l de des d un une à au bout total pendant ans €'.split(' ')),
  de: new Set(
    'von den die der das zu einem einer eine einen insgesamt als auf dem alle im nach € $'.split(' '),
  ),
};

/** Words between the ends of a range, beside dashes, and those before a range whose ends an "and" joins. */
export const RANGE_JOINERS: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['to', 'through', 'till', 'until']),
  es: new Set(['a', 'al', 'hasta']),
  fr: new Set(['à', 'au', 'jusqu']),
  de: new Set(['bis']),
};
export const BETWEEN: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['between']),
  es: new Set(['entre']),
  fr: new Set(['entre']),
  de: new Set(['zwischen']),
};
export const AND: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['and']),
  es: new Set(['y', 'e']),
  fr: new Set(['et']),
  de: new Set(['und']),
};
export const OR: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['or']),
  es: new Set(['o', 'u', 'ó']),
  fr: new Set(['ou']),
  de: new Set(['oder', 'bzw', 'beziehungsweise']),
};

/** Words that let one number hold for each of several things, where another language repeats it. */
export const DISTRIBUTIVES: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['each', 'apiece', 'respectively', 'both', 'either']),
  es: new Set(['cada', 'ambos', 'ambas', 'respectivamente']),
  fr: new Set(['chacun', 'chacune', 'chaque', 'respectivement']),
  de: new Set(['je', 'jeweils', 'jede', 'jeder', 'jedes', 'beide', 'beiden', 'beziehungsweise', 'bzw']),
};

/** Words that say "per" between a quantity and a unit. */
export const PER: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['per', 'a', 'an', 'each', 'every']),
  es: new Set(['por', 'al', 'a']),
  fr: new Set(['par']),
  de: new Set(['pro', 'je', 'per']),
};

/** Words before a number that is a name rather than a quantity: stage, type, section. Roman numerals stand behind these. */
export const LABELS: ByLanguage<ReadonlySet<string>> = {
  en: new Set(
    'stage stages type types phase phases grade grades class classes factor factors group groups level levels category step day week cycle section chapter table figure part version nerve nerves bipolar nyha asa chapters sections tables figures article appendix arm cohort generation degree line schedule'.split(
      ' ',
    ),
  ),
  es: new Set(
    'estadio estadios tipo tipos fase fases grado grados clase clases factor factores grupo grupos nivel niveles categoría paso día semana ciclo sección capítulo tabla figura parte versión par pares nyha asa apartado artículo anexo brazo cohorte siglo nervio etapa'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'stade stades type types phase phases grade grades classe classes facteur facteurs groupe groupes niveau niveaux catégorie étape jour semaine cycle section chapitre tableau figure partie version nerf nerfs nyha asa rubrique article annexe bras cohorte paire palier degré'.split(
      ' ',
    ),
  ),
  de: new Set(
    'stadium stadien typ phase phasen grad klasse klassen faktor faktoren gruppe gruppen stufe niveau kategorie schritt tag woche zyklus abschnitt kapitel tabelle abbildung teil version hirnnerv hirnnerven nyha asa artikel anhang arm kohorte abschnitte tab abb nr nummer stadiums'.split(
      ' ',
    ),
  ),
};
