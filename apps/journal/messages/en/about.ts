interface Section {
  heading: string;
  body: string[];
}

interface About {
  title: string;
  metaDescription: string;
  whoIAm: Section;
  vision: Section;
  why: Section;
  quote: { text: string; source: string };
  /** Explains what is counted about readers. */
  counting: string;
}

export const about: About = {
  title: 'About Me',
  metaDescription:
    'A physician who draws, and a journal in which medical texts and artworks explain each other.',
  whoIAm: {
    heading: 'Who I am',
    body: [
      'I am Mara Lindqvist, a physician who draws. By day I listen to hearts; in the evening I try to put on paper what I have heard. For years I thought of these as two lives. They are one: both are ways of paying attention.',
      'I learnt anatomy with a pencil in my hand, because I only understood a vessel once I had followed it with a line. I still explain an illness to my patients that way, on the back of whatever sheet is nearest.',
    ],
  },
  vision: {
    heading: 'My vision',
    body: [
      'I wish for a place where a medical text is as clear as a good drawing, and a drawing as careful as a good text; where a patient, a student and someone who simply loves pictures can stand before the same plate and each take something home.',
      'That place has to be open to everyone, in the language one thinks in when one is worried. So every post can be read in English, Spanish, French and German.',
    ],
  },
  why: {
    heading: 'Why this journal',
    body: [
      'Medicine has never had more images, and has seldom looked at them so briefly. The old atlases were made by physicians and artists at one table: the one knew where to look, the other knew how. Each kept the other honest.',
      'This journal sets that table again. An artwork and a text are published together, and neither is there to decorate the other.',
    ],
  },
  quote: { text: 'To look long enough is already a way of caring.', source: 'Mara Lindqvist' },
  counting:
    'This journal counts how often its pages are opened and its texts read to the end, in which language and from which site. It does so without cookies, names or addresses, and not at all if your browser asks not to be tracked.',
};
