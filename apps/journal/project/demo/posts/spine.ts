import type { DemoPost } from '../demo-post.ts';

export const spine: DemoPost = {
  slug: 'spine',
  artwork: {
    file: 'spine.webp',
    alt: {
      en: 'Drawing of a stretch of spine cut lengthwise, on dark green: spongy vertebrae on the left, with sea-green discs between them; beside these the golden spinal cord, which frays downwards.',
      es: 'Dibujo de un tramo de columna cortado a lo largo, sobre verde oscuro: a la izquierda, vértebras esponjosas con discos de color verde mar entre ellas; a su lado, la médula dorada, que se deshilacha hacia abajo.',
      fr: 'Dessin d’un tronçon de colonne coupé dans sa longueur, sur un vert sombre : à gauche, des vertèbres spongieuses, séparées par des disques vert d’eau ; à côté, la moelle dorée, qui s’effiloche vers le bas.',
      de: 'Zeichnung eines längs aufgeschnittenen Stücks Wirbelsäule auf Dunkelgrün: links schwammige Wirbelkörper mit meergrünen Scheiben dazwischen; daneben das goldene Rückenmark, das sich nach unten auffasert.',
    },
    caption: {
      en: 'Plate IV: vertebral body (a), disc (b), spinal cord (c), spinous process (d) and horse’s tail (e)',
      es: 'Lámina IV: cuerpo vertebral (a), disco (b), médula espinal (c), apófisis espinosa (d) y cola de caballo (e)',
      fr: 'Planche IV : corps vertébral (a), disque (b), moelle épinière (c), apophyse épineuse (d) et queue de cheval (e)',
      de: 'Tafel IV: Wirbelkörper (a), Bandscheibe (b), Rückenmark (c), Dornfortsatz (d) und Pferdeschweif (e)',
    },
    description: {
      en: 'A piece of a spine, cut lengthwise and seen from the side, runs from the top to the bottom of a dark green sheet, bent in a soft wave.\n\nOn the left stand the bodies of the vertebrae, red inside and spongy (a), with sea-green discs between them (b). To the right of them the spinal cord comes down, golden (c), and frays into threads below (e). Farthest to the right the spurs of the arches point backwards and down (d).',
      es: 'Un tramo de columna, cortado a lo largo y visto de perfil, recorre de arriba abajo una hoja verde oscura, curvado en una ola suave.\n\nA la izquierda están los cuerpos de las vértebras, rojos y esponjosos por dentro (a), con discos de color verde mar entre ellos (b). A su derecha baja la médula, dorada (c), que más abajo se deshilacha (e). Al fondo, a la derecha, las apófisis de los arcos apuntan hacia atrás y hacia abajo (d).',
      fr: 'Un tronçon de colonne, coupé dans sa longueur et vu de profil, parcourt de haut en bas une feuille vert sombre, courbé en une douce vague.\n\nÀ gauche se tiennent les corps des vertèbres, rouges et spongieux à l’intérieur (a), séparés par des disques vert de mer (b). À leur droite descend la moelle, dorée (c), qui s’effiloche plus bas (e). Tout à droite, les apophyses des arcs pointent en arrière et vers le bas (d).',
      de: 'Ein Stück Wirbelsäule, der Länge nach aufgeschnitten und von der Seite gesehen, zieht sich in einer sanften Welle von oben nach unten über ein dunkelgrünes Blatt.\n\nLinks stehen die Wirbelkörper, innen rot und schwammig (a), dazwischen meergrüne Bandscheiben (b). Rechts davon steigt golden das Rückenmark herab (c) und fasert sich unten auf (e). Ganz rechts weisen die Fortsätze der Bögen nach hinten und unten (d).',
    },
    marks: [
      {
        letter: 'a',
        shape: {
          kind: 'outline',
          points: [
            [23.5, 28],
            [43, 26.5],
            [44, 36.5],
            [24.5, 37.5],
          ],
        },
        note: {
          en: 'The body of a vertebra: spongy bone, full of marrow.',
          es: 'El cuerpo de una vértebra: hueso esponjoso, lleno de médula ósea.',
          fr: 'Le corps d’une vertèbre : un os spongieux, plein de moelle osseuse.',
          de: 'Ein Wirbelkörper: schwammiger Knochen voller Knochenmark.',
        },
      },
      {
        letter: 'b',
        shape: {
          kind: 'outline',
          points: [
            [27.5, 52.5],
            [47.5, 50],
            [48, 53],
            [28.5, 55],
          ],
        },
      },
      {
        letter: 'c',
        shape: {
          kind: 'outline',
          points: [
            [46, 20],
            [52, 18],
            [51, 40],
            [54, 50],
            [51, 51],
            [46.5, 36],
          ],
        },
      },
      {
        letter: 'd',
        shape: {
          kind: 'outline',
          points: [
            [54, 41],
            [74, 43],
            [75.5, 49],
            [70, 50],
            [54, 46],
          ],
        },
        note: {
          en: 'A spinous process: it can be felt under the skin of the back.',
          es: 'Una apófisis espinosa: se palpa bajo la piel de la espalda.',
          fr: 'Une apophyse épineuse : on la sent sous la peau du dos.',
          de: 'Ein Dornfortsatz: Unter der Haut des Rückens ist er zu tasten.',
        },
      },
      {
        letter: 'e',
        shape: {
          kind: 'outline',
          points: [
            [52.5, 63],
            [57, 62],
            [58.5, 74],
            [55, 90],
            [50, 90],
            [54, 76],
          ],
        },
      },
    ],
  },
  author: 'tomas',
  daysAgo: 20,
  contentFormat: 'markdown',
  title: {
    en: 'A column that bends',
    es: 'La columna que se inclina',
    fr: 'L’art de tenir debout',
    de: 'Die Säule, die sich biegt',
  },
  content: {
    en: `We call it a column, and architects must smile at the word. A column is straight, and it stands because it does not move. Seen from the side, the spine is neither straight nor still: it leans forward at the neck, back at the chest, forward again above the hips, and ends in the backward sweep of the sacrum. The plate shows a stretch of this long wave, cut lengthwise, where the chest passes into the loins.

Go down it slowly. Seven vertebrae carry the head, twelve hold the ribs, five bear the loins; below them lie the sacrum and the coccyx, fused from smaller bones. The same idea is repeated each time and never copied. :mark[A body in front]{#a} takes the weight, an arch behind makes room for the spinal cord, and :mark[spurs]{#d} reach out for muscles to pull on. Through the arches runs :mark[the cord, golden]{#c} here, and towards the bottom it frays into a :mark[horse’s tail]{#e} of roots. The further down, the broader the body, for each carries all that lies above.

Between them lie bands of cool sea green. These are the :mark[discs]{#b}: a tough ring of fibres around a soft, watery core. They yield, spread the load and let stiff bones become a supple whole. By evening they have given up a little water, and we are slightly shorter than at breakfast; lying down, they drink it back.

Discs change with age as skin does, and pictures of a worn spine are often found in people who feel nothing at all. Most back pain eases with time, and gentle movement usually serves it better than long rest.

:::warning
New weakness in the legs, numbness between them or trouble passing water calls for help at once.
:::

Otherwise, trust the wave. It was never meant to be straight; it was made for walking.`,
    es: `La llamamos columna, y los arquitectos deben de sonreír al oírlo. Una columna es recta, y se sostiene porque no se mueve. Vista de perfil, la nuestra no es recta ni está quieta: avanza en el cuello, retrocede en el tórax, vuelve a avanzar sobre las caderas y termina en la curva del sacro, que se aleja hacia atrás. La lámina muestra un tramo de esa larga ola, cortado a lo largo, allí donde el tórax pasa a la región lumbar.

Conviene bajar por ella despacio. Siete vértebras llevan la cabeza, doce sujetan las costillas, cinco cargan con la región lumbar; debajo quedan el sacro y el cóccix, fundidos a partir de huesos más pequeños. La misma idea se repite cada vez sin copiarse nunca. :mark[Un cuerpo]{#a}, delante, recibe el peso; un arco, detrás, deja sitio a la médula; :mark[unas apófisis]{#d} se tienden para que los músculos tiren de ellas. Por esos arcos baja :mark[la médula, aquí dorada]{#c}, y hacia el final se deshilacha en una :mark[cola de caballo]{#e} de raíces nerviosas. Cuanto más abajo, más ancho es el cuerpo, pues soporta todo lo que tiene encima.

Entre una y otra hay franjas de un verde frío, como de mar. Son los :mark[discos]{#b}: un anillo resistente de fibras en torno a un núcleo blando, rico en agua. Ceden, reparten la carga y hacen de unos huesos rígidos un conjunto flexible. Al anochecer han perdido algo de agua y somos un poco más bajos que en el desayuno; tumbados, vuelven a beberla.

Los discos cambian con la edad, como la piel, y a menudo se ven columnas gastadas en personas que no sienten nada. La mayoría de los dolores de espalda mejora con el tiempo, y moverse con suavidad suele ayudar más que un largo reposo.

:::warning
Una debilidad nueva en las piernas, el adormecimiento de la entrepierna o la dificultad para orinar exigen ayuda inmediata.
:::

Por lo demás, confiemos en la ola. Nunca quiso ser recta; se hizo para caminar.`,
    fr: `On l’appelle colonne, et les architectes doivent en sourire. Une colonne est droite, et elle tient parce qu’elle ne bouge pas. Vue de profil, la nôtre n’est ni droite ni immobile : elle avance au cou, recule au thorax, avance de nouveau au-dessus des hanches et s’achève dans la courbe du sacrum, rejetée vers l’arrière. La planche montre un tronçon de cette longue vague, coupé dans sa longueur, là où le thorax passe aux lombes.

Descendons-la lentement. Sept vertèbres portent la tête, douze tiennent les côtes, cinq soutiennent les lombes ; au-dessous viennent le sacrum et le coccyx, nés de la fusion d’os plus petits. La même idée revient à chaque étage sans jamais se recopier. Devant, :mark[un corps]{#a} reçoit le poids ; derrière, un arc ménage la place de la moelle épinière ; :mark[des apophyses]{#d} se tendent vers les muscles qui les tirent. Sous ces arcs descend :mark[la moelle, ici dorée]{#c}, qui s’effiloche vers le bas en une :mark[queue de cheval]{#e} de racines. Plus on descend, plus le corps s’élargit, car il porte tout ce qui le surmonte.

Entre elles s’étendent des bandes d’un vert froid, couleur de mer. Ce sont les :mark[disques]{#b} : un anneau de fibres solides autour d’un cœur tendre, gorgé d’eau. Ils cèdent, répartissent la charge et font de ces os rigides un ensemble souple. Le soir, ils ont perdu un peu d’eau, et nous sommes un peu plus petits qu’au petit déjeuner ; quand nous nous couchons, ils la boivent de nouveau.

Les disques changent avec l’âge, comme la peau, et l’on voit souvent des colonnes usées chez des gens qui ne sentent rien. La plupart des maux de dos s’apaisent avec le temps, et bouger en douceur aide en général mieux qu’un long repos.

:::warning
Une faiblesse nouvelle des jambes, un engourdissement de l’entrejambe ou une difficulté à uriner exigent une aide immédiate.
:::

Pour le reste, faisons confiance à la vague : elle n’a jamais voulu être droite ; elle est faite pour la marche.`,
    de: `Wir nennen sie eine Säule, und die Architekten dürften darüber lächeln. Eine Säule ist gerade, und sie steht, weil sie sich nicht rührt. Von der Seite gesehen ist unsere Wirbelsäule weder gerade noch starr: Am Hals wölbt sie sich nach vorn, an der Brust nach hinten, über dem Becken wieder nach vorn, und im Kreuzbein schwingt sie nach hinten aus. Die Tafel zeigt ein Stück dieser langen Welle, der Länge nach aufgeschnitten, dort, wo die Brust in die Lende übergeht.

Man sollte langsam an ihr hinabgehen. Sieben Wirbel tragen den Kopf, zwölf halten die Rippen, fünf stützen die Lenden; darunter liegen Kreuzbein und Steißbein, aus kleineren Knochen verschmolzen. Derselbe Gedanke kehrt jedes Mal wieder und wird doch nie abgeschrieben. Vorn nimmt :mark[ein Körper]{#a} die Last auf, hinten lässt ein Bogen Raum für das Rückenmark, und :mark[Fortsätze]{#d} strecken sich den Muskeln entgegen. Durch diese Bögen zieht :mark[das Mark, hier golden]{#c}, und fasert sich nach unten zu einem :mark[Pferdeschweif]{#e} aus Wurzeln auf. Je tiefer, desto breiter der Körper, denn er trägt alles, was über ihm liegt.

Dazwischen liegen Streifen in kühlem Meergrün. Das sind die :mark[Bandscheiben]{#b}: ein zäher Faserring um einen weichen, wasserreichen Kern. Sie geben nach, verteilen den Druck und machen aus starren Knochen ein biegsames Ganzes. Bis zum Abend haben sie etwas Wasser verloren, und wir sind ein wenig kleiner als beim Frühstück; im Liegen trinken sie es zurück.

Bandscheiben verändern sich mit den Jahren wie die Haut, und abgenutzte Wirbelsäulen finden sich oft bei Menschen, die nichts davon spüren. Die meisten Rückenschmerzen lassen mit der Zeit nach, und behutsame Bewegung hilft meist besser als langes Liegen.

:::warning
Eine neue Schwäche in den Beinen, Taubheit im Schritt oder Mühe beim Wasserlassen verlangt sofort Hilfe.
:::

Ansonsten darf man der Welle trauen: Gerade wollte sie nie sein, sie ist zum Gehen gemacht.`,
  },
};
