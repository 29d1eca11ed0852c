import type { DemoPost } from '../demo-post.ts';

export const cortex: DemoPost = {
  slug: 'cortex',
  artwork: 'cortex.webp',
  author: 'mara',
  daysAgo: 14,
  title: {
    en: 'Why the brain is folded',
    es: 'El arte de plegarse',
    fr: 'La pensée dans ses plis',
    de: 'Gefaltetes Denken',
  },
  content: {
    en: `Few surfaces suit an engraver so well. The brain offers no colour to speak of and no sharp edges, only ridges and furrows, and these are exactly what a burin understands: a line that swells, turns and comes back. In the left half of the plate, with light from one side, every ridge gets a bright shoulder and every furrow a band of close hatching. The eye wanders in and is slow to find its way out.

The ridges are called gyri, the furrows sulci, and together they solve a problem of space. The cortex, the grey outer layer, is only a few millimetres thick, but spread out flat it would cover something like a large dinner napkin. About two thirds of it lie hidden in the depths. What the plate shows us so patiently is therefore the smaller part.

Nobody carves these folds. Until about the middle of pregnancy the surface of the brain is almost smooth. Then the outer layer grows faster than what lies beneath and, having nowhere to go, it buckles, like a tablecloth pushed together. The right half of the plate, in pale pink, shows little more than this: one line that has grown too long for its room and keeps bending back on itself. Physics does a share of the work, genes and growing fibres do theirs. So the great furrows appear in nearly the same place in all of us, while the small ones differ even between identical twins.

Surgeons read this landscape as sailors read a coast. In front of one deep furrow lie the fields that move hand and face, behind it those that feel. When I show the drawing to students, I ask them to follow a single furrow with a pencil and to keep quiet until it ends. They are surprised how long it takes. Somewhere in folds like these, at that very moment, the line is being followed a second time.`,
    es: `Pocas superficies convienen tanto a un grabador. El cerebro apenas ofrece color y carece de aristas; solo tiene crestas y surcos, y eso es justo lo que entiende un buril: una línea que engorda, gira y regresa. En la mitad izquierda de la lámina, con la luz de un lado, cada cresta recibe un hombro claro y cada surco, una franja de rayado apretado. El ojo se adentra y no encuentra fácilmente la salida.

Las crestas se llaman circunvoluciones y, junto con los surcos, resuelven un problema de espacio. La corteza, la capa gris externa, tiene apenas unos milímetros de grosor, pero extendida cubriría algo así como una servilleta grande. Unos dos tercios quedan ocultos en la profundidad. Lo que la lámina muestra con tanta paciencia es, pues, la parte menor.

Nadie esculpe estos pliegues. Hasta cerca de la mitad del embarazo, la superficie del cerebro es casi lisa. Después la capa externa crece más deprisa que lo que hay debajo y, como no tiene adónde ir, se arruga, igual que un mantel empujado sobre la mesa. La mitad derecha de la lámina, de un rosa pálido, muestra poco más que eso: una línea que se ha hecho demasiado larga para su espacio y vuelve una y otra vez sobre sí misma. La física hace una parte del trabajo; los genes y las fibras que crecen, la suya. Por eso los grandes surcos aparecen casi en el mismo sitio en todos nosotros, mientras que los pequeños difieren incluso entre gemelos idénticos.

Los cirujanos leen este paisaje como los marinos una costa. Delante de un surco profundo están los campos que mueven la mano y la cara; detrás, los que sienten. Cuando enseño el dibujo a mis estudiantes, les pido que sigan un solo surco con el lápiz, en silencio, hasta que termine. Les sorprende cuánto tardan. En algún lugar, entre pliegues como estos, la línea se recorre en ese mismo instante por segunda vez.`,
    fr: `Peu de surfaces conviennent aussi bien à un graveur. Le cerveau n’offre guère de couleur ni d’arête, rien que des crêtes et des sillons, et c’est précisément ce que comprend un burin : une ligne qui s’enfle, tourne et revient. Sur la moitié gauche de la planche, sous une lumière venue d’un côté, chaque crête reçoit une épaule claire, chaque sillon une bande de hachures serrées. L’œil s’y engage et tarde à en sortir.

On nomme les crêtes circonvolutions, ou gyrus ; avec les sillons, elles résolvent une question de place. Le cortex, couche grise de la surface, n’a que quelques millimètres d’épaisseur, mais étalé, il couvrirait à peu près une grande serviette de table. Les deux tiers environ restent cachés en profondeur. Ce que la planche montre avec tant de patience en est donc la moindre part.

Personne ne sculpte ces plis. Jusque vers le milieu de la grossesse, la surface du cerveau est presque lisse. Puis la couche externe grandit plus vite que ce qu’elle recouvre et, faute de place, elle se plisse, comme une nappe que l’on pousse. La moitié droite de la planche, d’un rose pâle, ne montre guère que cela : une ligne devenue trop longue pour son espace, qui revient sans cesse sur elle-même. La physique fait une part du travail, les gènes et les fibres en croissance font la leur. Voilà pourquoi les grands sillons se trouvent presque au même endroit chez nous tous, tandis que les petits diffèrent jusque chez les vrais jumeaux.

Les chirurgiens lisent ce paysage comme les marins une côte. Devant un certain sillon profond se tiennent les champs qui font bouger la main et le visage ; derrière, ceux qui sentent. Quand je montre le dessin à mes étudiants, je leur demande de suivre un seul sillon au crayon, en silence, jusqu’à ce qu’il s’achève. La durée les surprend. Quelque part dans des plis semblables, au même instant, la ligne se parcourt une seconde fois.`,
    de: `Wenige Oberflächen kommen einem Stecher so entgegen. Das Gehirn bietet kaum Farbe und keine scharfen Kanten, nur Wülste und Furchen, und genau das versteht ein Grabstichel: eine Linie, die anschwillt, sich wendet und zurückkehrt. In der linken Hälfte der Tafel bekommt bei Licht von einer Seite jeder Wulst eine helle Schulter und jede Furche ein Band dichter Schraffuren. Das Auge wandert hinein und findet nicht leicht wieder heraus.

Die Wülste heißen Gyri, die Furchen Sulci, und zusammen lösen sie ein Platzproblem. Die Rinde, die graue äußere Schicht, ist nur wenige Millimeter dick, doch flach ausgebreitet bedeckte sie etwa eine große Serviette. Rund zwei Drittel davon liegen in der Tiefe verborgen. Was die Tafel so geduldig zeigt, ist also der kleinere Teil.

Niemand schnitzt diese Falten. Bis etwa zur Mitte der Schwangerschaft ist die Oberfläche des Gehirns fast glatt. Dann wächst die äußere Schicht schneller als das, was unter ihr liegt, und weil sie nirgendwohin kann, wölbt sie sich auf, wie ein Tischtuch, das man zusammenschiebt. Die rechte Hälfte der Tafel, in blassem Rosa, zeigt kaum mehr als das: eine Linie, die für ihren Raum zu lang geworden ist und sich immer wieder in sich zurückbiegt. Einen Teil der Arbeit tut die Physik, den anderen tun die Gene und die wachsenden Fasern. So erscheinen die großen Furchen bei uns allen fast an derselben Stelle, während die kleinen sich sogar bei eineiigen Zwillingen unterscheiden.

Chirurgen lesen diese Landschaft, wie Seeleute eine Küste lesen. Vor einer bestimmten tiefen Furche liegen die Felder, die Hand und Gesicht bewegen, dahinter jene, die fühlen. Wenn ich Studierenden die Zeichnung zeige, bitte ich sie, eine einzige Furche mit dem Bleistift zu verfolgen und zu schweigen, bis sie endet. Sie staunen, wie lange das dauert. Irgendwo in solchen Falten wird im selben Augenblick die Linie ein zweites Mal gezogen.`,
  },
};
