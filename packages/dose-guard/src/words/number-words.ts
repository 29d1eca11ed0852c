import { type ByLanguage, byLanguage, readTable } from './table.ts';

/** Holds what a word says of a number. `small` adds up, `hundred` and `scale` multiply, the others stand alone. */
export interface NumberWord {
  kind: 'article' | 'small' | 'hundred' | 'scale' | 'half' | 'part' | 'ordinal' | 'group';
  value: number;
}

/**
 * A row has a kind, the value of its first word, and what each further word is more; the forms of one value are separated by slashes.
 * A word that is not in use stands as a hyphen. German numerals are read by their parts: these are the words that have none.
 */
const TABLE = `
article 1 | a/an/one/single | un/una/uno | un/une | ein/eine/einen/einem/einer/eines/eins/einzige/einzigen
small 0 1 | zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen | cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve | zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize | null - beider
small 20 10 | twenty thirty forty/fourty fifty sixty seventy eighty ninety | - treinta cuarenta cincuenta sesenta setenta ochenta noventa | vingt trente quarante cinquante soixante septante huitante/octante/quatre_vingt/quatre_vingts nonante |
small 100 100 | | cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas | |
hundred 100 | hundred | | cent/cents |
scale 1e3 | thousand | mil | mille | tausend/tsd
scale 1e6 | million/mio | millón/millon/millones | million/millions | million/millionen/mio
scale 1e9 | billion/bn | millardo/millardos | milliard/milliards | milliarde/milliarden/mrd
scale 1e12 | trillion | billón/billones | billion/billions | billion/billionen
scale 1e18 | | | | trillion/trillionen
half 0.5 | half/halved/halve/halves/halving | medio/media/mitad | demi/demie/moitié | halb/halbe/halben/halber/halbes/hälfte/halbiert/halbieren
part 3 1 | thirds quarter/quarters/fourths fifths sixths - eighths - tenths | tercio/tercios/terceras cuartos/cuartas quintos/quintas - - - - décimas | tiers quart/quarts cinquièmes - - - - dixièmes |
ordinal 1 1 | first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth | primer/primero/primera/primeros/primeras segundo/segunda tercer/tercero/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima undécimo/undécima duodécimo/duodécima | premier/première/premiers/premières deuxième/second/seconde troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième |
group 2 | both/couple/double/doubled/doubles/doubling | ambos/ambas/doble/duplica/duplicó/duplicar/duplicado/duplicaron/duplican/duplicando | double/doublé/doubler/doublée/doublent | beide/beiden/doppelt/doppelte/doppelten/verdoppelt/verdoppeln/verdoppelte/verdoppelten/verdoppelung/verdopplung
group 3 | triple/tripled/trebled/triples/tripling | triple/triplicó/triplica/triplicado/triplicar/triplicaron/triplican | triple/triplé/triplée/tripler/triplent | verdreifacht/verdreifachen/verdreifachte/verdreifachten
group 4 | quadruple/quadrupled | cuadruplicó/cuadruplicado/cuádruple/cuadruplica/cuadruplicar | quadruplé/quadruple/quadrupler | vervierfacht/vervierfachte/vervierfachen
group 5 | quintuple/quintupled | quíntuple/quintuplica/quintuplicó/quintuplicar/quintuplicado | quintuple/quintuplé/quintupler | verfünffacht/verfünffachte/verfünffachen
group 10 | | decena | dizaine | verzehnfacht/verzehnfachte
group 12 | dozen | docena/docenas | douzaine | dutzend
group 15 | | quincena | quinzaine |
group 20 10 | twenties thirties forties fifties sixties seventies eighties nineties | veintena treintena | vingtaine trentaine quarantaine cinquantaine soixantaine |
group 100 | | | centaine |
`;

/** Returns each word of a cell, with the forms of one value apart. */
export const valuesOf = (cell: readonly string[], first: number, step: number): [string, number][] =>
  cell.flatMap((forms, place) =>
    forms.split('/').map((form): [string, number] => [form.replace('_', ' '), first + place * step]),
  );

/** The number words of each language, by their lower case. Those of French with a hyphen are phrases of two words. */
export const NUMBER_WORDS: ByLanguage<ReadonlyMap<string, NumberWord>> = byLanguage(
  (language) =>
    new Map(
      readTable(TABLE).flatMap(({ head, words }) => {
        const [kind = '', first, step = 0] = head[0]?.split(' ') ?? [];
        return valuesOf(words[language], Number(first), Number(step)).map(([word, value]) => [
          word,
          { kind, value: kind === 'part' ? 1 / value : value } as NumberWord,
        ]);
      }),
    ),
);

/** The words between the parts of a numeral: a hundred *and* five, treinta *y* cinco, vingt *et* un. German writes them in one. */
export const NUMBER_CONNECTORS: ByLanguage<string | null> = { en: 'and', es: 'y', fr: 'et', de: null };
