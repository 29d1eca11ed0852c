import type { DemoPost } from '../demo-post.ts';

export const branchingLungs: DemoPost = {
  slug: 'branching-lungs',
  artwork: {
    file: 'branching-lungs.webp',
    alt: {
      en: 'Drawing of both lungs on a dark blue ground: the ringed windpipe divides into two bronchi, and these into ever finer branches with pink tips.',
      es: 'Dibujo de los dos pulmones sobre fondo azul oscuro: la tráquea anillada se divide en dos bronquios y estos en ramas cada vez más finas, de puntas rosadas.',
      fr: 'Dessin des deux poumons sur un fond bleu nuit : la trachée annelée se divise en deux bronches, puis en rameaux toujours plus fins aux pointes roses.',
      de: 'Zeichnung beider Lungenflügel auf dunkelblauem Grund: Die geringelte Luftröhre teilt sich in zwei Bronchien und diese in immer feinere Zweige mit rosa Spitzen.',
    },
    caption: {
      en: 'Plate VII: the windpipe (a) and the bronchial tree; the right lung, with three lobes, is on the left of the sheet',
      es: 'Lámina VII: la tráquea (a) y el árbol bronquial; el pulmón derecho, de tres lóbulos, está a la izquierda de la hoja',
      fr: 'Planche VII : la trachée (a) et l’arbre bronchique ; le poumon droit, à trois lobes, se trouve à gauche de la feuille',
      de: 'Tafel VII: die Luftröhre (a) und der Bronchialbaum; der rechte Lungenflügel mit drei Lappen liegt links im Blatt',
    },
    description: {
      en: 'On dark blue ground stand the airways of a person, as a tree turned upside down: a ringed trunk above, two boughs, and thousands of pale twigs with rose-coloured tips.\n\nThe trunk in the middle is the windpipe (a). To the right of the sheet lies the left lung (b), to the left the right one with its upper lobe (c), the middle lobe at the inner edge (d) and the lower lobe, which reaches deepest (e). Fine lines round the twigs show the outline of the lungs.',
      es: 'Sobre fondo azul oscuro se alzan las vías del aire de una persona, como un árbol vuelto del revés: arriba un tronco anillado, dos ramas y miles de ramitas pálidas de punta rosada.\n\nEl tronco del centro es la tráquea (a). A la derecha de la hoja está el pulmón izquierdo (b); a la izquierda, el derecho, con su lóbulo superior (c), el lóbulo medio en el borde interno (d) y el inferior, que llega más abajo (e). Unas líneas finas en torno a las ramitas muestran el contorno de los pulmones.',
      fr: 'Sur un fond bleu sombre se dressent les voies de l’air d’une personne, comme un arbre renversé : en haut un tronc annelé, deux branches, puis des milliers de rameaux pâles aux pointes roses.\n\nLe tronc, au milieu, est la trachée (a). À droite de la feuille se trouve le poumon gauche (b), à gauche le droit avec son lobe supérieur (c), le lobe moyen au bord interne (d) et le lobe inférieur, qui descend le plus bas (e). De fines lignes autour des rameaux montrent le contour des poumons.',
      de: 'Auf dunkelblauem Grund stehen die Atemwege eines Menschen wie ein umgekehrter Baum: oben ein geringelter Stamm, zwei Äste, dann Tausende blasser Zweige mit rosa Spitzen.\n\nDer Stamm in der Mitte ist die Luftröhre (a). Rechts im Blatt liegt der linke Lungenflügel (b), links der rechte mit dem Oberlappen (c), dem Mittellappen am inneren Rand (d) und dem Unterlappen, der am tiefsten reicht (e). Feine Linien um die Zweige zeigen den Umriss der Lunge.',
    },
    marks: [
      {
        letter: 'a',
        shape: { kind: 'box', x: 46.3, y: 8, width: 7.4, height: 29 },
        note: {
          en: 'The windpipe with its hoops of cartilage.',
          es: 'La tráquea con sus aros de cartílago.',
          fr: 'La trachée et ses arceaux de cartilage.',
          de: 'Die Luftröhre mit ihren Spangen aus Knorpel.',
        },
      },
      {
        letter: 'b',
        shape: {
          kind: 'outline',
          points: [
            [57, 30],
            [64, 18.5],
            [72, 22],
            [82, 40],
            [88, 68],
            [86, 75],
            [69, 70],
            [60, 69],
            [65, 60],
            [57, 49],
          ],
        },
        note: {
          en: 'The left lung: two lobes, and the hollow of the heart at its inner edge.',
          es: 'El pulmón izquierdo: dos lóbulos y, en su borde interno, el hueco del corazón.',
          fr: 'Le poumon gauche : deux lobes et, au bord interne, le creux du cœur.',
          de: 'Der linke Lungenflügel: zwei Lappen, am inneren Rand die Bucht des Herzens.',
        },
      },
      {
        letter: 'c',
        shape: {
          kind: 'outline',
          points: [
            [35, 18.5],
            [41, 25],
            [43, 46],
            [16, 46],
            [24, 28],
          ],
        },
      },
      {
        letter: 'd',
        shape: {
          kind: 'outline',
          points: [
            [37, 48],
            [43, 48],
            [43, 62],
            [39, 66],
            [33, 57],
          ],
        },
        note: {
          en: 'The middle lobe, which only the right lung has.',
          es: 'El lóbulo medio, que solo tiene el pulmón derecho.',
          fr: 'Le lobe moyen, que seul possède le poumon droit.',
          de: 'Der Mittellappen, den nur der rechte Lungenflügel hat.',
        },
      },
      {
        letter: 'e',
        shape: {
          kind: 'outline',
          points: [
            [15, 49],
            [28, 49],
            [32, 60],
            [34, 68],
            [14, 74],
            [11.5, 71],
          ],
        },
        note: {
          en: 'The lower lobe lies on the diaphragm.',
          es: 'El lóbulo inferior descansa sobre el diafragma.',
          fr: 'Le lobe inférieur repose sur le diaphragme.',
          de: 'Der Unterlappen liegt auf dem Zwerchfell.',
        },
      },
    ],
  },
  contentFormat: 'markdown',
  author: 'tomas',
  daysAgo: 5,
  title: {
    en: 'A tree grown upside down',
    es: 'El árbol que crece hacia abajo',
    fr: 'L’arbre renversé',
    de: 'Der umgekehrte Baum',
  },
  content: {
    en: `Turn the plate upside down and it becomes a winter landscape: one trunk, two boughs, then branches and twigs until the eye gives up counting. Turn it back and you are looking at the way the air takes. The trunk is the :mark[windpipe]{#a}, and the fine bands across it are hoops of cartilage, open at the back, which hold it open through every breath and every cough.

The lungs are not mirror images. The lung on the left of the sheet is the person’s right one, since the plate faces us: it has :mark[three lobes]{#c}, while its neighbour has two and :mark[a hollow]{#b} to make room for the heart. The two boughs differ as well. The right main bronchus is wider, shorter and steeper, and so a peanut that goes down the wrong way tends to end up there.

From here each airway divides, and divides again, some twenty-three times on the longest routes. Every new branch is narrower than its parent, yet all of them together are wider, so the stream of air slows like a river entering its delta. Oxygen drifts the last stretch into more than 300 million tiny sacs, whose walls are so thin that blood and air almost touch.

What the plate shows as fixed lines is in truth alive. The smaller airways carry a sleeve of muscle; in asthma it tightens, the lining swells, and breathing out becomes work, often with a whistle. Treatment gives these branches their width back. I like to show patients the drawing and then ask for one slow breath. Between the lines, where the engraver left darkness, is the room they have just filled.`,
    es: `Dele la vuelta a la lámina y verá un paisaje de invierno: un tronco, dos ramas mayores, luego ramitas hasta que el ojo renuncia a contar. Vuelva a enderezarla y tendrá delante el camino del aire. El tronco es la :mark[tráquea]{#a}, y las finas bandas que la cruzan son aros de cartílago, abiertos por detrás, que la mantienen abierta en cada respiración y en cada golpe de tos.

Los pulmones no son simétricos. El pulmón de la izquierda es el derecho de la persona, pues la lámina nos mira: tiene :mark[tres lóbulos]{#c}, mientras que su vecino tiene dos y :mark[un hueco]{#b} que deja sitio al corazón. También los dos bronquios principales difieren. El derecho es más ancho, más corto y más vertical; por eso el cacahuete que se va por el otro lado suele acabar allí.

A partir de aquí, cada vía se divide y vuelve a dividirse, unas veintitrés veces en los recorridos más largos. Cada rama nueva es más estrecha que la anterior, pero todas juntas son más anchas, y la corriente de aire se remansa como un río al llegar a su delta. El oxígeno recorre por difusión el último tramo, hasta más de 300 millones de saquitos, de paredes tan finas que la sangre y el aire casi se tocan.

Lo que la lámina muestra como línea fija está, en realidad, vivo. Las vías pequeñas llevan una manga de músculo; en el asma se contrae, el revestimiento se inflama y espirar se vuelve un trabajo, a menudo acompañado de silbidos. El tratamiento les devuelve la anchura. Me gusta enseñar el dibujo a mis pacientes y pedirles después una respiración lenta. Entre las líneas, donde el grabador dejó oscuridad, está el espacio que acaban de llenar.`,
    fr: `Retournez la planche : c’est un paysage d’hiver, un tronc, deux maîtresses branches, puis des rameaux et des brindilles jusqu’à ce que l’œil renonce à compter. Remettez-la à l’endroit, et voici le chemin de l’air. Le tronc est la :mark[trachée]{#a} ; les fines bandes qui la barrent sont des arceaux de cartilage, ouverts à l’arrière, qui la gardent béante à chaque souffle, à chaque quinte de toux.

Les poumons ne sont pas symétriques. Le poumon de gauche est le droit de la personne, puisque la planche nous fait face : il compte :mark[trois lobes]{#c}, son voisin deux seulement, avec :mark[un creux]{#b} qui laisse place au cœur. Les deux bronches principales diffèrent aussi. La droite est plus large, plus courte, plus verticale ; c’est là que finit le plus souvent la cacahuète avalée de travers.

À partir d’ici, chaque conduit se divise, puis se divise encore, quelque vingt-trois fois sur les trajets les plus longs. Chaque branche est plus étroite que celle dont elle naît, mais toutes ensemble sont plus larges, et le courant d’air ralentit comme un fleuve à l’entrée de son delta. L’oxygène diffuse de lui-même, au bout du voyage, vers plus de 300 millions de petits sacs, aux parois si minces que le sang et l’air se touchent presque.

Ce que la planche fixe en lignes est en réalité vivant. Les petites voies portent un manchon de muscle ; dans l’asthme, il se resserre, la muqueuse gonfle, et expirer devient un travail, souvent accompagné d’un sifflement. Le traitement rend à ces branches leur largeur. J’aime montrer le dessin à mes patients, puis leur demander une lente respiration. Entre les lignes, là où le graveur a laissé l’obscurité, se trouve l’espace qu’ils viennent de remplir.`,
    de: `Stellt man die Tafel auf den Kopf, wird sie zur Winterlandschaft: ein Stamm, zwei starke Äste, dann Zweige und Reiser, bis das Auge das Zählen aufgibt. Dreht man sie zurück, sieht man den Weg der Luft. Der Stamm ist die :mark[Luftröhre]{#a}, und die schmalen Bänder darauf sind Spangen aus Knorpel, hinten offen, die sie bei jedem Atemzug und jedem Husten offen halten.

Die Lungenflügel sind keine Spiegelbilder. Der linke im Blatt ist der rechte des Menschen, denn die Tafel blickt uns an: Er hat :mark[drei Lappen]{#c}, sein Nachbar nur zwei und :mark[eine Bucht]{#b}, die dem Herzen Platz lässt. Auch die zwei Hauptbronchien unterscheiden sich. Der rechte ist weiter, kürzer und steiler; deshalb landet die verschluckte Erdnuss meistens dort.

Von hier an teilt sich jeder Weg und teilt sich wieder, auf den längsten Strecken etwa dreiundzwanzigmal. Jeder neue Zweig ist enger als der, aus dem er kommt, doch alle zusammen sind weiter, und so wird der Luftstrom langsam wie ein Fluss, der in sein Delta tritt. Das letzte Stück wandert der Sauerstoff von selbst, hinein in mehr als 300 Millionen winzige Bläschen, deren Wände so dünn sind, dass Blut und Luft einander beinahe berühren.

Was die Tafel als feste Linie zeigt, ist in Wahrheit lebendig. Die kleineren Atemwege tragen eine Manschette aus Muskeln; beim Asthma zieht sie sich zusammen, die Schleimhaut schwillt, und das Ausatmen wird zur Arbeit, oft von einem Pfeifen begleitet. Die Behandlung gibt diesen Zweigen ihre Weite zurück. Ich zeige Patienten gern die Zeichnung und bitte sie dann um einen einzigen langsamen Atemzug. Zwischen den Linien, wo der Stecher Dunkelheit gelassen hat, liegt der Raum, den sie eben gefüllt haben.`,
  },
};
