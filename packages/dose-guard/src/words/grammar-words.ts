import { lexiconsOf } from './lexicon.ts';
import { setsOf } from './table.ts';

/** Names what a comparator says: at least, more than, at most, less than, about. */
export type Comparator = 'ge' | 'gt' | 'le' | 'lt' | 'about';

/** `weak` comparators may as well say nothing: "over" in "over 5 days", "hasta" in "aumentar hasta 10 mg". */
export interface ComparatorWord {
  comparator: Comparator;
  /** The other meaning that it may have: "knapp" is a little less, and about. */
  also?: Comparator;
  weak?: true;
}

/** Signs and words that stand before the number they compare with. */
const BEFORE = `
ge | ≥ ⩾ >= => ≧ | ≥ ⩾ >= => ≧ | ≥ ⩾ >= => ≧ | ≥ ⩾ >= => ≧
gt | > | > | > | >
le | ≤ ⩽ <= =< ≦ | ≤ ⩽ <= =< ≦ | ≤ ⩽ <= =< ≦ | ≤ ⩽ <= =< ≦
lt | < | < | < | <
about | ≈ ~ ∼ ≃ ≅ | ≈ ~ ∼ ≃ ≅ | ≈ ~ ∼ ≃ ≅ | ≈ ~ ∼ ≃ ≅
ge | at_least a_minimum_of minimum_of minimum no_less_than not_less_than no_fewer_than not_fewer_than not_below greater_than_or_equal_to more_than_or_equal_to equal_to_or_greater_than equal_to_or_more_than equal_to_or_above or_more_than min no_lower_than not_lower_than at_or_above at_or_over of_or_above | al_menos como_mínimo por_lo_menos un_mínimo_de mínimo_de mínimo no_menos_de no_inferior_a igual_o_superior_a igual_o_mayor_a igual_o_mayor_que igual_o_mayor_de mayor_o_igual_a mayor_o_igual_que superior_o_igual_a iguales_o_superiores_a mayores_o_iguales_a no_menor_de no_inferiores_a cuando_menos mín desde_al_menos | au_moins au_minimum un_minimum_de minimum_de minimum pas_moins_de supérieur_ou_égal_à supérieure_ou_égale_à supérieurs_ou_égaux_à supérieures_ou_égales_à égal_ou_supérieur_à égale_ou_supérieure_à d_au_moins min | mindestens wenigstens zumindest mind nicht_weniger_als nicht_unter mindestens_aber minimal größer_oder_gleich größer_gleich größer_als_oder_gleich nicht_kürzer_als ein_minimum_von gleich_oder_größer_als ab_einschließlich nicht_kleiner_als
gt | more_than greater_than over above higher_than longer_than larger_than older_than heavier_than later_than in_excess_of exceed exceeds exceeding exceeded upwards_of bigger_than beyond well_over upward_of | más_de mayor_de mayor_que mayor_a mayores_de mayores_que mayores_a superior_a superiores_a por_encima_de superar supera superan supere superen superado exceder excede exceda excedan exceden sobrepasar sobrepase rebasar más_allá_de por_arriba_de | plus_de supérieur_à supérieure_à supérieurs_à supérieures_à au_dessus_de au_delà_de dépasser dépasse dépassent dépassez dépassant dépassé excéder excède excédant excédez de_plus_de | mehr_als über größer_als höher_als länger_als älter_als schwerer_als später_als oberhalb oberhalb_von jenseits_von größer überschreiten überschreitet übersteigt übersteigen überstieg knapp_über
le | up_to at_most a_maximum_of maximum_of maximum no_more_than not_more_than not_over not_above no_higher_than no_longer_than not_longer_than no_later_than not_exceeding not_to_exceed less_than_or_equal_to lower_than_or_equal_to equal_to_or_less_than max not_greater_than no_greater_than up_to_a_maximum_of not_later_than at_or_below at_or_under at_the_latest no_more_often_than not_more_often_than no_more_frequently_than not_more_frequently_than | no_más_a_menudo_que con_una_frecuencia_no_superior_a hasta como_máximo un_máximo_de máximo_de máximo a_lo_sumo como_mucho no_más_de no_superior_a no_mayor_de igual_o_inferior_a igual_o_menor_a igual_o_menor_que menor_o_igual_a menor_o_igual_que inferior_o_igual_a iguales_o_inferiores_a a_más_tardar máx hasta_un_máximo_de hasta_un hasta_en_un como_muy_tarde como_muy_tarde_a | pas_plus_souvent_que jusqu_à jusqu au_maximum un_maximum_de maximum_de maximum au_plus tout_au_plus pas_plus_de inférieur_ou_égal_à inférieure_ou_égale_à inférieurs_ou_égaux_à inférieures_ou_égales_à égal_ou_inférieur_à égale_ou_inférieure_à au_plus_tard max à_concurrence_de à_hauteur_de | nicht_häufiger_als nicht_öfter_als bis_zu höchstens maximal max nicht_mehr_als nicht_über nicht_länger_als nicht_höher_als spätestens kleiner_oder_gleich kleiner_gleich bis_maximal bis_zu_maximal ein_maximum_von gleich_oder_kleiner_als nicht_größer_als bis_höchstens nicht_älter_als längstens bis_zu_einem bis_zu_einer
lt | less_than fewer_than under below lower_than shorter_than younger_than smaller_than lighter_than earlier_than well_below | baja_de bajan_de desciende_de cae_de menos_de menor_de menor_que menor_a menores_de menores_que menores_a inferior_a inferiores_a por_debajo_de antes_de_cumplir | moins_de inférieur_à inférieure_à inférieurs_à inférieures_à en_dessous_de au_dessous_de sous_les sous de_moins_de | noch_keine noch_keinen noch_nicht weniger_als unter kleiner_als niedriger_als geringer_als kürzer_als jünger_als leichter_als unterhalb unterhalb_von unterschreitet unterschreiten früher_als unterhalb_eines unter_einem unterhalb_der
about | about approximately around roughly approx some nearly almost circa ca close_to an_estimated an_average_of_about in_the_region_of on_the_order_of in_the_order_of | aproximadamente unos unas alrededor_de cerca_de en_torno_a casi aprox más_o_menos ronda rondan rondaba rondaban del_orden_de cercano_a cercana_a próximo_a próxima_a | environ approximativement à_peu_près près_de autour_de aux_alentours_de presque quelque approx à_environ d_environ quasiment avoisine avoisinent avoisinait de_l_ordre_de proche_de voisin_de voisine_de | etwa ungefähr ca rund circa zirka annähernd nahezu fast schätzungsweise um_die beinahe in_der_größenordnung_von
about weak | c_. | hacia hacia_las h_. c_. ca_. hacia_el_año | vers v_. c_. ca_. | gegen um
le lt weak | within | dentro_de en_un_plazo_de en_el_plazo_de en_un_radio_de en | dans en en_l_espace_de dans_un_délai_de dans_un_rayon_de endéans | innerhalb innerhalb_von binnen in im_umkreis_von
lt about | just_under not_even a_little_less_than slightly_less_than barely a_little_under slightly_under | algo_menos_de ni_siquiera poco_menos_de un_poco_menos_de ligeramente_inferior_a apenas | un_peu_moins_de même_pas pas_même à_peine | nicht_einmal knapp etwas_weniger_als kaum knapp_unter
gt about | just_over a_little_over slightly_over a_little_more_than slightly_more_than | algo_más_de poco_más_de un_poco_más_de ligeramente_superior_a | un_peu_plus_de | etwas_mehr_als gut
ge weak | from | a_partir_de a_partir_de_los desde desde_los | à_partir_de à_partir_de_l_âge_de dès dès_l_âge_de dès_les à_compter_de | ab ab_einem ab_dem ab_einer
le weak | as_much_as as_many_as as_high_as as_long_as | | | bis
`;

