import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'Über mich',
  metaDescription:
    'Eine Ärztin, die zeichnet, und ein Journal, in dem medizinische Texte und Kunstwerke einander erklären.',
  whoIAm: {
    heading: 'Wer ich bin',
    body: [
      'Ich bin Mara Lindqvist, Ärztin und Zeichnerin. Tagsüber höre ich Herzen ab; abends versuche ich, das Gehörte zu Papier zu bringen. Lange hielt ich das für zwei Leben. Es ist eines: Beides ist eine Art, aufmerksam zu sein.',
      'Anatomie habe ich mit dem Bleistift in der Hand gelernt, denn ein Gefäß verstand ich erst, wenn ich ihm mit einer Linie gefolgt war. Noch heute erkläre ich meinen Patientinnen und Patienten Krankheiten so – auf der Rückseite des nächstbesten Blattes.',
    ],
  },
  vision: {
    heading: 'Meine Vision',
    body: [
      'Ich wünsche mir einen Ort, an dem ein medizinischer Text so klar ist wie eine gute Zeichnung und eine Zeichnung so sorgfältig wie ein guter Text; an dem Kranke, Studierende und Menschen, die einfach Bilder lieben, vor derselben Tafel stehen und alle etwas mitnehmen.',
      'Dieser Ort soll allen offenstehen, in der Sprache, in der man denkt, wenn man sich sorgt. Deshalb lässt sich jeder Beitrag auf Englisch, Spanisch, Französisch und Deutsch lesen.',
    ],
  },
  why: {
    heading: 'Warum dieses Journal',
    body: [
      'Nie hatte die Medizin so viele Bilder, und selten hat sie so flüchtig hingesehen. Die alten Atlanten entstanden, weil Ärzte und Künstler an einem Tisch saßen: Der eine wusste, wohin man sehen muss, der andere, wie. So sorgte jeder dafür, dass der andere ehrlich blieb.',
      'Dieses Journal deckt jenen Tisch aufs Neue. Kunstwerk und Text erscheinen gemeinsam, und keines von beiden ist dazu da, das andere zu schmücken.',
    ],
  },
  quote: { text: 'Lange genug hinzusehen ist schon eine Form der Fürsorge.', source: 'Mara Lindqvist' },
  counting:
    'Dieses Journal zählt, wie oft seine Seiten geöffnet und seine Texte zu Ende gelesen werden, in welcher Sprache und von welcher Website aus. Das geschieht ohne Cookies, Namen und Adressen, und gar nicht, wenn Ihr Browser darum bittet, nicht verfolgt zu werden.',
};
