/** An article with right translations, and the ways in which a model may answer otherwise. */

export const TARGETS = ['de', 'es', 'fr'] as const;
export type Target = (typeof TARGETS)[number];

/** Texts by what they are in the article. */
type Texts = Readonly<Record<string, string>>;

const parse = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' | ').map((cell) => cell.trim()));

/** What a text is, in English and as a good translator puts it in German, Spanish and French. */
const ARTICLE = parse(`
title | Taking methotrexate safely at home | Methotrexat zu Hause sicher einnehmen | Tomar metotrexato en casa con seguridad | Prendre le méthotrexate chez soi en toute sécurité
intro | Methotrexate calms an immune system that attacks the joints. It is taken **only once a week**, never every day, because daily doses damage the bone marrow.[^1] | Methotrexat beruhigt ein Immunsystem, das die Gelenke angreift. Es wird **nur einmal pro Woche** eingenommen, niemals jeden Tag, weil tägliche Dosen das Knochenmark schädigen.[^1] | El metotrexato calma un sistema inmunitario que ataca las articulaciones. Se toma **solo una vez por semana**, nunca todos los días, porque las dosis diarias dañan la médula ósea.[^1] | Le méthotrexate calme un système immunitaire qui attaque les articulations. Il se prend **une seule fois par semaine**, jamais tous les jours, car des doses quotidiennes abîment la moelle osseuse.[^1]
heading | How to take it | So wird es eingenommen | Cómo se toma | Comment le prendre
dose | Most adults start with 7.5 mg on Monday evening and take no more than 25 mg a week. Swallow the tablets with water after a meal, and read [the patient leaflet](https://leaflet.example/methotrexate?lang=en) before the first dose. | Die meisten Erwachsenen beginnen mit 7,5 mg am Montagabend und nehmen höchstens 25 mg pro Woche ein. Schlucken Sie die Tabletten nach einer Mahlzeit mit Wasser, und lesen Sie vor der ersten Dosis [die Packungsbeilage](https://leaflet.example/methotrexate?lang=en). | La mayoría de los adultos empieza con 7,5 mg el lunes por la noche y no toma más de 25 mg por semana. Trague los comprimidos con agua después de una comida y lea [el prospecto](https://leaflet.example/methotrexate?lang=en) antes de la primera dosis. | La plupart des adultes commencent par 7,5 mg le lundi soir et ne prennent pas plus de 25 mg par semaine. Avalez les comprimés avec de l’eau après un repas et lisez [la notice](https://leaflet.example/methotrexate?lang=en) avant la première dose.
folate | Take 5 mg of folic acid on Friday morning, at least 24 hours after methotrexate. | Nehmen Sie am Freitagmorgen 5 mg Folsäure ein, mindestens 24 Stunden nach Methotrexat. | Tome 5 mg de ácido fólico el viernes por la mañana, al menos 24 horas después del metotrexato. | Prenez 5 mg d’acide folique le vendredi matin, au moins 24 heures après le méthotrexate.
pain | Do not take ibuprofen for pain; paracetamol is the safer choice. | Nehmen Sie gegen Schmerzen kein Ibuprofen; Paracetamol ist die sicherere Wahl. | No tome ibuprofeno para el dolor; el paracetamol es la opción más segura. | Ne prenez pas d’ibuprofène contre la douleur ; le paracétamol est le choix le plus sûr.
fever | Stop the treatment and call the clinic if you have a fever above 38.5 °C. | Brechen Sie die Behandlung ab und rufen Sie die Klinik an, wenn Sie Fieber über 38,5 °C haben. | Interrumpa el tratamiento y llame a la clínica si tiene una fiebre superior a 38,5 °C. | Arrêtez le traitement et appelez la clinique si vous avez une fièvre supérieure à 38,5 °C.
study | In the ARIAD study of 1,200 patients, 62% had fewer swollen joints after 6 months, and 3 to 5% had raised liver values. The injection goes under the skin of the left thigh in one week and of the right one in the next. | In der ARIAD-Studie mit 1.200 Patienten hatten 62 % nach 6 Monaten weniger geschwollene Gelenke, und 3 bis 5 % hatten erhöhte Leberwerte. Die Spritze kommt in der einen Woche unter die Haut des linken Oberschenkels und in der nächsten unter die des rechten. | En el estudio ARIAD con 1200 pacientes, el 62 % tenía menos articulaciones inflamadas después de 6 meses, y entre el 3 y el 5 % tenía valores hepáticos elevados. La inyección se pone una semana bajo la piel del muslo izquierdo y la siguiente bajo la del derecho. | Dans l’étude ARIAD portant sur 1 200 patients, 62 % avaient moins d’articulations gonflées après 6 mois, et 3 à 5 % avaient des valeurs hépatiques élevées. L’injection se fait une semaine sous la peau de la cuisse gauche et la suivante sous celle de la droite.
quote | “I feel better than I have for ten years,” says a patient whose pain has decreased since March. | „Ich fühle mich besser als in den letzten zehn Jahren“, sagt eine Patientin, deren Schmerzen seit März nachgelassen haben. | «Me siento mejor que en los últimos diez años», dice una paciente cuyo dolor ha disminuido desde marzo. | « Je me sens mieux que ces dix dernières années », dit une patiente dont la douleur a diminué depuis mars.
test | Blood test | Blutuntersuchung | Análisis de sangre | Analyse de sang
interval | Interval | Abstand | Intervalo | Intervalle
blood | Blood count | Blutbild | Hemograma | Numération sanguine
weeks | every 2 weeks | alle 2 Wochen | cada 2 semanas | toutes les 2 semaines
liver | Liver values | Leberwerte | Valores hepáticos | Valeurs hépatiques
months | every 3 months | alle 3 Monate | cada 3 meses | tous les 3 mois
alt | ![A pill box with seven compartments](/storage/journal/posts/box.png) | ![Eine Tablettendose mit sieben Fächern](/storage/journal/posts/box.png) | ![Un pastillero con siete compartimentos](/storage/journal/posts/box.png) | ![Un pilulier à sept compartiments](/storage/journal/posts/box.png)
note | Pregnant women must not take it, and both partners use contraception for 3 months after the last dose. | Schwangere dürfen es nicht einnehmen, und beide Partner verhüten noch 3 Monate nach der letzten Dosis. | Las embarazadas no deben tomarlo, y ambos miembros de la pareja usan anticonceptivos durante los 3 meses siguientes a la última dosis. | Les femmes enceintes ne doivent pas le prendre, et les deux partenaires utilisent une contraception pendant les 3 mois qui suivent la dernière dose.
`);

