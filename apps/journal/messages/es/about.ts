import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'Sobre mí',
  description: (site) => `Qué es ${site}, quién lo publica y por qué.`,
  whoIAm: { heading: 'Quién soy', text: 'Quien publica esta revista aún no ha escrito su presentación.' },
  vision: {
    heading: 'Mi visión',
    text: 'Un texto médico tan claro como un buen dibujo y una imagen tan rigurosa como un buen texto: para que pacientes, estudiantes y cualquiera que disfrute mirando se lleven algo consigo.',
  },
  why: {
    heading: 'Por qué esta revista',
    text: 'Un texto dice lo que hay que saber y una imagen muestra dónde mirar. Aquí se publican juntos, cada uno al servicio del otro.',
  },
  quote: 'Un texto y una imagen, lado a lado.',
  counting:
    'Esta revista cuenta cuántas veces se abren sus páginas y se leen sus textos hasta el final, en qué idioma y desde qué sitio. Lo hace sin cookies, nombres ni direcciones, y no cuenta nada si su navegador pide que no le rastreen.',
};