/** Words that stand behind the number and its unit. */
const BEHIND = `
ge | or_more or_after or_above or_over or_older or_higher or_greater or_longer and_over and_above and_older and_more and_higher or_later or_heavier at_a_minimum at_the_least or_beyond and_up of_age_and_older of_age_or_older old_or_older of_age_and_over of_age_or_over old_and_over old_and_older | o_más y_más o_después o_posterior o_posteriores o_más_tarde o_mayores y_mayores o_mayor o_superior o_superiores en_adelante como_mínimo o_más_años o_más_de_edad de_edad_o_más de_edad_o_mayores de_edad_y_mayores por_lo_menos al_menos | ou_plus et_plus ou_plus_tard ou_après ou_davantage au_moins au_minimum minimum et_au_delà ou_au_delà ou_plus_âgés et_plus_âgés | oder_mehr und_mehr oder_danach und_später oder_älter und_älter oder_höher oder_darüber und_darüber und_höher oder_länger oder_später alt_oder_älter alt_und_älter oder_größer aufwärts und_länger oder_schwerer
le | or_less or_earlier or_before or_below or_under or_fewer or_lower or_younger and_under and_below and_younger at_most or_shorter of_age_and_younger of_age_or_younger at_the_most maximum old_or_younger at_the_latest at_latest | o_menos y_menos o_antes o_anterior o_anteriores o_menor o_menores o_inferior o_inferiores como_máximo a_lo_sumo de_edad_o_menos de_edad_o_menores de_máximo a_más_tardar como_muy_tarde como_mucho | ou_moins et_moins ou_plus_tôt ou_avant au_plus au_plus_tard au_maximum maximum ou_plus_jeunes et_plus_jeunes ou_en_dessous | oder_weniger und_weniger oder_früher oder_davor oder_jünger und_jünger oder_niedriger oder_darunter und_darunter oder_kürzer alt_oder_jünger oder_kleiner
gt | | | | überschreiten überschreitet übersteigen übersteigt überstieg überschritten hinaus
lt | | | | unterschreiten unterschreitet unterschritten
`;

