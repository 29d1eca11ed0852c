import type { SiteTexts } from '../entities.ts';

/** Markdown divides paragraphs by a blank line. */
const PARAGRAPH = '\n\n';

/** The texts of the demo's site: an invented physician introduces herself. */
export const siteTexts: readonly Partial<SiteTexts>[] = [
  {
    id: 'en',
    whoTitle: 'Who I am',
    whoText: [
      'I am Mara Lindqvist, a physician who draws. By day I listen to hearts; in the evening I try to put on paper what I have heard. For years I thought of these as two lives. They are one: both are ways of paying attention.',
      'I learnt anatomy with a pencil in my hand, because I only understood a vessel once I had followed it with a line. I still explain an illness to my patients that way, on the back of whatever sheet is nearest.',
    ].join(PARAGRAPH),
    visionTitle: 'My vision',
    visionText: [
      'I wish for a place where a medical text is as clear as a good drawing, and a drawing as careful as a good text; where a patient, a student and someone who simply loves pictures can stand before the same plate and each take something home.',
      'That place has to be open to everyone, in the language one thinks in when one is worried. So every post can be read in English, Spanish, French and German.',
    ].join(PARAGRAPH),
    whyTitle: 'Why this journal',
    whyText: [
      'Medicine has never had more images, and has seldom looked at them so briefly. The old atlases were made by physicians and artists at one table: the one knew where to look, the other knew how. Each kept the other honest.',
      'This journal sets that table again. An artwork and a text are published together, and neither is there to decorate the other.',
    ].join(PARAGRAPH),
    quoteText: 'To look long enough is already a way of caring.',
    quoteSource: 'Mara Lindqvist',
  },
  {
    id: 'es',
    whoTitle: 'Quién soy',
    whoText: [
      'Soy Mara Lindqvist, médica y dibujante. De día escucho corazones; por la noche intento llevar al papel lo que he oído. Durante años creí que eran dos vidas. Son una sola: las dos son maneras de prestar atención.',
      'Aprendí anatomía con un lápiz en la mano, porque solo entendía un vaso cuando lo había seguido con una línea. Todavía explico así las enfermedades a mis pacientes, en el reverso de la primera hoja que encuentro.',
    ].join(PARAGRAPH),
    visionTitle: 'Mi visión',
    visionText: [
      'Sueño con un lugar donde un texto médico sea tan claro como un buen dibujo, y un dibujo tan riguroso como un buen texto; donde un paciente, una estudiante y quien simplemente ama las imágenes puedan detenerse ante la misma lámina y llevarse algo cada uno.',
      'Ese lugar tiene que estar abierto a todos, en la lengua en la que uno piensa cuando está preocupado. Por eso cada publicación puede leerse en inglés, español, francés y alemán.',
    ].join(PARAGRAPH),
    whyTitle: 'Por qué esta revista',
    whyText: [
      'La medicina nunca ha tenido tantas imágenes y pocas veces las ha mirado tan deprisa. Los antiguos atlas nacieron de médicos y artistas sentados a la misma mesa: uno sabía dónde mirar, el otro sabía cómo. Cada cual obligaba al otro a ser honesto.',
      'Esta revista vuelve a poner esa mesa. Una obra y un texto se publican juntos, y ninguno está ahí para adornar al otro.',
    ].join(PARAGRAPH),
    quoteText: 'Mirar el tiempo suficiente ya es una forma de cuidar.',
    quoteSource: 'Mara Lindqvist',
  },
  {
    id: 'fr',
    whoTitle: 'Qui je suis',
    whoText: [
      'Je suis Mara Lindqvist, médecin et dessinatrice. Le jour, j’écoute des cœurs ; le soir, j’essaie de coucher sur le papier ce que j’ai entendu. Longtemps, j’ai cru mener deux vies. Il n’y en a qu’une : l’une et l’autre sont des façons de prêter attention.',
      'J’ai appris l’anatomie un crayon à la main, car je ne comprenais un vaisseau qu’après l’avoir suivi d’un trait. C’est encore ainsi que j’explique une maladie à mes patients, au dos de la première feuille venue.',
    ].join(PARAGRAPH),
    visionTitle: 'Ma vision',
    visionText: [
      'Je rêve d’un lieu où un texte médical serait aussi clair qu’un bon dessin, et un dessin aussi rigoureux qu’un bon texte ; où un patient, une étudiante et quelqu’un qui aime simplement les images pourraient s’arrêter devant la même planche et chacun en emporter quelque chose.',
      'Ce lieu doit être ouvert à tous, dans la langue où l’on pense quand on est inquiet. Chaque article se lit donc en anglais, en espagnol, en français et en allemand.',
    ].join(PARAGRAPH),
    whyTitle: 'Pourquoi cette revue',
    whyText: [
      'La médecine n’a jamais eu autant d’images et les a rarement regardées si vite. Les atlas anciens naissaient de médecins et d’artistes assis à la même table : l’un savait où regarder, l’autre savait comment. Chacun obligeait l’autre à rester honnête.',
      'Cette revue dresse à nouveau cette table. Une œuvre et un texte y paraissent ensemble, et aucun des deux n’est là pour décorer l’autre.',
    ].join(PARAGRAPH),
    quoteText: 'Regarder assez longtemps, c’est déjà prendre soin.',
    quoteSource: 'Mara Lindqvist',
  },
  {
    id: 'de',
    whoTitle: 'Wer ich bin',
    whoText: [
      'Ich bin Mara Lindqvist, Ärztin und Zeichnerin. Tagsüber höre ich Herzen ab; abends versuche ich, das Gehörte zu Papier zu bringen. Lange hielt ich das für zwei Leben. Es ist eines: Beides ist eine Art, aufmerksam zu sein.',
      'Anatomie habe ich mit dem Bleistift in der Hand gelernt, denn ein Gefäß verstand ich erst, wenn ich ihm mit einer Linie gefolgt war. Noch heute erkläre ich meinen Patientinnen und Patienten Krankheiten so – auf der Rückseite des nächstbesten Blattes.',
    ].join(PARAGRAPH),
    visionTitle: 'Meine Vision',
    visionText: [
      'Ich wünsche mir einen Ort, an dem ein medizinischer Text so klar ist wie eine gute Zeichnung und eine Zeichnung so sorgfältig wie ein guter Text; an dem Kranke, Studierende und Menschen, die einfach Bilder lieben, vor derselben Tafel stehen und alle etwas mitnehmen.',
      'Dieser Ort soll allen offenstehen, in der Sprache, in der man denkt, wenn man sich sorgt. Deshalb lässt sich jeder Beitrag auf Englisch, Spanisch, Französisch und Deutsch lesen.',
    ].join(PARAGRAPH),
    whyTitle: 'Warum dieses Journal',
    whyText: [
      'Nie hatte die Medizin so viele Bilder, und selten hat sie so flüchtig hingesehen. Die alten Atlanten entstanden, weil Ärzte und Künstler an einem Tisch saßen: Der eine wusste, wohin man sehen muss, der andere, wie. So sorgte jeder dafür, dass der andere ehrlich blieb.',
      'Dieses Journal deckt jenen Tisch aufs Neue. Kunstwerk und Text erscheinen gemeinsam, und keines von beiden ist dazu da, das andere zu schmücken.',
    ].join(PARAGRAPH),
    quoteText: 'Lange genug hinzusehen ist schon eine Form der Fürsorge.',
    quoteSource: 'Mara Lindqvist',
  },
];
