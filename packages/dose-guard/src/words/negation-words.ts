import type { Language } from '../findings.ts';

/** How a language negates. `strong` words negate; `weak` ones may stand where another language negates: avoid, ohne, sauf. */
export interface NegationWords {
  strong: ReadonlySet<string>;
  /** Words that repeat the negation of their clause, as Spanish "no … nunca" does. */
  doubling: ReadonlySet<string>;
  weak: RegExp;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const NEGATIONS: Readonly<Record<Language, NegationWords>> = {
  en: {
    strong: set('not no never cannot neither none nobody nothing nowhere'),
    doubling: set('nor'),
    weak: /^(?:without|avoid|contraindicat|contra$|unless|except|excluding|lack|absen|fail|refrain|stop|discontinu|prohibit|rare|hardly|seldom|un(?!der|til|it|i|us)|non$|free$|ineligible|insufficient|impossible|incapab|irrespective|regardless|inadequate|missing|negative|exclud|independent|withh|prevent|inactive|incomplete|invalid|ineffective|asymptom)/,
  },
  es: {
    strong: set('no nunca jamás ningún ninguna ninguno tampoco nadie'),
    doubling: set('nunca jamás ningún ninguna ninguno tampoco nadie nada ni'),
    weak: /^(?:sin$|evit|contraindic|salvo|excepto|ausen|falt|abst|suspend|prohib|rar[ao]|raramente|apenas|carec|lugar$|negativ|imposib|insufic|inadec|independ|inalter|inestab|incap|incompl|inefic|inactiv|interrump|descon|desaconsej|exclu|libre|asint)/,
  },
  fr: {
    strong: set('pas jamais aucun aucune rien nul nulle'),
    doubling: set('jamais aucun aucune rien nul nulle'),
    weak: /^(?:sans$|évit|sauf|excepté|hormis|absen|manqu|abst|arrêt|interdi|rare|non$|lieu$|plutôt|négati|im(?:poss|prob)|in(?:suf|dép|chang|adé|cap|comp|eff|act|habit|tolér)|dépourvu|défaut|exclu|interromp|suspen|asympt)/,
  },
  de: {
    strong: set(
      'nicht nie niemals weder nichts kein keine keinen keinem keiner keines keinerlei keinesfalls keineswegs niemand',
    ),
    doubling: set('noch'),
    weak: /^(?:nicht\p{L}{3,}|ohne|vermeid|vermied|kontraindi|gegenanzeige|außer|ausgenommen|fehl|mangel|verzicht|selten|kaum|abgesetzt|absetz|verbot|untersagt|un(?!ter|d$|s|gef|i|abh)|negativ|.+(?:los|losen|lose|loser|frei|freie|freien|freier)$|sofern|sonst|ausgeschl|ausschl|abgebroch|unterbr|inakt|entfällt|entfallen|unabhängig)/u,
  },
};
