import type { DemoPost } from '../demo-post.ts';

export const cortex: DemoPost = {
  slug: 'cortex',
  artwork: {
    file: 'cortex.webp',
    alt: {
      en: 'Drawing of a brain seen from above: the left half in dense black hatching, the right half as a winding line on pale pink.',
      es: 'Dibujo de un cerebro visto desde arriba: la mitad izquierda en rayado negro y denso; la mitad derecha, como una línea sinuosa sobre rosa pálido.',
      fr: 'Dessin d’un cerveau vu d’en haut : la moitié gauche en hachures noires et serrées, la moitié droite comme une ligne sinueuse sur un rose pâle.',
      de: 'Zeichnung eines Gehirns von oben: die linke Hälfte in dichten schwarzen Schraffuren, die rechte Hälfte als gewundene Linie auf blassem Rosa.',
    },
    caption: {
      en: 'Plate V: the same cortex drawn in two ways, on the left by light and shadow, on the right by the line',
      es: 'Lámina V: la misma corteza dibujada de dos maneras: a la izquierda, con luz y sombra; a la derecha, con la línea',
      fr: 'Planche V : le même cortex dessiné de deux manières, à gauche par l’ombre et la lumière, à droite par la ligne',
      de: 'Tafel V: dieselbe Rinde auf zwei Arten gezeichnet, links durch Licht und Schatten, rechts durch die Linie',
    },
    description: {
      en: 'A brain, seen from above, is drawn in two ways, one on each side. A narrow gap parts the sides from top to bottom.\n\nThe left side is engraved in black on cream: bright ridges (a) wind between deep, hatched furrows (b). The right side lies flat in pale rose (c): a single dark line that bends back on itself again and again (d), over a web of threads.',
      es: 'Un cerebro, visto desde arriba, está dibujado de dos maneras, una en cada lado. Una estrecha hendidura separa los lados de arriba abajo.\n\nEl lado izquierdo está grabado en negro sobre crema: crestas claras (a) serpentean entre surcos hondos y rayados (b). El lado derecho es plano, de un rosa pálido (c): una sola línea oscura que vuelve una y otra vez sobre sí misma (d), sobre una red de hilos.',
      fr: 'Un cerveau, vu d’en haut, est dessiné de deux façons, une de chaque côté. Une fente étroite sépare les côtés de haut en bas.\n\nLe côté gauche est gravé en noir sur crème : des crêtes claires (a) serpentent entre des sillons profonds et hachurés (b). Le côté droit est plat, d’un rose pâle (c) : une seule ligne sombre qui revient sans cesse sur elle-même (d), sur un réseau de fils.',
      de: 'Ein Gehirn, von oben gesehen, ist auf zwei Arten gezeichnet, auf jeder Seite auf eine. Ein schmaler Spalt trennt die Seiten von oben bis unten.\n\nDie linke Seite ist schwarz auf Creme gestochen: Helle Wülste (a) winden sich zwischen tiefen, schraffierten Furchen (b). Die rechte liegt flach in blassem Rosa (c): eine einzige dunkle Linie, die sich immer wieder in sich zurückbiegt (d), über einem Netz aus Fäden.',
    },
    marks: [
      {
        letter: 'a',
        shape: { kind: 'point', x: 21, y: 24.5 },
        note: {
          en: 'A gyrus: a ridge, light on its shoulder.',
          es: 'Una circunvolución: una cresta, con el hombro claro.',
          fr: 'Une circonvolution : une crête, à l’épaule claire.',
          de: 'Ein Gyrus: ein Wulst mit heller Schulter.',
        },
      },
      {
        letter: 'b',
        shape: { kind: 'point', x: 17, y: 54 },
        note: {
          en: 'A sulcus: a furrow, at whose bottom the cortex goes on.',
          es: 'Un surco: en su fondo, la corteza continúa.',
          fr: 'Un sillon : au fond, le cortex se poursuit.',
          de: 'Ein Sulcus: eine Furche, in deren Grund die Rinde weitergeht.',
        },
      },
      {
        letter: 'c',
        shape: {
          kind: 'outline',
          points: [
            [51, 11],
            [63, 12],
            [76, 21],
            [84, 38],
            [86, 55],
            [80, 73],
            [68, 85],
            [55, 88],
            [51, 85],
          ],
        },
      },
      {
        letter: 'd',
        shape: { kind: 'point', x: 79, y: 66 },
        note: {
          en: 'Here the line turns: follow it with a finger.',
          es: 'Aquí gira la línea: sígala con el dedo.',
          fr: 'Ici la ligne tourne : suivez-la du doigt.',
          de: 'Hier wendet sich die Linie: Folgen Sie ihr mit dem Finger.',
        },
      },
    ],
  },
  author: 'mara',
  daysAgo: 14,
  sources: [
    {
      id: 'vesalius1543',
      type: 'book',
      author: [{ family: 'Vesalius', given: 'Andreas' }],
      title: 'De humani corporis fabrica libri septem',
      publisher: 'Johannes Oporinus',
      'publisher-place': 'Basel',
      issued: { 'date-parts': [[1543]] },
      language: 'la',
    },
    {
      id: 'cajal1899',
      type: 'book',
      author: [{ family: 'Ramón y Cajal', given: 'Santiago' }],
      title: 'Textura del sistema nervioso del hombre y de los vertebrados',
      publisher: 'Nicolás Moya',
      'publisher-place': 'Madrid',
      issued: { 'date-parts': [[1899]] },
      language: 'es',
    },
  ],
  contentFormat: 'markdown',
  title: {
    en: 'Why the brain is folded',
    es: 'El arte de plegarse',
    fr: 'La pensée dans ses plis',
    de: 'Gefaltetes Denken',
  },
  content: {
    en: `Few surfaces suit an engraver so well; since Vesalius, artists have come back to this one again and again :cite[vesalius1543]. The brain offers hardly any colour and no sharp edges, only ridges and furrows, and these are exactly what a burin understands: a line that swells, turns and comes back. In the left half of the plate, with light from one side, every ridge gets a bright shoulder and :mark[every furrow]{#b} a band of close hatching. The eye wanders in and is slow to find its way out.

:mark[The ridges]{#a} are called gyri, the furrows sulci, and together they solve a problem of space. The cortex, the grey outer layer whose cells Cajal drew with such love :cite[cajal1899], is only a few millimetres thick, but spread out flat it would cover a large dinner napkin. About two thirds of it lie hidden in the depths. What the plate shows us so patiently is therefore the smaller part.

Nobody carves these folds. Until the middle of pregnancy the surface of the brain is almost smooth. Then the outer layer grows faster than what lies beneath and, for want of room, it buckles, like a tablecloth pushed together. The :mark[right half]{#c} of the plate, in pale pink, shows little more than this: :mark[one line that has grown too long]{#d} for its room and keeps bending back on itself. Physics does a share of the work, genes and growing fibres do theirs. So the great furrows appear in nearly the same place in all of us, while the small ones differ even between identical twins.

Surgeons read this landscape as sailors read a coast. In front of one deep furrow lie the fields that move hand and face, behind it those that feel. When I show the drawing to students, I ask them to follow a single furrow with a pencil and to keep quiet until it ends. They are surprised how long it takes. Somewhere in folds like these, at that very moment, the line is being followed a second time.

:::key-points
- About two thirds of the cortex lie hidden in the furrows.
- Most folds form in the second half of pregnancy, when the outer layer grows faster than what lies beneath.
- The great furrows are alike in all of us; the small ones are our own.
:::`,
    es: `Pocas superficies convienen tanto a un grabador; desde Vesalio, los artistas han vuelto a esta una y otra vez :cite[vesalius1543]. El cerebro apenas ofrece color y ninguna arista; solo tiene crestas y surcos, y eso es justo lo que entiende un buril: una línea que engorda, gira y regresa. En la mitad izquierda de la lámina, con la luz de un lado, cada cresta recibe un hombro claro y :mark[cada surco]{#b}, una franja de rayado apretado. El ojo se adentra y tarda en encontrar la salida.

:mark[Las crestas]{#a} se llaman circunvoluciones y, junto con los surcos, resuelven un problema de espacio. La corteza, la capa gris externa cuyas células dibujó Cajal con tanto amor :cite[cajal1899], tiene apenas unos milímetros de grosor, pero extendida cubriría una servilleta grande. Unos dos tercios quedan ocultos en la profundidad. Lo que la lámina muestra con tanta paciencia es, pues, la parte menor.

Nadie esculpe estos pliegues. Hasta mediados del embarazo, la superficie del cerebro es casi lisa. Después la capa externa crece más deprisa que lo que hay debajo y, por falta de sitio, se arruga, igual que un mantel empujado sobre la mesa. La :mark[mitad derecha]{#c} de la lámina, de un rosa pálido, muestra poco más que eso: :mark[una línea que se ha hecho demasiado larga]{#d} para su espacio y vuelve una y otra vez sobre sí misma. La física hace una parte del trabajo; los genes y las fibras que crecen, la suya. Por eso los grandes surcos aparecen casi en el mismo sitio en todos nosotros, mientras que los pequeños difieren incluso entre gemelos idénticos.

Los cirujanos leen este paisaje como los marinos una costa. Delante de un surco profundo están los campos que mueven la mano y la cara; detrás, los que sienten. Cuando enseño el dibujo a mis estudiantes, les pido que sigan un solo surco con el lápiz, en silencio, hasta que termine. Les sorprende cuánto tardan. En algún lugar, entre pliegues como estos, la línea se recorre en ese mismo instante por segunda vez.

:::key-points
- Unos dos tercios de la corteza quedan ocultos en los surcos.
- La mayoría de los pliegues se forma en la segunda mitad del embarazo, cuando la capa externa crece más deprisa que lo que hay debajo.
- Los grandes surcos se parecen en todos nosotros; los pequeños son de cada cual.
:::`,
    fr: `Peu de surfaces conviennent aussi bien à un graveur ; depuis Vésale, les artistes sont sans cesse revenus à celle-ci :cite[vesalius1543]. Le cerveau n’offre guère de couleur et aucune arête, seulement des crêtes et des sillons, et c’est précisément ce que comprend un burin : une ligne qui s’enfle, tourne et revient. Sur la moitié gauche de la planche, sous une lumière venue d’un côté, chaque crête reçoit une épaule claire, :mark[chaque sillon]{#b} une bande de hachures serrées. L’œil s’y engage et tarde à en sortir.

On nomme :mark[les crêtes]{#a} circonvolutions, ou gyrus ; avec les sillons, elles résolvent une question de place. Le cortex, cette couche grise de la surface dont Cajal dessina les cellules avec tant d’amour :cite[cajal1899], n’a que quelques millimètres d’épaisseur, mais étalé, il couvrirait une grande serviette de table. Environ deux tiers restent cachés en profondeur. Ce que la planche montre avec tant de patience en est donc la moindre part.

Personne ne sculpte ces plis. Jusqu’au milieu de la grossesse, la surface du cerveau est presque lisse. Puis la couche externe grandit plus vite que ce qu’elle recouvre et, faute de place, elle se plisse, comme une nappe que l’on pousse. La :mark[moitié droite]{#c} de la planche, d’un rose pâle, ne montre guère que cela : :mark[une ligne devenue trop longue]{#d} pour son espace, qui revient sans cesse sur elle-même. La physique fait une part du travail, les gènes et les fibres en croissance font la leur. Voilà pourquoi les grands sillons se trouvent presque au même endroit chez nous tous, tandis que les petits diffèrent jusque chez les vrais jumeaux.

Les chirurgiens lisent ce paysage comme les marins une côte. Devant un certain sillon profond se tiennent les champs qui font bouger la main et le visage ; derrière, ceux qui sentent. Quand je montre le dessin à mes étudiants, je leur demande de suivre un seul sillon au crayon, en silence, jusqu’à ce qu’il s’achève. La durée les surprend. Quelque part dans des plis semblables, au même instant, la ligne se parcourt une seconde fois.

:::key-points
- Environ deux tiers du cortex sont cachés dans les sillons.
- La plupart des plis se forment dans la seconde moitié de la grossesse, quand la couche externe grandit plus vite que ce qu’elle recouvre.
- Les grands sillons se ressemblent chez nous tous ; les petits sont propres à chacun.
:::`,
    de: `Wenige Oberflächen kommen einem Stecher so entgegen; seit Vesal sind Künstler immer wieder zu dieser zurückgekehrt :cite[vesalius1543]. Das Gehirn bietet kaum Farbe und keine scharfen Kanten, nur Wülste und Furchen, und genau das versteht ein Grabstichel: eine Linie, die anschwillt, sich wendet und zurückkehrt. In der linken Hälfte der Tafel bekommt bei Licht von einer Seite jeder Wulst eine helle Schulter und :mark[jede Furche]{#b} ein Band dichter Schraffuren. Das Auge wandert hinein und braucht lange, bis es wieder herausfindet.

:mark[Die Wülste]{#a} heißen Gyri, die Furchen Sulci, und zusammen lösen sie ein Platzproblem. Die Rinde, die graue äußere Schicht, deren Zellen Cajal mit so viel Liebe zeichnete :cite[cajal1899], ist nur wenige Millimeter dick, doch flach ausgebreitet bedeckte sie eine große Serviette. Rund zwei Drittel davon liegen in der Tiefe verborgen. Was die Tafel so geduldig zeigt, ist also der kleinere Teil.

Niemand schnitzt diese Falten. Bis zur Mitte der Schwangerschaft ist die Oberfläche des Gehirns fast glatt. Dann wächst die äußere Schicht schneller als das, was unter ihr liegt, und weil ihr der Platz fehlt, wölbt sie sich auf, wie ein Tischtuch, das man zusammenschiebt. Die :mark[rechte Hälfte]{#c} der Tafel, in blassem Rosa, zeigt kaum mehr als das: :mark[eine Linie, die für ihren Raum zu lang geworden ist]{#d} und sich immer wieder in sich zurückbiegt. Einen Teil der Arbeit tut die Physik, den anderen tun die Gene und die wachsenden Fasern. So erscheinen die großen Furchen bei uns allen fast an derselben Stelle, während die kleinen sich sogar bei eineiigen Zwillingen unterscheiden.

Chirurgen lesen diese Landschaft, wie Seeleute eine Küste lesen. Vor einer bestimmten tiefen Furche liegen die Felder, die Hand und Gesicht bewegen, dahinter jene, die fühlen. Wenn ich Studierenden die Zeichnung zeige, bitte ich sie, eine einzige Furche mit dem Bleistift zu verfolgen und zu schweigen, bis sie endet. Sie staunen, wie lange das dauert. Irgendwo in solchen Falten wird im selben Augenblick die Linie ein zweites Mal gezogen.

:::key-points
- Rund zwei Drittel der Rinde liegen in den Furchen verborgen.
- Die meisten Falten entstehen in der zweiten Hälfte der Schwangerschaft, wenn die äußere Schicht schneller wächst als das, was unter ihr liegt.
- Die großen Furchen gleichen sich bei uns allen; die kleinen hat jeder für sich.
:::`,
  },
};
