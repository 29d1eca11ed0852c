import type { DemoPost } from '../demo-post.ts';

export const retina: DemoPost = {
  slug: 'retina',
  artwork: {
    file: 'retina.webp',
    alt: {
      en: 'Drawing of the back of the eye: a glowing orange disc with a bright spot on the right, from which red vessels arch around a dark patch.',
      es: 'Dibujo del fondo del ojo: un disco anaranjado y luminoso, con una mancha clara a la derecha de la que parten vasos rojos que se arquean en torno a una zona oscura.',
      fr: 'Dessin du fond de l’œil : un disque orangé et lumineux, avec à droite une tache claire d’où partent des vaisseaux rouges qui s’arquent autour d’une plage sombre.',
      de: 'Zeichnung des Augenhintergrunds: eine leuchtend orange Scheibe mit einem hellen Fleck rechts, von dem rote Gefäße ausgehen und sich um ein dunkles Feld wölben.',
    },
    caption: {
      en: 'Plate VI: the back of a right eye, with the fovea (b) in the dark patch and one of the arteries (c) that arch around it',
      es: 'Lámina VI: el fondo de un ojo derecho, con la fóvea (b) en la zona oscura y una de las arterias (c) que se arquean a su alrededor',
      fr: 'Planche VI : le fond d’un œil droit, avec la fovéa (b) dans la plage sombre et l’une des artères (c) qui s’arquent autour d’elle',
      de: 'Tafel VI: der Hintergrund eines rechten Auges mit der Fovea (b) im dunklen Feld und einer der Arterien (c), die sich darum wölben',
    },
    description: {
      en: 'A glowing orange disc hangs on black ground: the inside of a right eye, as an ophthalmoscope shows it. Its edge sinks into the dark.\n\nRight of the middle shines a pale disc (d), from which vessels spread. They arch in two bows around a dark, quiet patch, with the fovea as a bright point in it (b). The thin, light lines are arteries (c), the wide, dark ones veins (e). Towards the rim the vessels become fine as hairs (a).',
      es: 'Un disco anaranjado y encendido flota sobre fondo negro: el interior de un ojo derecho, como lo muestra el oftalmoscopio. Su borde se hunde en la oscuridad.\n\nA la derecha del centro brilla un disco pálido (d), del que salen los vasos. Se arquean en dos curvas en torno a una zona oscura y serena, con la fóvea como un punto claro (b). Las líneas finas y claras son arterias (c); las anchas y oscuras, venas (e). Hacia el borde, los vasos se hacen finos como cabellos (a).',
      fr: 'Un disque orangé et rougeoyant se détache sur fond noir : l’intérieur d’un œil droit, tel que le montre l’ophtalmoscope. Son bord s’enfonce dans l’ombre.\n\nÀ droite du centre brille un disque pâle (d), d’où partent les vaisseaux. Ils s’arquent en deux courbes autour d’une plage sombre et calme où la fovéa est un point clair (b). Les lignes fines et claires sont des artères (c), les larges et sombres des veines (e). Vers le bord, les vaisseaux deviennent fins comme des cheveux (a).',
      de: 'Eine glühende, orangefarbene Scheibe hängt auf schwarzem Grund: das Innere eines rechten Auges, wie der Augenspiegel es zeigt. Ihr Rand versinkt im Dunkel.\n\nRechts der Mitte leuchtet eine blasse Scheibe (d), von der die Gefäße ausgehen. In zwei Bögen wölben sie sich um ein dunkles, stilles Feld, in dem die Fovea als heller Punkt liegt (b). Die feinen, hellen Linien sind Arterien (c), die breiten, dunklen Venen (e). Zum Rand hin werden die Gefäße fein wie Haare (a).',
    },
    marks: [
      {
        letter: 'a',
        shape: { kind: 'point', x: 78, y: 32 },
        note: {
          en: 'The periphery of the retina, where the vessels end.',
          es: 'La periferia de la retina, donde terminan los vasos.',
          fr: 'La périphérie de la rétine, où finissent les vaisseaux.',
          de: 'Der Rand der Netzhaut, an dem die Gefäße enden.',
        },
      },
      {
        letter: 'b',
        shape: { kind: 'box', x: 33, y: 44.5, width: 11, height: 11 },
        note: {
          en: 'The fovea: no vessel crosses it.',
          es: 'La fóvea: ningún vaso la cruza.',
          fr: 'La fovéa : aucun vaisseau ne la traverse.',
          de: 'Die Fovea: Kein Gefäß läuft darüber.',
        },
      },
      { letter: 'c', shape: { kind: 'point', x: 34, y: 68.8 } },
      {
        letter: 'd',
        shape: { kind: 'box', x: 60, y: 43, width: 11, height: 11 },
        note: {
          en: 'The optic disc: the blind spot.',
          es: 'El disco óptico: el punto ciego.',
          fr: 'Le disque optique : la tache aveugle.',
          de: 'Die Papille: der blinde Fleck.',
        },
      },
      { letter: 'e', shape: { kind: 'point', x: 65, y: 58 } },
    ],
  },
  contentFormat: 'markdown',
  author: 'ines',
  daysAgo: 9,
  title: {
    en: 'Looking at the place we look from',
    es: 'Mirar el lugar desde donde miramos',
    fr: 'Regarder là où l’on regarde',
    de: 'Ein Blick auf den Ort des Sehens',
  },
  content: {
    en: `I have drawn hundreds of eyes from the outside. The first time I was allowed to look into one, through an ophthalmologist’s lens, I forgot to draw. A pupil is a black dot only as long as nobody sends light through it along the line of sight. Do so, and the back of the eye appears, a small glowing planet, orange and streaked with rivers.

Start with the brightest spot, :mark[the pale disc]{#d}. Here the nerve fibres of the whole retina gather and leave for the brain, and here the vessels enter and depart. The thinner, lighter lines are :mark[arteries]{#c}; the darker, wider ones beside them are :mark[veins]{#e}. Nothing in the disc can see: it is the blind spot, and the brain fills the gap so tactfully that hardly anyone notices.

Now follow the vessels as they arch around a darker, quieter patch. They seem to avoid it, and they do. At its centre lies the :mark[fovea]{#b}, the pit where cones stand packed together, with no vessel to cast a shadow on them. You are using it at this moment. You read with a spot the size of a pinhead; the rest of the retina tells you where to point it next.

Nowhere else can a doctor see living blood vessels so plainly without a single cut. Diabetes and high blood pressure may leave traces here, tiny bulges, haemorrhages, narrowed lines, long before sight suffers; hence the regular checks. And if flashes, a shower of new specks or a dark curtain should suddenly appear, have the eye examined that same day. As for me, I learned to draw it at last by starting with the light and letting the darkness come from the edges.`,
    es: `He dibujado cientos de ojos por fuera. La primera vez que pude mirar dentro de uno, a través de la lente de una oftalmóloga, se me olvidó dibujar. La pupila solo es un punto negro mientras nadie envíe luz por ella en la línea de la mirada. En cuanto llega, aparece el fondo del ojo: un pequeño planeta encendido, anaranjado, surcado de ríos.

Empiece por el punto más claro, :mark[el disco pálido]{#d}. Allí se reúnen las fibras nerviosas de toda la retina camino del cerebro; por allí entran y salen los vasos. Las líneas más finas y claras son :mark[arterias]{#c}; las más oscuras y anchas, a su lado, :mark[venas]{#e}. Nada ve en ese disco: es el punto ciego, y el cerebro rellena el hueco con tanta discreción que casi nadie lo nota.

Siga ahora los vasos, que se arquean en torno a una zona más oscura y serena. La evitan, en efecto. En su centro está la :mark[fóvea]{#b}, el hoyuelo donde se apiñan los conos, sin vaso alguno que les haga sombra. Usted la está usando en este momento. Leemos con una mancha del tamaño de una cabeza de alfiler; el resto de la retina nos dice hacia dónde dirigirla después.

En ningún otro lugar puede verse con tanta claridad, sin un solo corte, un vaso sanguíneo vivo. La diabetes y la hipertensión pueden dejar aquí sus huellas, pequeñas dilataciones, hemorragias, líneas estrechadas, mucho antes de que la vista se resienta; de ahí las revisiones periódicas. Y si de pronto aparecen destellos, una lluvia de motas nuevas o una cortina oscura, conviene que examinen el ojo ese mismo día. Yo aprendí por fin a dibujarlo empezando por la luz y dejando que la oscuridad llegara desde los bordes.`,
    fr: `J’ai dessiné des centaines d’yeux vus du dehors. La première fois qu’on m’a laissée regarder dans l’un d’eux, à travers la lentille d’une ophtalmologiste, j’ai oublié de dessiner. La pupille n’est un point noir que tant qu’on n’y envoie pas de lumière dans l’axe du regard. Sitôt qu’elle entre, voici le fond de l’œil : une petite planète rougeoyante, orangée, sillonnée de rivières.

Commencez par la tache la plus claire, :mark[le disque pâle]{#d}. Là se rassemblent les fibres nerveuses de toute la rétine avant de partir vers le cerveau ; là entrent et sortent les vaisseaux. Les lignes fines et claires sont des :mark[artères]{#c} ; les plus sombres et plus larges, à leur côté, des :mark[veines]{#e}. Rien ne voit dans ce disque : c’est la tache aveugle, et le cerveau comble le vide avec tant de tact que presque personne ne s’en aperçoit.

Suivez maintenant les vaisseaux qui s’arquent autour d’une plage plus sombre et plus calme. Ils l’évitent, en effet. En son centre se trouve la :mark[fovéa]{#b}, la fossette où les cônes se serrent, sans vaisseau pour leur faire de l’ombre. Vous vous en servez en ce moment. On lit avec une tache de la taille d’une tête d’épingle ; le reste de la rétine nous dit où la diriger ensuite.

Nulle part ailleurs on ne voit si nettement, sans la moindre incision, des vaisseaux vivants. Le diabète et l’hypertension peuvent y laisser leurs traces, petits renflements, hémorragies, lignes rétrécies, bien avant que la vue n’en souffre ; d’où les contrôles réguliers. Et si surgissent soudain des éclairs, une pluie de taches nouvelles ou un rideau sombre, faites examiner l’œil le jour même. Quant à moi, j’ai fini par savoir le dessiner en commençant par la lumière, et en laissant l’obscurité venir des bords.`,
    de: `Ich habe Hunderte von Augen von außen gezeichnet. Als ich zum ersten Mal in eines hineinsehen durfte, durch die Linse einer Augenärztin, vergaß ich das Zeichnen. Ein schwarzer Punkt ist die Pupille nur, solange niemand in Blickrichtung Licht hindurchschickt. Sobald es geschieht, erscheint der Augenhintergrund: ein kleiner glühender Planet, orange und von Flüssen durchzogen.

Beginnen Sie beim hellsten Fleck, :mark[der blassen Scheibe]{#d}. Hier sammeln sich die Nervenfasern der ganzen Netzhaut, um zum Gehirn aufzubrechen, hier treten die Gefäße ein und aus. Die feineren, helleren Linien sind :mark[Arterien]{#c}; die dunkleren, breiteren daneben sind :mark[Venen]{#e}. Die Scheibe selbst sieht nichts: Sie ist der blinde Fleck, und das Gehirn füllt die Lücke so taktvoll, dass sie kaum jemandem auffällt.

Folgen Sie nun den Gefäßen, die sich um ein dunkleres, stilleres Feld wölben. Es sieht aus, als mieden sie es, und so ist es auch. In seiner Mitte liegt die :mark[Fovea]{#b}, die Grube, in der die Zapfen dicht beieinanderstehen, ohne ein Gefäß, das ihnen Schatten macht. Sie benutzen sie gerade jetzt. Wir lesen mit einem Fleck von der Größe eines Stecknadelkopfs; der Rest der Netzhaut sagt uns, wohin wir ihn als Nächstes richten.

Nirgends sonst lassen sich lebende Blutgefäße so deutlich betrachten, ganz ohne Schnitt. Diabetes und Bluthochdruck können hier ihre Spuren hinterlassen, kleine Aussackungen, Blutungen, verengte Linien, lange bevor das Sehen leidet; daher die regelmäßigen Kontrollen. Und wenn plötzlich Blitze, ein Schwarm neuer Punkte oder ein dunkler Vorhang auftauchen, lassen Sie das Auge noch am selben Tag untersuchen. Ich selbst habe es am Ende zeichnen gelernt, indem ich mit dem Licht begann und die Dunkelheit von den Rändern kommen ließ.`,
  },
};
