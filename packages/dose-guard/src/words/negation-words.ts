import { type ByLanguage, setOf } from './table.ts';

/** Tells how a language negates. `strong` words negate; `weak` ones may stand where another language negates: avoid, ohne, sauf. */
interface NegationWords {
  strong: ReadonlySet<string>;
  /** Words that repeat the negation of their clause, as Spanish "no … nunca" does. */
  doubling: ReadonlySet<string>;
  weak: RegExp;
}

export const NEGATIONS: ByLanguage<NegationWords> = {
  en: {
    strong: setOf('not no never cannot neither none nobody nothing nowhere'),
    doubling: setOf('nor'),
    weak: /^(?:without|avoid|contraindicat|contra$|excluding|lack|absen|fail|refrain|stop|discontinu|prohibit|rare|hardly|seldom|un(?!der|til|it|i|us)|non$|non(?!e$|etheless)\p{L}{4,}|inconclus|free$|ineligible|insufficient|impossible|incapab|irrespective|regardless|inadequate|missing|only$|until$|ruled$|den(?:y|ie)|resist|refract|otherwise|painless|\p{L}{3,}less$|negative|exclud|independent|withh|prevent|inactive|incomplete|invalid|ineffective|asymptom)/u,
  },
  es: {
    strong: setOf('no nunca jamás ningún ninguna ninguno tampoco nadie'),
    doubling: setOf('nunca jamás ningún ninguna ninguno tampoco nadie nada ni'),
    weak: /^(?:sin$|evit|contraindic|descart|nieg|resist|refract|ausen|falt|abst|suspend|prohib|rar[ao]|raramente|apenas|care[cz]|ignor|ni$|lugar$|negativ|imposib|insufic|inadec|independ|inalter|inestab|incap|incompl|inefic|inactiv|interrump|descon|desaconsej|exclu|libre|asint|afebr|indol|solo$|sólo$|hasta$)/,
  },
  fr: {
    strong: setOf('pas jamais aucun aucune rien nul nulle'),
    doubling: setOf('jamais aucun aucune rien nul nulle'),
    weak: /^(?:sans$|évit|écart|résist|réfract|ni(?:e|ent|er|é)?$|absen|manqu|abst|arrêt|interdi|rare|non$|lieu$|plutôt|négati|im(?:poss|prob)|in(?:suf|dép|chang|adé|cap|comp|eff|act|habit|tolér)|dépourvu|défaut|disparai|ignor|exclu|interromp|suspen|asympt|nullement|déconseil|indol|apyr|gratuit|ne$|n$)/,
  },
  de: {
    strong: setOf(
      'nicht nie niemals weder nichts kein keine keinen keinem keiner keines keinerlei keinesfalls keineswegs niemand',
    ),
    doubling: setOf('noch'),
    weak: /^(?:nicht\p{L}{3,}|ohne|vermeid|vermied|kontraindi|gegenanzeige|außerhalb$|resist|therapieres|refrakt|leugn|vernein|fehl|mangel|verzicht|selten|kaum|abgesetzt|absetz|verbot|untersagt|un(?!ter|d$|s|gef|i|abh|bed|mitt|gew)|negativ|.+(?:los|losen|lose|loser|frei|freie|freien|freier)$|sonst|ausgeschl|ausschl|abgebroch|unterbr|inakt|entfällt|entfallen|unabhängig|erst$|nur$|nein$|schmerzlos)/u,
  },
};
