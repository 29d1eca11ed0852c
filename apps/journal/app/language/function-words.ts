/** A language that is detected by its frequent words. Italian and Portuguese would be taken for French and Spanish otherwise. */
export type KnownLanguage = 'en' | 'es' | 'fr' | 'de' | 'it' | 'pt';

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
};