const textsAt = (column: number): Texts =>
  Object.fromEntries(ARTICLE.map((row) => [row[0] ?? '', row[column] ?? '']));

export const ENGLISH = textsAt(1);
export const RIGHT: Readonly<Record<Target, Texts>> = { de: textsAt(2), es: textsAt(3), fr: textsAt(4) };

/** Terms of the glossary that the article has; the second one stays as it is. */
export const TERMS = [
  {
    words: { en: ['bone marrow'], de: ['Knochenmark'], es: ['médula ósea'], fr: ['moelle osseuse'] },
    ...{ keep: false, note: '' },
  },
  { words: { en: ['ARIAD'] }, keep: true, note: '' },
];

/** Returns the Markdown of the article without its title. */
export const writeArticle = (texts: Texts): string =>
  [
    ...[texts.intro, `## ${texts.heading}`, texts.dose],
    ['folate', 'pain', 'fever'].map((item) => `- ${texts[item]}`).join('\n'),
    ...[texts.study, `> ${texts.quote}`],
    [
      ...[`| ${texts.test} | ${texts.interval} |`, '| --- | --- |'],
      ...[`| ${texts.blood} | ${texts.weeks} |`, `| ${texts.liver} | ${texts.months} |`],
    ].join('\n'),
    ...[texts.alt, `[^1]: ${texts.note}`],
  ].join('\n\n');

/** Returns a text as models are given it, with placeholders for what stays as it is. */
const withPlaceholders = (text: string): string =>
  text
    .replace('[^1]', '<1/>')
    .replace(/!?\[(.*?)\]\(.*?\)/, '<1>$1</1>')
    .replace('ARIAD', '<1>ARIAD</1>');

const asAsked = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withPlaceholders(text)]));

const KEYS = new Map(Object.entries(asAsked(ENGLISH)).map(([key, text]) => [text, key]));
const ANSWERS: Readonly<Record<Target, Texts>> = {
  de: asAsked(RIGHT.de),
  es: asAsked(RIGHT.es),
  fr: asAsked(RIGHT.fr),
};

/** What a model does. */
export interface Behaviour {
  kind: string;
  name: string;
  /** Returns what it writes in place of right answers. */
  write(texts: Texts, language: Target): Texts;
  /** Returns its whole response. */
  around(response: string): string;
  /** Whether it does so in its first response alone. */
  isOnce: boolean;
}

/** Returns what a model with this behaviour writes for a text that it is asked for. */
export const answerTo = (asked: string, language: Target, { write }: Pick<Behaviour, 'write'>): string =>
  write(ANSWERS[language], language)[KEYS.get(asked) ?? ''] ?? '';

export const RIGHT_ANSWERS: Pick<Behaviour, 'write' | 'around'> = {
  write: (texts) => texts,
  around: (response) => response,
};

/**
 * Kind, what the model does, and the words that it changes in German, Spanish and French, or in all of them: `a => b` writes b in place of
 * a, `a <=> b` exchanges them, `note := a` is the whole text of the note.
 */
