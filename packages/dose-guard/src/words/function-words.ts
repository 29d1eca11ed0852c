/** A language that is detected by its frequent words. Italian and Portuguese would be taken for French and Spanish otherwise. */
export type KnownLanguage =
  | ('en' | 'es' | 'fr' | 'de' | 'it' | 'pt')
  | ('nl' | 'sv' | 'da' | 'pl' | 'cs' | 'ro' | 'la');

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Frequent short words, most of which only one of the languages has. */
export const FUNCTION_WORDS: Readonly<Record<KnownLanguage, ReadonlySet<string>>> = {
  en: set(
    'the of and to in is that it for with as are this was be by on not from which or an have at they its their we you can but your if has were than should may will been when more after before do does take must other these who into during such between each all any both only use used give given received years patients dose his her she he no daily every',
  ),
  es: set(
    'de la que el en y los se del las por un con una su para es al lo como más pero sus o este esta no son hay cuando si ha fue durante cada entre sin sobre debe tome puede pueden después antes ser está han muy desde hasta otros todos también le dos tras según fue era eran días año años se ha le esté dosis recibieron administre por día hasta al pacientes presión',
  ),
  fr: set(
    'de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il elle sont avec on nous mais cette si ou aux ces son ses vous votre être a été chez après avant entre sans doit peut prenez pendant fois leur dont où lors sous tous était étaient ont jours années lors toutes reçu dose se chaque jour sa leurs patients',
  ),
  de: set(
    'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an aus er sie wird wie bei sind oder einer einen eines einem werden wurde wurden nach vor über zum zur durch bis kann nehmen ihr ihre ihren wenn dass hat haben nur pro um am soll sollte muss darf kein keine bei lang betrug täglich jahre jahren patienten erhielten geben sie dosis haben',
  ),
  it: set(
    'il di che è la per un non con del della nel nelle dei sono una i le si da al alla gli lo anche più come questo',
  ),
  pt: set(
    'de o a que e do da em um para com não uma os no se na por mais as dos é ao são pelo como mas foi seu sua',
  ),
  // Of these, only words that the four languages do not have: they are recognised, and make no text of the four less certain.
  nl: set(
    'het een niet zijn wordt worden voor ook naar bij door maar deze dit werd uit moet kan elke geen hun wij zij heeft hebben tijdens tussen dagen patiënt',
  ),
  sv: set(
    'och att det som på är av för med till har inte om ett men från vid ska eller också efter varje dag',
  ),
  da: set('og på af til ikke blev ved skal også efter eller hver som det har fra være bliver'),
  pl: set(
    'nie się że jest jak przez lub przy są być oraz dla może które który został na po należy przed każdy',
  ),
  cs: set('že jsou nebo při byl byla může který která které jako ale není také být na po před dávka'),
  ro: set('și în nu cu pe din care sunt pentru sau prin fost ale trebuie poate înainte fiecare'),
  la: set('ad cum ut sed quod vel sunt esse atque autem enim sanguis cuius eius'),
};
