import type { Language } from '../../packages/dose-guard/src/index.ts';

/** Words that an error puts for others: each of a row for the one before it. */
export type Exchanges = Readonly<Record<Language, readonly (readonly [string, string])[]>>;

export const COMPARATORS: Exchanges = {
  en: [
    ['at least', 'at most'],
    ['no more than', 'no less than'],
    ['more than', 'less than'],
    ['less than', 'more than'],
    ['fewer than', 'more than'],
    ['below', 'above'],
    ['above', 'below'],
    ['under 6', 'over 6'],
    ['under 5', 'over 5'],
    ['up to 1', 'at least 1'],
    ['or more', 'or less'],
    ['or older', 'or younger'],
    ['≥', '≤'],
    ['≤', '≥'],
    ['<', '>'],
  ],
  es: [
    ['al menos', 'como máximo'],
    ['como máximo', 'como mínimo'],
    ['más de', 'menos de'],
    ['menos de', 'más de'],
    ['inferior a', 'superior a'],
    ['superior a', 'inferior a'],
    ['por debajo de', 'por encima de'],
    ['menores de', 'mayores de'],
    ['o más', 'o menos'],
    ['<', '>'],
  ],
  fr: [
    ['au moins', 'au plus'],
    ['plus de', 'moins de'],
    ['moins de', 'plus de'],
    ['inférieur à', 'supérieur à'],
    ['inférieure à', 'supérieure à'],
    ['supérieur à', 'inférieur à'],
    ['au maximum', 'au minimum'],
    ['ou plus', 'ou moins'],
    ['et plus', 'et moins'],
    ['<', '>'],
  ],
  de: [
    ['mindestens', 'höchstens'],
    ['höchstens', 'mindestens'],
    ['mehr als', 'weniger als'],
    ['weniger als', 'mehr als'],
    ['unter 5', 'über 5'],
    ['unter 3', 'über 3'],
    ['unter 6', 'über 6'],
    ['oder mehr', 'oder weniger'],
    ['bis zu', 'mindestens'],
    ['<', '>'],
  ],
};

/** Comparators that may be left out without harm to the grammar. */
export const DROPPED: Readonly<Record<Language, readonly string[]>> = {
  en: ['at least ', 'no more than ', 'more than ', 'less than ', ' or more', ' or older', '≥ ', '≤ ', '< '],
  es: ['al menos ', 'como máximo ', 'más de ', 'menos de ', ' o más', '< '],
  fr: ['au moins ', 'plus de ', 'moins de ', ' au maximum', ' ou plus', ' et plus', '< '],
  de: ['mindestens ', 'höchstens ', 'mehr als ', 'weniger als ', ' oder mehr', '< '],
};

/** Words that round a number. Without them a translation is more exact than its source, which only warns. */
export const ROUNDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ['about ', 'roughly '],
  es: ['aproximadamente ', 'alrededor del '],
  fr: ['environ '],
  de: ['etwa ', 'rund ', 'ungefähr '],
};

export const ROUTES: Exchanges = {
  en: [
    ['orally', 'intravenously'],
    ['intravenously', 'orally'],
    ['intramuscularly', 'intravenously'],
    ['under the skin', 'into a vein'],
    ['IV', 'IM'],
    ['oral', 'rectal'],
    ['intravenous', 'subcutaneous'],
  ],
  es: [
    ['vía oral', 'vía intravenosa'],
    ['vía intravenosa', 'vía oral'],
    ['vía intramuscular', 'vía intravenosa'],
    ['vía subcutánea', 'vía intravenosa'],
    ['i.v.', 'i.m.'],
    ['oral', 'rectal'],
    ['intravenosa', 'subcutánea'],
  ],
  fr: [
    ['voie orale', 'voie intraveineuse'],
    ['voie intraveineuse', 'voie orale'],
    ['voie intramusculaire', 'voie intraveineuse'],
    ['voie sous-cutanée', 'voie intraveineuse'],
    ['IV', 'IM'],
    ['orale', 'rectale'],
    ['intraveineuse', 'sous-cutanée'],
  ],
  de: [
    ['oral', 'intravenös'],
    ['intravenös', 'oral'],
    ['intramuskulär', 'intravenös'],
    ['unter die Haut', 'in eine Vene'],
    ['i.v.', 'i.m.'],
    ['orales', 'rektales'],
    ['intravenösem', 'subkutanem'],
  ],
};

/** The exchanges that turn a negation into its opposite. */
export const NEGATIONS: Exchanges = {
  en: [
    ['Do not take', 'Take'],
    ['do not', 'do'],
    ['Do not', 'You may'],
    ['must not', 'must'],
    ['should not', 'should'],
    ['is not', 'is'],
    ['was not', 'was'],
    ['was no', 'was a'],
    ['never ', ''],
    ['no longer', 'still'],
  ],
  es: [
    ['No tome', 'Tome'],
    ['No ', ''],
    [' no ', ' '],
    ['nunca ', ''],
  ],
  fr: [
    ['Ne prenez pas', 'Prenez'],
    [" n'est pas ", ' est '],
    [' ne doit pas ', ' doit '],
    [" n'était pas ", ' était '],
    [' pas de ', ' une '],
    ['ne prenez pas', 'prenez'],
    [' ne pas ', ' '],
    ['Ne pas ', 'À '],
    ["N'utilisez pas", 'Utilisez'],
    ['Ne laissez pas', 'Laissez'],
  ],
  de: [
    [' nicht ', ' '],
    [' nicht', ''],
    [' kein ', ' ein '],
    [' keinen ', ' '],
    ['niemals ', ''],
  ],
};

/** The words that are put in to negate. */
export const ADDED_NEGATIONS: Exchanges = {
  en: [
    ['Take ', 'Do not take '],
    ['Give ', 'Do not give '],
    ['is taken', 'is not taken'],
    ['was ', 'was not '],
    ['is given', 'is not given'],
    ['Start ', 'Do not start '],
    [' may ', ' may not '],
    ['received', 'did not receive'],
    ['Store', 'Do not store'],
  ],
  es: [
    ['Tome ', 'No tome '],
    ['Administre ', 'No administre '],
    ['administre ', 'no administre '],
    ['se toma ', 'no se toma '],
    ['fue ', 'no fue '],
    ['era ', 'no era '],
    ['se administra', 'no se administra'],
    ['puede', 'no puede'],
    ['recibieron', 'no recibieron'],
    ['Conservar', 'No conservar'],
  ],
  fr: [
    ['Prenez ', 'Ne prenez pas '],
    ['Administrer ', 'Ne pas administrer '],
    ['se prend ', 'ne se prend pas '],
    [' était ', " n'était pas "],
    ['est administrée', "n'est pas administrée"],
    ['Conserver', 'Ne pas conserver'],
    ['ont reçu', "n'ont pas reçu"],
    ['À conserver', 'À ne pas conserver'],
  ],
  de: [
    [' ein.', ' nicht ein.'],
    [' geben', ' nicht geben'],
    ['betrug', 'betrug nicht'],
    ['wird ', 'wird nicht '],
    ['erhielten', 'erhielten nicht'],
    ['lagern', 'nicht lagern'],
    [' kann ', ' kann nicht '],
  ],
};