const CHANGED = parse(`
language | writes a paragraph in Italian | intro := Il metotrexato calma un sistema immunitario che attacca le articolazioni. Si prende **solo una volta alla settimana**, mai tutti i giorni, perché dosi quotidiane danneggiano il midollo osseo.<1/>
language | writes a paragraph in Portuguese | intro := O metotrexato acalma um sistema imunitário que ataca as articulações. Toma-se **apenas uma vez por semana**, nunca todos os dias, porque as doses diárias danificam a medula óssea.<1/>
language | writes a paragraph in Catalan | intro := El metotrexat calma un sistema immunitari que ataca les articulacions. Es pren **només un cop per setmana**, mai cada dia, perquè les dosis diàries fan malbé la medul·la òssia.<1/>
language | writes a paragraph in Latin | intro := Methotrexatum immunitatem corporis placat, quae articulos oppugnat. Sumitur **semel tantum in hebdomade**, numquam cotidie, quia doses cotidianae medullam ossium laedunt.<1/>
language | writes a paragraph in Dutch | intro := Methotrexaat kalmeert een afweersysteem dat de gewrichten aanvalt. Het wordt **maar één keer per week** ingenomen, nooit elke dag, omdat dagelijkse doses het beenmerg beschadigen.<1/>
language | writes a paragraph in Swedish | intro := Metotrexat lugnar ett immunförsvar som angriper lederna. Det tas **bara en gång i veckan**, aldrig varje dag, eftersom dagliga doser skadar benmärgen.<1/>
language | writes a paragraph in Polish | intro := Metotreksat uspokaja układ odpornościowy, który atakuje stawy. Przyjmuje się go **tylko raz w tygodniu**, nigdy codziennie, ponieważ codzienne dawki uszkadzają szpik kostny.<1/>
language | writes a paragraph in Russian | intro := Метотрексат успокаивает иммунную систему, которая атакует суставы. Его принимают **только раз в неделю**, никогда каждый день, потому что ежедневные дозы повреждают костный мозг.<1/>
language | writes a paragraph in Chinese | intro := 甲氨蝶呤能平息攻击关节的免疫系统。它**每周只服用一次**，绝不能每天服用，因为每天服药会损害骨髓。<1/>
language | leaves a paragraph in English | intro := Methotrexate calms an immune system that attacks the joints. It is taken **only once a week**, never every day, because daily doses damage the bone marrow.<1/>
language | writes the title in Italian | title := Prendere il metotrexato a casa in sicurezza
language | writes the title in Dutch | title := Methotrexaat thuis veilig innemen
language | writes the title in Chinese | title := 在家安全服用甲氨蝶呤
language | leaves the title in English | title := Taking methotrexate safely at home
language | leaves a heading in English | heading := How to take it
language | writes an item in Portuguese | pain := Não tome ibuprofeno para a dor; o paracetamol é a escolha mais segura.
language | leaves an item in English | pain := Do not take ibuprofen for pain; paracetamol is the safer choice.
language | leaves a cell of two words in English | blood := Blood count
language | writes the cell of an interval in Italian | weeks := ogni 2 settimane
language | leaves what a picture shows in English | alt := <1>A pill box with seven compartments</1>
language | writes a note in Italian | note := Le donne incinte non devono prenderlo, ed entrambi i partner usano contraccettivi per 3 mesi dopo l’ultima dose.
language | writes a sentence in Portuguese | Schlucken Sie die Tabletten nach einer Mahlzeit mit Wasser, und lesen Sie vor der ersten Dosis <1>die Packungsbeilage</1>. => Engula os comprimidos com água depois de uma refeição e leia <1>o folheto</1> antes da primeira dose. | Trague los comprimidos con agua después de una comida y lea <1>el prospecto</1> antes de la primera dosis. => Engula os comprimidos com água depois de uma refeição e leia <1>o folheto</1> antes da primeira dose. | Avalez les comprimés avec de l’eau après un repas et lisez <1>la notice</1> avant la première dose. => Engula os comprimidos com água depois de uma refeição e leia <1>o folheto</1> antes da primeira dose.
clause | leaves seven words in English | weil tägliche Dosen das Knochenmark schädigen => because daily doses damage the bone marrow | porque las dosis diarias dañan la médula ósea => because daily doses damage the bone marrow | car des doses quotidiennes abîment la moelle osseuse => because daily doses damage the bone marrow
clause | writes six words in Dutch | weil tägliche Dosen das Knochenmark schädigen => omdat dagelijkse doses het beenmerg beschadigen | porque las dosis diarias dañan la médula ósea => omdat dagelijkse doses het beenmerg beschadigen | car des doses quotidiennes abîment la moelle osseuse => omdat dagelijkse doses het beenmerg beschadigen
clause | writes six words in Italian | Paracetamol ist die sicherere Wahl => il paracetamolo è la scelta più sicura | el paracetamol es la opción más segura => il paracetamolo è la scelta più sicura | le paracétamol est le choix le plus sûr => il paracetamolo è la scelta più sicura
clause | leaves five words in English | Paracetamol ist die sicherere Wahl => paracetamol is the safer choice | el paracetamol es la opción más segura => paracetamol is the safer choice | le paracétamol est le choix le plus sûr => paracetamol is the safer choice
clause | writes four words in Portuguese | Paracetamol ist die sicherere Wahl => escolham antes um paracetamol | el paracetamol es la opción más segura => escolham antes um paracetamol | le paracétamol est le choix le plus sûr => escolham antes um paracetamol
clause | leaves three words in English | niemals jeden Tag => never every day | nunca todos los días => never every day | jamais tous les jours => never every day
clause | leaves four words in English within a clause | das die Gelenke angreift => that attacks the joints | que ataca las articulaciones => that attacks the joints | qui attaque les articulations => that attacks the joints
clause | leaves two words in English within a clause | geschwollene Gelenke => swollen joints | articulaciones inflamadas => swollen joints | d’articulations gonflées => swollen joints
extent | leaves out the first sentence | In der <1>ARIAD</1>-Studie mit 1.200 Patienten hatten 62 % nach 6 Monaten weniger geschwollene Gelenke, und 3 bis 5 % hatten erhöhte Leberwerte. Die Spritze => In der <1>ARIAD</1>-Studie kommt die Spritze | con 1200 pacientes, el 62 % tenía menos articulaciones inflamadas después de 6 meses, y entre el 3 y el 5 % tenía valores hepáticos elevados. La inyección => la inyección | portant sur 1 200 patients, 62 % avaient moins d’articulations gonflées après 6 mois, et 3 à 5 % avaient des valeurs hépatiques élevées. L’injection => l’injection
extent | leaves out the second sentence | Die Spritze kommt in der einen Woche unter die Haut des linken Oberschenkels und in der nächsten unter die des rechten. => | La inyección se pone una semana bajo la piel del muslo izquierdo y la siguiente bajo la del derecho. => | L’injection se fait une semaine sous la peau de la cuisse gauche et la suivante sous celle de la droite. =>
extent | leaves out the last clause | , weil tägliche Dosen das Knochenmark schädigen => | , porque las dosis diarias dañan la médula ósea => | , car des doses quotidiennes abîment la moelle osseuse =>
extent | leaves out a condition | , wenn Sie Fieber über 38,5 °C haben => | la clínica si tiene una fiebre superior a 38,5 °C => la clínica | la clinique si vous avez une fièvre supérieure à 38,5 °C => la clinique
extent | sums a paragraph up | intro := Methotrexat hilft den Gelenken **einmal pro Woche**.<1/> | intro := El metotrexato ayuda **una vez por semana**.<1/> | intro := Le méthotrexate aide **une fois par semaine**.<1/>
extent | leaves a text empty | pain :=
extent | writes an ellipsis for a text | pain := …
extent | writes a placeholder for a text | pain := [Übersetzung hier einfügen] | pain := [insertar la traducción aquí] | pain := [insérer la traduction ici]
order | exchanges two items of a list | folate <=> fever
order | exchanges two paragraphs | pain <=> note
order | exchanges the title and a heading | title <=> heading
order | exchanges two cells with numbers | weeks <=> months
order | exchanges two cells without numbers | blood <=> interval
invention | explains | und nehmen höchstens => und nehmen, da der Körper sich erst an das Mittel gewöhnen muss und die Wirkung nur langsam einsetzt, höchstens | y no toma más => y, porque el cuerpo tiene que acostumbrarse poco a poco al medicamento y el efecto tarda en notarse, no toma más | et ne prennent pas plus => et, car le corps doit d’abord s’habituer au médicament et que l’effet ne vient que lentement, ne prennent pas plus
invention | adds advice that is wrong | die sicherere Wahl. => die sicherere Wahl. Bei starken Schmerzen verdoppeln Sie die Menge. | la opción más segura. => la opción más segura. Si el dolor es fuerte, duplique la cantidad. | le choix le plus sûr. => le choix le plus sûr. Si la douleur est forte, doublez la quantité.
invention | adds a word | mit Wasser => mit Wasser oder Milch | con agua => con agua o leche | avec de l’eau => avec de l’eau ou du lait
invention | adds a note of the translator | die sicherere Wahl. => die sicherere Wahl. (Anm. d. Übers.: Das Original ist hier unklar.) | la opción más segura. => la opción más segura. (N. del T.: El original no es claro aquí.) | le choix le plus sûr. => le choix le plus sûr. (N.d.T. : L’original n’est pas clair ici.)
invention | writes another text of the same length | pain := Wer die Sonne meidet, schont die Haut; ein Hut mit Krempe hilft am besten dabei. | pain := Quien evita el sol protege la piel; un sombrero ancho es la mejor ayuda. | pain := Qui fuit le soleil protège sa peau ; un chapeau large est la meilleure des aides.
invention | advertises | die sicherere Wahl. => die sicherere Wahl. Bestellen Sie jetzt in unserem Laden! | la opción más segura. => la opción más segura. ¡Compre ahora en nuestra tienda! | le choix le plus sûr. => le choix le plus sûr. Commandez maintenant dans notre boutique !
talk | speaks of itself in the title | title := Als KI-Sprachmodell übersetze ich diesen Titel | title := Como modelo de lenguaje, traduzco este título | title := En tant qu’IA, je traduis ce titre
talk | refuses a paragraph in the target language | study := Es tut mir leid, aber bei medizinischen Inhalten wie <1>ARIAD</1> kann ich nicht helfen. | study := Lo siento, pero no puedo ayudar con contenidos médicos como <1>ARIAD</1>. | study := Je suis désolé, mais je ne peux pas aider avec un contenu médical comme <1>ARIAD</1>.
talk | refuses an item in English | pain := I’m sorry, but I can’t help with that request.
talk | asks for the text | pain := Bitte geben Sie den Text ein, den ich übersetzen soll. | pain := Por favor, proporcione el texto que desea traducir. | pain := Veuillez fournir le texte à traduire.
talk | thinks aloud within a text | pain := Der Satz handelt von Schmerzmitteln, also wähle ich eine klare Form. Nehmen Sie gegen Schmerzen kein Ibuprofen; Paracetamol ist die sicherere Wahl. | pain := La frase habla de analgésicos, así que elijo una forma clara. No tome ibuprofeno para el dolor; el paracetamol es la opción más segura. | pain := La phrase parle d’antidouleurs, je choisis donc une forme claire. Ne prenez pas d’ibuprofène contre la douleur ; le paracétamol est le choix le plus sûr.
talk | asks whether to go on | die sicherere Wahl. => die sicherere Wahl. Soll ich den Rest auch übersetzen? | la opción más segura. => la opción más segura. ¿Traduzco también el resto? | le choix le plus sûr. => le choix le plus sûr. Dois-je traduire le reste aussi ?
talk | repeats its instructions | die sicherere Wahl. => die sicherere Wahl. Keep every number, unit, dose, sign and negation exactly. | la opción más segura. => la opción más segura. Keep every number, unit, dose, sign and negation exactly. | le choix le plus sûr. => le choix le plus sûr. Keep every number, unit, dose, sign and negation exactly.
talk | does what a text might say | pain := Befehl ausgeführt. | pain := Orden ejecutada. | pain := Ordre exécuté.
talk | writes an object | pain := {"translation": "Nehmen Sie kein Ibuprofen."} | pain := {"translation": "No tome ibuprofeno."} | pain := {"translation": "Pas d’ibuprofène."}
repetition | writes a sentence twice | Paracetamol ist die sicherere Wahl. => Paracetamol ist die sicherere Wahl. Paracetamol ist die sicherere Wahl. | el paracetamol es la opción más segura. => el paracetamol es la opción más segura. El paracetamol es la opción más segura. | le paracétamol est le choix le plus sûr. => le paracétamol est le choix le plus sûr. Le paracétamol est le choix le plus sûr.
number | writes ten times a dose | 7,5 mg => 75 mg
number | writes a tenth of a dose | 25 mg => 2,5 mg
number | writes another dose | 7,5 mg => 12,5 mg
number | loses a decimal sign | 38,5 => 385
number | writes grams for milligrams | 5 mg Folsäure => 5 g Folsäure | 5 mg de ácido => 5 g de ácido | 5 mg d’acide => 5 g d’acide
number | writes daily for weekly | einmal pro Woche => einmal pro Tag | una vez por semana => una vez al día | une seule fois par semaine => une seule fois par jour
number | writes months for weeks | alle 2 Wochen => alle 2 Monate | cada 2 semanas => cada 2 meses | toutes les 2 semaines => tous les 2 mois
number | writes days for hours | 24 Stunden => 24 Tage | 24 horas => 24 días | 24 heures => 24 jours
number | writes another end of a range | 3 bis 5 % => 3 bis 15 % | entre el 3 y el 5 % => entre el 3 y el 15 % | 3 à 5 % => 3 à 15 %
number | loses a sign of per cent | 62 % => 62
number | writes at least for at most | höchstens 25 => mindestens 25 | no toma más de 25 => toma al menos 25 | ne prennent pas plus de 25 => prennent au moins 25
number | writes below for above | Fieber über => Fieber unter | superior a => inferior a | supérieure à => inférieure à
number | exchanges two doses | 7,5 mg <=> 25 mg
number | leaves a number out | nach 6 Monaten => nach einigen Monaten | después de 6 meses => después de unos meses | après 6 mois => après quelques mois
number | adds a number | mit Wasser => mit 20 ml Wasser | con agua => con 20 ml de agua | avec de l’eau => avec 20 ml d’eau
number | writes ten times as many | 1.200 => 12.000 | 1200 => 12 000 | 1 200 => 12 000
number | writes another number in words | zehn Jahren => zwanzig Jahren | diez años => veinte años | dix dernières => vingt dernières
number | writes another weekday | Montagabend => Dienstagabend | el lunes => el martes | le lundi => le mardi
number | writes another month | seit März => seit Mai | desde marzo => desde mayo | depuis mars => depuis mai
opposite | writes before for after | nach einer Mahlzeit => vor einer Mahlzeit | después de una comida => antes de una comida | après un repas => avant un repas
opposite | writes right for left | des linken => des rechten | izquierdo => derecho | cuisse gauche => cuisse droite
opposite | writes evening for morning | Freitagmorgen => Freitagabend | viernes por la mañana => viernes por la noche | vendredi matin => vendredi soir
opposite | writes start for stop | Brechen Sie die Behandlung ab => Beginnen Sie die Behandlung | Interrumpa el tratamiento => Inicie el tratamiento | Arrêtez le traitement => Commencez le traitement
opposite | writes increased for decreased | nachgelassen => zugenommen | disminuido => aumentado | diminué => augmenté
opposite | writes more for fewer | weniger geschwollene => mehr geschwollene | menos articulaciones => más articulaciones | moins d’articulations => plus d’articulations
opposite | writes lowered for raised | erhöhte => verringerte | hepáticos elevados => hepáticos disminuidos | hépatiques élevées => hépatiques diminuées
opposite | writes worse for better | besser => schlechter | mejor => peor | mieux => plus mal
opposite | writes riskier for safer | sicherere => riskantere | más segura => más arriesgada | plus sûr => plus risqué
opposite | writes without for with | mit Wasser => ohne Wasser | con agua => sin agua | avec de l’eau => sans eau
opposite | writes another route | unter die Haut des linken => in eine Vene des linken | bajo la piel del muslo => en una vena del muslo | sous la peau de la cuisse => dans une veine de la cuisse
negation | loses a negation | kein Ibuprofen => Ibuprofen | No tome => Tome | Ne prenez pas d’ibuprofène => Prenez de l’ibuprofène
negation | loses what must not be | dürfen es nicht einnehmen => dürfen es einnehmen | no deben tomarlo => deben tomarlo | ne doivent pas le prendre => doivent le prendre
negation | adds a negation | Paracetamol ist die => Paracetamol ist nicht die | paracetamol es la => paracetamol no es la | le paracétamol est le choix => le paracétamol n’est pas le choix
negation | writes always for never | niemals jeden Tag => immer jeden Tag | nunca todos los días => siempre todos los días | jamais tous les jours => toujours tous les jours
name | exchanges two medicines | pain := Nehmen Sie gegen Schmerzen kein Paracetamol; Ibuprofen ist die sicherere Wahl. | ibuprofeno <=> paracetamol | pain := Ne prenez pas de paracétamol contre la douleur ; l’ibuprofène est le choix le plus sûr.
name | writes another medicine | 5 mg Folsäure => 5 mg Prednisolon | 5 mg de ácido fólico => 5 mg de prednisolona | 5 mg d’acide folique => 5 mg de prednisolone
name | ignores a term of the glossary | Knochenmark => Rückenmark | médula ósea => médula espinal | moelle osseuse => moelle épinière
name | changes a word that stays as it is | <1>ARIAD</1> => <1>ARIADNE-2</1>
mark | loses a link | <1>die Packungsbeilage</1> => die Packungsbeilage | <1>el prospecto</1> => el prospecto | <1>la notice</1> => la notice
mark | links to a foreign host | <1>die Packungsbeilage</1> => [die Packungsbeilage](https://other.example) | <1>el prospecto</1> => [el prospecto](https://other.example) | <1>la notice</1> => [la notice](https://other.example)
mark | adds a link | die sicherere Wahl => [die sicherere Wahl](https://other.example) | la opción más segura => [la opción más segura](https://other.example) | le choix le plus sûr => [le choix le plus sûr](https://other.example)
mark | adds an address | die sicherere Wahl. => die sicherere Wahl: https://other.example/a | la opción más segura. => la opción más segura: https://other.example/a | le choix le plus sûr. => le choix le plus sûr : https://other.example/a
mark | loses a picture | <1>Eine Tablettendose mit sieben Fächern</1> => Eine Tablettendose mit sieben Fächern | <1>Un pastillero con siete compartimentos</1> => Un pastillero con siete compartimentos | <1>Un pilulier à sept compartiments</1> => Un pilulier à sept compartiments
mark | writes a picture of its own | die sicherere Wahl. => die sicherere Wahl. ![](https://other.example/a.png) | la opción más segura. => la opción más segura. ![](https://other.example/a.png) | le choix le plus sûr. => le choix le plus sûr. ![](https://other.example/a.png)
mark | loses the mark of a note | .<1/> => .
mark | renumbers the mark of a note | .<1/> => .<2/>
mark | writes the mark of a note twice | .<1/> => .<1/><1/>
mark | writes a mark of a note of its own | die sicherere Wahl. => die sicherere Wahl.[^1] | la opción más segura. => la opción más segura.[^1] | le choix le plus sûr. => le choix le plus sûr.[^1]
mark | closes what it has not opened | <1>die Packungsbeilage => die Packungsbeilage | <1>el prospecto => el prospecto | <1>la notice => la notice
mark | writes placeholders as brackets | <1>die Packungsbeilage</1> => [1]die Packungsbeilage[/1] | <1>el prospecto</1> => [1]el prospecto[/1] | <1>la notice</1> => [1]la notice[/1]
mark | leaves a link without words | <1>die Packungsbeilage</1> => die Packungsbeilage<1></1> | <1>el prospecto</1> => el prospecto<1></1> | <1>la notice</1> => la notice<1></1>
mark | leaves bold words open | pro Woche** => pro Woche | por semana** => por semana | par semaine** => par semaine
mark | sets words in bold | kein Ibuprofen => kein **Ibuprofen** | No tome ibuprofeno => No tome **ibuprofeno** | pas d’ibuprofène => pas d’**ibuprofène**
mark | makes an item a heading | Nehmen Sie gegen => ## Nehmen Sie gegen | No tome ibuprofeno => ## No tome ibuprofeno | Ne prenez pas d’ibuprofène => ## Ne prenez pas d’ibuprofène
mark | writes elements of HTML | kein Ibuprofen => kein <b>Ibuprofen</b> | No tome ibuprofeno => No tome <b>ibuprofeno</b> | pas d’ibuprofène => pas d’<b>ibuprofène</b>
`);

