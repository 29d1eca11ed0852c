import type { about as source } from '../en/about.ts';

export const about: typeof source = {
  title: 'Sobre mí',
  metaDescription:
    'Una médica que dibuja y una revista en la que los textos médicos y las obras de arte se explican entre sí.',
  whoIAm: {
    heading: 'Quién soy',
    body: [
      'Soy Mara Lindqvist, médica y dibujante. De día escucho corazones; por la noche intento llevar al papel lo que he oído. Durante años creí que eran dos vidas. Son una sola: las dos son maneras de prestar atención.',
      'Aprendí anatomía con un lápiz en la mano, porque solo entendía un vaso cuando lo había seguido con una línea. Todavía explico así las enfermedades a mis pacientes, en el reverso de la primera hoja que encuentro.',
    ],
  },
  vision: {
    heading: 'Mi visión',
    body: [
      'Sueño con un lugar donde un texto médico sea tan claro como un buen dibujo, y un dibujo tan riguroso como un buen texto; donde un paciente, una estudiante y quien simplemente ama las imágenes puedan detenerse ante la misma lámina y llevarse algo cada uno.',
      'Ese lugar tiene que estar abierto a todos, en la lengua en la que uno piensa cuando está preocupado. Por eso cada publicación puede leerse en inglés, español, francés y alemán.',
    ],
  },
  why: {
    heading: 'Por qué esta revista',
    body: [
      'La medicina nunca ha tenido tantas imágenes y pocas veces las ha mirado tan deprisa. Los antiguos atlas nacieron de médicos y artistas sentados a la misma mesa: uno sabía dónde mirar, el otro sabía cómo. Cada cual obligaba al otro a ser honesto.',
      'Esta revista vuelve a poner esa mesa. Una obra y un texto se publican juntos, y ninguno está ahí para adornar al otro.',
    ],
  },
  quote: { text: 'Mirar el tiempo suficiente ya es una forma de cuidar.', source: 'Mara Lindqvist' },
  counting:
    'Esta revista cuenta cuántas veces se abren sus páginas y se leen sus textos hasta el final, en qué idioma y desde qué sitio. Lo hace sin cookies, nombres ni direcciones, y no cuenta nada si tu navegador pide que no te rastreen.',
};