const meaningOf = (written = ''): ComparatorWord => {
  const [comparator, ...more] = written.split(' ') as [Comparator, ...(Comparator | 'weak')[]];
  const also = more.find((one) => one !== 'weak');
  return { comparator, ...(also && { also }), ...(more.includes('weak') && { weak: true }) };
};

export const COMPARATORS_BEFORE = lexiconsOf(BEFORE, meaningOf);
export const COMPARATORS_BEHIND = lexiconsOf(BEHIND, meaningOf);

/** Words that may stand between a comparator and its number. */
export const FILLERS = setsOf(
  'the a an of to total at age ages for than € $ £ us',
  'en los las el la un una de del a total edad cada otros otras unos unas durante € $',
  'après en dans les la le l de des d un une à au bout total pendant ans €',
  'von den die der das zu einem einer eine einen insgesamt als auf dem alle im nach € $',
);

/** Words between the ends of a range, beside dashes, and those before a range whose ends an "and" joins. */
export const RANGE_JOINERS = setsOf('to through till until', 'a al hasta', 'à au jusqu', 'bis');
export const BETWEEN = setsOf('between', 'entre', 'entre', 'zwischen');
export const AND = setsOf('and', 'y e', 'et', 'und');
export const OR = setsOf('or', 'o u ó', 'ou', 'oder bzw beziehungsweise');

/** Words that let one number hold for each of several things, where another language repeats it. */
export const DISTRIBUTIVES = setsOf(
  'each apiece respectively both either',
  'cada ambos ambas respectivamente',
  'chacun chacune chaque respectivement',
  'je jeweils jede jeder jedes beide beiden beziehungsweise bzw',
);

/** Words that say "per" between a quantity and a unit. */
export const PER = setsOf('per a an each every', 'por al a', 'par', 'pro je per');

/** Words before a number that is a name rather than a quantity: stage, type, section. Roman numerals stand behind these. */
export const LABELS = setsOf(
  'stage stages type types phase phases grade grades class classes factor factors group groups level levels category step day week cycle section chapter table figure part version nerve nerves bipolar nyha asa chapters sections tables figures article appendix arm cohort generation degree line schedule',
  'estadio estadios tipo tipos fase fases grado grados clase clases factor factores grupo grupos nivel niveles categoría paso día semana ciclo sección capítulo tabla figura parte versión par pares nyha asa apartado artículo anexo brazo cohorte siglo nervio etapa',
  'stade stades type types phase phases grade grades classe classes facteur facteurs groupe groupes niveau niveaux catégorie étape jour semaine cycle section chapitre tableau figure partie version nerf nerfs nyha asa rubrique article annexe bras cohorte paire palier degré',
  'stadium stadien typ phase phasen grad klasse klassen faktor faktoren gruppe gruppen stufe niveau kategorie schritt tag woche zyklus abschnitt kapitel tabelle abbildung teil version hirnnerv hirnnerven nyha asa artikel anhang arm kohorte abschnitte tab abb nr nummer stadiums',
);