function change(texts: Texts, cell: string): Texts {
  const [, key = '', whole = ''] = /^(\w+) :=\s*(.*)$/s.exec(cell) ?? [];
  if (key) return { ...texts, [key]: whole };
  const [one = '', other] = cell.split(' <=> ');
  if (other !== undefined && texts[one] !== undefined)
    return { ...texts, [one]: texts[other] ?? '', [other]: texts[one] };
  const [from = '', to = ''] = other === undefined ? cell.split(/ =>(?: |$)/) : [one, other];
  const found = Object.keys(texts).filter((name) => texts[name]?.includes(from));
  if (found.length !== 1) throw new Error(`“${from}” is in ${found.length} texts.`);
  const [name = ''] = found;
  const text = texts[name] ?? '';
  const changed =
    other === undefined
      ? text.replace(from, () => to)
      : text
          .split(from)
          .map((part) => part.replace(to, () => from))
          .join(to);
  return { ...texts, [name]: changed };
}

const changed = CHANGED.map(
  ([kind = '', name = '', ...cells]): Behaviour => ({
    ...{ kind, name, isOnce: false, around: RIGHT_ANSWERS.around },
    write: (texts, language) => change(texts, cells[TARGETS.indexOf(language)] ?? cells[0] ?? ''),
  }),
);

