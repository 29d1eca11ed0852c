interface Section {
  heading: string;
  text: string;
}

interface About {
  title: string;
  description: (site: string) => string;
  /** The sections and the quote of a site whose operator has not written its own. They are true of any. */
  whoIAm: Section;
  vision: Section;
  why: Section;
  quote: string;
  /** Explains what is counted about readers. */
  counting: string;
}

export const about: About = {
  title: 'About Me',
  description: (site) => `What ${site} is, who publishes it and why.`,
  whoIAm: { heading: 'Who I am', text: 'The publisher of this journal has not written an introduction yet.' },
  vision: {
    heading: 'My vision',
    text: 'A medical text as clear as a good drawing, and a picture as careful as a good text: so that patients, students and everybody who likes to look take something home.',
  },
  why: {
    heading: 'Why this journal',
    text: 'A text says what there is to know, and a picture shows where to look. Here they are published together, each for the sake of the other.',
  },
  quote: 'A text and a picture, side by side.',
  counting:
    'This journal counts how often its pages are opened and its texts read to the end, in which language and from which site. It does so without cookies, names or addresses, and not at all if your browser asks not to be tracked.',
};