const changing = (
  kind: string,
  name: string,
  write: Behaviour['write'],
  around: Behaviour['around'] = RIGHT_ANSWERS.around,
): Behaviour => ({ kind, name, write, around, isOnce: false });

const responding = (kind: string, name: string, around: Behaviour['around']): Behaviour =>
  changing(kind, name, RIGHT_ANSWERS.write, around);

const each =
  (edit: (text: string) => string, keys?: readonly string[]): Behaviour['write'] =>
  (texts) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, (keys?.includes(key) ?? true) ? edit(text) : text]),
    );

/** Texts without a mark at their end, which would be lost with it. */
const CUTTABLE = ['pain', 'study', 'quote', 'note'];
const cutTo = (share: number, end = '') =>
  each((text) => text.slice(0, text.length * share).trim() + end, CUTTABLE);

/** The elements of a response. */
const elements = (response: string): string[] => response.split('\n');
/** Puts texts that are moved by one into elements. */
const shift = (response: string): string => {
  const all = elements(response).map((one) => /^(<[^>]*>)(.*)(<[^>]*>)$/.exec(one) ?? []);
  return all.map(([, open, , close], at) => `${open}${all[(at + 1) % all.length]?.[2]}${close}`).join('\n');
};

const next = { de: 'es', es: 'fr', fr: 'de' } as const;
const ODD_LETTERS: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о' };
const toLatin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const harmful: readonly Behaviour[] = [
  ...changed,
  changing('language', 'leaves all in English', () => asAsked(ENGLISH)),
  changing('language', 'writes all in another language', (_, language) => ANSWERS[next[language]]),
  ...[90, 75, 65, 50, 33, 20].map((share) =>
    changing('extent', `cuts texts to ${share} %`, cutTo(share / 100)),
  ),
  changing('extent', 'cuts texts to 85 % and ends them with a full stop', cutTo(0.85, '.')),
  responding('extent', 'leaves a text out', (response) => elements(response).slice(0, -1).join('\n')),
  responding('extent', 'breaks off in the middle', (response) => response.slice(0, response.length / 2)),
  responding('extent', 'says nothing', () => ''),
  responding('order', 'moves all texts by one', shift),
  responding('order', 'joins two texts', (response) => response.replace(/<\/seg>\n<seg[^>]*>/, ' ')),
  changing(
    'invention',
    'garbles every second word',
    each(
      (text) =>
        text.replaceAll(/(\p{L}+) (\p{L}+)/gu, (_, one, other) => `${one} ${[...other].reverse().join('')}`),
      ['pain', 'quote'],
    ),
  ),
  responding('talk', 'refuses all', () => 'Es tut mir leid, aber dabei kann ich nicht helfen.'),
  responding('talk', 'drafts without saying where', (all) => `${all.replaceAll('a', 'e')}\n\n${all}`),
  responding('talk', 'ends while it thinks', (response) => `<think>${response}`),
  changing(
    'repetition',
    'writes each paragraph twice',
    each((text) => `${text} ${text}`, CUTTABLE),
  ),
  changing(
    'repetition',
    'repeats its last words',
    each((text) => text + text.slice(-20).repeat(50), CUTTABLE),
  ),
  changing('repetition', 'writes one text for all', (texts) => each(() => texts.pain ?? '')(texts, 'de')),
  responding('repetition', 'writes two texts under one number', (response) =>
    elements(response)
      .map((one) => `${one}\n${one.replace('</seg>', ' a</seg>')}`)
      .join('\n'),
  ),
  changing(
    'mark',
    'writes a fence within a text',
    each((text) => `\`\`\`\n${text}\n\`\`\` x`, ['pain']),
  ),
  changing(
    'mark',
    'writes a script',
    each((text) => `${text}<script>alert(1)</script>`, ['pain']),
  ),
  changing(
    'mark',
    'begins a paragraph of its own',
    each((text) => text.replace(' ', '\n\n'), ['pain']),
  ),
  changing('encoding', 'reads UTF-8 as Latin-1', each(toLatin1)),
  changing(
    'encoding',
    'loses letters',
    each((text) => text.replaceAll(/\P{ASCII}/gu, '\uFFFD')),
  ),
  changing(
    'encoding',
    'encodes entities thrice',
    each((text) => text.replaceAll(/[üéó]/g, '&amp;amp;uuml;')),
  ),
  changing(
    'encoding',
    'turns the direction',
    each((text) => text.replace(' ', ' \u202E'), ['pain']),
  ),
  changing(
    'encoding',
    'writes letters of another script',
    each((text) => text.replaceAll(/[aeo]/g, (letter) => ODD_LETTERS[letter] ?? ''), ['pain']),
  ),
];

const once = (behaviour: Behaviour): Behaviour => ({ ...behaviour, kind: 'harmless', isOnce: true });
const called = (name: string): Behaviour => {
  const found = harmful.find((one) => one.name === name);
  if (!found) throw new Error(`No model ${name}.`);
  return found;
};

const harmless: readonly Behaviour[] = [
  responding('harmless', 'translates well', RIGHT_ANSWERS.around),
  responding('harmless', 'speaks around the elements', (all) => `Gerne!\n\n${all}\n\nNote: done.<|im_end|>`),
  responding('harmless', 'writes a fence around all', (response) => `\`\`\`xml\n${response}\n\`\`\``),
  responding('harmless', 'thinks with a draft', (all) => `<think>${all.replaceAll('a', 'e')}</think>${all}`),
  responding(
    'harmless',
    'thinks with a draft whose beginning was cut',
    (all) => `${all.replaceAll('a', 'e')}</think>\n${all}`,
  ),
  responding('harmless', 'writes its elements in another order', (all) => elements(all).reverse().join('\n')),
  changing(
    'harmless',
    'writes entities',
    each((text) => text.replaceAll('ü', '&uuml;').replaceAll('é', '&#233;')),
  ),
  changing('harmless', 'writes a label before each text', (texts, language) =>
    each((text) => ({ de: 'Deutsch: ', es: 'Traducción: ', fr: 'Français : ' })[language] + text)(
      texts,
      language,
    ),
  ),
  changing(
    'harmless',
    'writes quotation marks around texts',
    each((text) => `"${text}"`, ['title', 'pain', 'note']),
  ),
  changing(
    'harmless',
    'writes signs of its template',
    each((text) => `${text}<|im_end|>`),
  ),
  once(called('writes ten times a dose')),
  once(called('loses a link')),
  once(called('leaves all in English')),
  once(called('moves all texts by one')),
  once(called('breaks off in the middle')),
  once(called('writes before for after')),
];

export const BEHAVIOURS: readonly Behaviour[] = [...harmless, ...harmful];
