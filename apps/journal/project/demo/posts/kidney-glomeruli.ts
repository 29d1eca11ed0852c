import type { DemoPost } from '../demo-post.ts';

export const kidneyGlomeruli: DemoPost = {
  slug: 'kidney-glomeruli',
  artwork: {
    file: 'kidney-glomeruli.webp',
    alt: {
      en: 'Drawing of a kidney cut open, with red, striped pyramids in a dotted rind; beside it, enlarged, a round skein of red capillaries in its capsule.',
      es: 'Dibujo de un riñón abierto, con pirámides rojas y rayadas en una corteza punteada; a su lado, ampliado, un ovillo redondo de capilares rojos en su cápsula.',
      fr: 'Dessin d’un rein ouvert, avec des pyramides rouges et rayées dans une écorce pointillée ; à côté, agrandie, une pelote ronde de capillaires rouges dans sa capsule.',
      de: 'Zeichnung einer aufgeschnittenen Niere mit rot gestreiften Pyramiden in einer punktierten Rinde; daneben vergrößert ein rundes Knäuel roter Kapillaren in seiner Kapsel.',
    },
    caption: {
      en: 'Plate III: a kidney cut lengthwise, with rind, pyramids and renal pelvis; beside it, a glomerulus',
      es: 'Lámina III: un riñón cortado a lo largo, con corteza, pirámides y pelvis renal; a su lado, un glomérulo',
      fr: 'Planche III : un rein coupé dans sa longueur, avec l’écorce, les pyramides et le bassinet ; à côté, un glomérule',
      de: 'Tafel III: eine längs aufgeschnittene Niere mit Rinde, Pyramiden und Nierenbecken; daneben ein Glomerulus',
    },
    description: {
      en: 'A kidney, cut lengthwise, opens to the right; from its hollow a pale funnel passes into a long tube. On the upper right, in a circle, one of its smallest parts is drawn much enlarged.\n\nThe outer rind is pale and full of dots (a), covered by a thin capsule (c). Within it stand dark, striped pyramids like a fan (b). Their tips lead to the pale funnel, the renal pelvis (d), and this to the ureter (e). The circle shows a skein of red capillaries in its capsule, with a winding tube below (f).',
      es: 'Un riñón cortado a lo largo se abre hacia la derecha; de su hueco sale un embudo pálido que se prolonga en un largo tubo. Arriba, a la derecha, en un círculo, se ve muy ampliada una de sus partes más pequeñas.\n\nLa corteza exterior es clara y está llena de puntos (a); la cubre una cápsula fina (c). Dentro, unas pirámides oscuras y rayadas forman un abanico (b). Sus puntas llevan al embudo pálido, la pelvis renal (d), y esta, al uréter (e). El círculo muestra una madeja de capilares rojos en su cápsula y, debajo, un tubo sinuoso (f).',
      fr: 'Un rein coupé dans sa longueur s’ouvre vers la droite ; de son creux part un entonnoir pâle qui se prolonge en un long tube. En haut à droite, dans un cercle, l’une de ses plus petites parties est dessinée très agrandie.\n\nL’écorce est claire et semée de points (a), couverte d’une mince capsule (c). À l’intérieur, des pyramides sombres et rayées se déploient en éventail (b). Leurs pointes mènent à l’entonnoir pâle, le bassinet (d), et celui-ci à l’uretère (e). Le cercle montre un écheveau de capillaires rouges dans sa capsule et, dessous, un tube sinueux (f).',
      de: 'Eine Niere, der Länge nach aufgeschnitten, öffnet sich nach rechts; aus ihrer Bucht geht ein blasser Trichter in ein langes Rohr über. Rechts oben ist in einem Kreis einer ihrer kleinsten Teile stark vergrößert.\n\nDie Rinde außen ist hell und voller Punkte (a), von einer dünnen Kapsel bedeckt (c). Darin stehen dunkle, gestreifte Pyramiden wie ein Fächer (b). Ihre Spitzen führen in den blassen Trichter, das Nierenbecken (d), und dieses in den Harnleiter (e). Der Kreis zeigt ein Knäuel roter Kapillaren in seiner Kapsel, darunter ein gewundenes Röhrchen (f).',
    },
    marks: [
      {
        letter: 'a',
        shape: {
          kind: 'outline',
          points: [
            [21, 28],
            [31, 19],
            [40, 17],
            [40, 24],
            [29, 30],
            [22, 37],
          ],
        },
      },
      {
        letter: 'b',
        shape: {
          kind: 'outline',
          points: [
            [19.5, 44],
            [35, 48],
            [36, 51],
            [20, 55],
          ],
        },
        note: {
          en: 'A pyramid: its stripes are the tubules and vessels that run inwards.',
          es: 'Una pirámide: sus rayas son los túbulos y vasos que van hacia dentro.',
          fr: 'Une pyramide : ses rayures sont les tubules et les vaisseaux qui vont vers l’intérieur.',
          de: 'Eine Pyramide: Ihre Streifen sind die Röhrchen und Gefäße, die nach innen ziehen.',
        },
      },
      {
        letter: 'c',
        shape: { kind: 'point', x: 24, y: 71 },
        note: {
          en: 'The capsule, a thin and tough skin around the whole kidney.',
          es: 'La cápsula, una piel fina y resistente en torno a todo el riñón.',
          fr: 'La capsule, une peau mince et solide autour du rein entier.',
          de: 'Die Kapsel, eine dünne, feste Haut um die ganze Niere.',
        },
      },
      {
        letter: 'd',
        shape: {
          kind: 'outline',
          points: [
            [40, 50],
            [50, 45.5],
            [58, 46],
            [65, 52],
            [65, 58],
            [58, 55],
            [48, 55],
          ],
        },
        note: {
          en: 'The renal pelvis, into which the cups flow.',
          es: 'La pelvis renal, en la que desembocan los cálices.',
          fr: 'Le bassinet, où débouchent les calices.',
          de: 'Das Nierenbecken, in das die Kelche münden.',
        },
      },
      {
        letter: 'e',
        shape: { kind: 'box', x: 63, y: 59, width: 4.5, height: 30 },
        note: {
          en: 'The ureter leads to the bladder.',
          es: 'El uréter lleva a la vejiga.',
          fr: 'L’uretère mène à la vessie.',
          de: 'Der Harnleiter führt zur Blase.',
        },
      },
      {
        letter: 'f',
        shape: { kind: 'box', x: 64, y: 21, width: 28.5, height: 23 },
        note: {
          en: 'A glomerulus, much enlarged: blood enters and leaves above, the filtered fluid leaves below.',
          es: 'Un glomérulo, muy ampliado: la sangre entra y sale por arriba; el líquido filtrado, por abajo.',
          fr: 'Un glomérule, très agrandi : le sang entre et sort en haut, le liquide filtré s’en va en bas.',
          de: 'Ein Glomerulus, stark vergrößert: Oben tritt das Blut ein und aus, unten fließt das Gefilterte ab.',
        },
      },
    ],
  },
  author: 'mara',
  daysAgo: 27,
  pictures: [
    {
      file: 'kidney-glomerulus.webp',
      alt: {
        en: 'Detail: two red vessels meet in a skein of capillaries within a round, dotted capsule, from which a pale tube winds away.',
        es: 'Detalle: dos vasos rojos se encuentran en un ovillo de capilares dentro de una cápsula redonda y punteada, de la que sale serpenteando un tubo pálido.',
        fr: 'Détail : deux vaisseaux rouges se rejoignent dans une pelote de capillaires, au sein d’une capsule ronde et pointillée d’où part, sinueux, un tube pâle.',
        de: 'Ausschnitt: Zwei rote Gefäße treffen sich in einem Knäuel von Kapillaren in einer runden, punktierten Kapsel, aus der sich ein blasses Röhrchen hinauswindet.',
      },
      caption: {
        en: 'A glomerulus: blood enters by the wider artery and leaves by the narrower; the tubule carries off what was filtered',
        es: 'Un glomérulo: la sangre entra por la arteria más ancha y sale por la más estrecha; el túbulo se lleva lo filtrado',
        fr: 'Un glomérule : le sang entre par l’artère la plus large et sort par la plus étroite ; le tubule emporte ce qui a été filtré',
        de: 'Ein Glomerulus: Das Blut kommt durch die weitere Arterie und geht durch die engere; der Tubulus führt fort, was gefiltert wurde',
      },
    },
    {
      file: 'kidney-pyramids.webp',
      alt: {
        en: 'Detail: three dark, finely striped pyramids point towards pale cups; around them lies the rind with its many small dots.',
        es: 'Detalle: tres pirámides oscuras y finamente rayadas apuntan hacia unos cálices pálidos; alrededor, la corteza con sus muchos puntitos.',
        fr: 'Détail : trois pyramides sombres, finement rayées, pointent vers des calices pâles ; autour d’elles, l’écorce et ses nombreux petits points.',
        de: 'Ausschnitt: Drei dunkle, fein gestreifte Pyramiden weisen auf blasse Kelche; um sie liegt die Rinde mit ihren vielen kleinen Punkten.',
      },
      caption: {
        en: 'Dots in the rind, lines in the pyramids: where the filters sit, and where the tubules run',
        es: 'Puntos en la corteza, líneas en las pirámides: dónde están los filtros y por dónde corren los túbulos',
        fr: 'Des points dans l’écorce, des lignes dans les pyramides : là où sont les filtres, là où courent les tubules',
        de: 'Punkte in der Rinde, Linien in den Pyramiden: wo die Filter sitzen und wo die Tubuli verlaufen',
      },
    },
  ],
  sources: [
    {
      id: 'malpighi1666',
      type: 'book',
      author: [{ family: 'Malpighi', given: 'Marcello' }],
      title: 'De viscerum structura exercitatio anatomica',
      'publisher-place': 'Bologna',
      issued: { 'date-parts': [[1666]] },
      language: 'la',
    },
    {
      id: 'bowman1842',
      type: 'article-journal',
      author: [{ family: 'Bowman', given: 'William' }],
      title:
        'On the structure and use of the Malpighian bodies of the kidney, with observations on the circulation through that gland',
      'container-title': 'Philosophical Transactions of the Royal Society of London',
      issued: { 'date-parts': [[1842]] },
      language: 'en',
    },
  ],
  contentFormat: 'markdown',
  title: {
    en: 'Small skeins of blood',
    es: 'Ovillos de sangre',
    fr: 'Des pelotes sous l’écorce',
    de: 'Knäuel unter der Rinde',
  },
  content: {
    en: `Cut a kidney lengthwise, as engravers have done for centuries, and it opens like a fruit. There is :mark[a rind]{#a}, pale and granular; within it stand dark, :mark[striped pyramids]{#b}, their tips pointing inwards to :mark[pale cups]{#d} that gather what they are given. The hatching changes from one zone to the next: dots in the rind, long lines in the pyramids. Without knowing it, the hand is already describing how the organ works.

Those dots stand for the glomeruli, which Malpighi described in 1666 :cite[malpighi1666]. The word means little balls of thread, and the image is exact. One of them, much enlarged, stands :mark[beside the kidney]{#f}: a fine artery unravels into a skein of capillaries, which gather again into another artery and leave by nearly the same door. Around the skein lies a capsule, thin as a glove, with a single tube leading away; in 1842 Bowman saw that the capsule passes into the tube :cite[bowman1842]. A healthy kidney holds roughly a million of these, give or take a good many.

Blood is pressed through the walls of the skein. Water, salts, sugar and waste pass; cells and most proteins stay behind. Far more fluid is let through than we could ever afford to lose, and so the long tubule, winding down into the pyramid and back, spends its time taking things back. Nearly all the water returns, and what remains is urine. The kidney’s art is less throwing away than reconsidering.

It works in silence, and often it falls ill in silence too. Lasting high blood pressure and diabetes can scar the small skeins long before anything hurts, and lost ones do not grow again. But a simple blood test and a little urine, looked at for traces of protein, can tell of the damage early, when much can still be protected. It is a modest kind of looking. The finest plates teach it too: attend to the dots.

:::key-points
- In each kidney, roughly a million glomeruli filter the blood.
- Nearly all the filtered water returns to the blood.
- Kidneys often fall ill in silence; tests of blood and urine can show the damage early.
:::`,
    es: `Si se corta un riñón a lo largo, como llevan siglos haciendo los grabadores, se abre igual que una fruta. Hay :mark[una corteza]{#a} clara y granulosa; dentro se alzan :mark[unas pirámides oscuras]{#b} y rayadas cuyas puntas miran hacia el interior, hacia :mark[unos cálices pálidos]{#d} que recogen lo que reciben. El trazo cambia de una zona a otra: puntos en la corteza, largas líneas en las pirámides. Sin saberlo, la mano ya está describiendo cómo funciona el órgano.

Esos puntos son los glomérulos, que Malpighi describió en 1666 :cite[malpighi1666]. La palabra significa ovillitos, y la imagen es exacta. Uno de ellos figura, muy ampliado, :mark[junto al riñón]{#f}: una arteria fina se deshace en una madeja de capilares, que vuelven a reunirse en otra arteria y salen casi por la misma puerta. Alrededor hay una cápsula, delgada como un guante, de la que parte un solo tubo; en 1842, Bowman vio que la cápsula se continúa en el tubo :cite[bowman1842]. Un riñón sano contiene alrededor de un millón, aunque la cifra varía mucho de una persona a otra.

La sangre empuja contra las paredes de la madeja. Pasan el agua, las sales, el azúcar y los desechos; se quedan las células y casi todas las proteínas. Se filtra mucho más líquido del que podríamos permitirnos perder, y por eso el largo túbulo, que baja serpenteando a la pirámide y regresa, se dedica a recuperar. Vuelve casi toda el agua; lo que resta es la orina. El arte del riñón está menos en tirar que en reconsiderar.

Trabaja en silencio y, a menudo, también enferma en silencio. La tensión alta mantenida y la diabetes pueden dejar cicatrices en los ovillos mucho antes de que algo duela, y los que se pierden no vuelven a crecer. Pero un sencillo análisis de sangre y un poco de orina, en la que se buscan rastros de proteína, pueden avisar pronto, cuando aún es mucho lo que se puede proteger. Es una forma modesta de mirar. También la enseñan las mejores láminas: hay que fijarse en los puntos.

:::key-points
- En cada riñón, alrededor de un millón de glomérulos filtra la sangre.
- Casi toda el agua filtrada vuelve a la sangre.
- Los riñones enferman a menudo en silencio; los análisis de sangre y de orina pueden mostrar pronto el daño.
:::`,
    fr: `Coupez un rein dans sa longueur, comme les graveurs le font depuis des siècles, et il s’ouvre à la manière d’un fruit. Il y a :mark[une écorce]{#a}, claire et grenue ; au-dedans se dressent :mark[des pyramides sombres]{#b} et rayées, dont la pointe regarde vers l’intérieur, vers :mark[des calices pâles]{#d} qui recueillent ce qu’on leur donne. Le trait change d’une zone à l’autre : des points dans l’écorce, de longues lignes dans les pyramides. Sans le savoir, la main décrit déjà le travail de l’organe.

Ces points sont les glomérules, que Malpighi décrivit en 1666 :cite[malpighi1666]. Le mot veut dire « petites pelotes », et l’image est juste. L’un d’eux, très agrandi, figure :mark[à côté du rein]{#f} : une fine artère se défait en un écheveau de capillaires, qui se rassemblent en une autre artère et ressortent presque par la même porte. Tout autour, une capsule mince comme un gant, d’où part un seul tube ; en 1842, Bowman vit que la capsule se prolonge dans le tube :cite[bowman1842]. Un rein sain en contient environ un million, avec de grands écarts d’une personne à l’autre.

Le sang presse contre les parois de l’écheveau. L’eau, les sels, le sucre et les déchets passent ; les cellules et presque toutes les protéines restent. Il s’écoule bien plus de liquide que nous ne pourrions en perdre, si bien que le long tubule, qui serpente jusque dans la pyramide et en revient, passe son temps à reprendre. Presque toute l’eau retourne au sang ; le reste est l’urine. L’art du rein est moins de jeter que de se raviser.

Il travaille en silence, et souvent il tombe malade en silence. Une tension durablement élevée ou un diabète peuvent marquer les petites pelotes de cicatrices bien avant la moindre douleur, et celles qui sont perdues ne repoussent pas. Mais une simple prise de sang et un peu d’urine, où l’on cherche des traces de protéines, peuvent le révéler tôt, quand il reste beaucoup à protéger. C’est une manière modeste de regarder. Les plus belles planches l’enseignent aussi : prêtez attention aux points.

:::key-points
- Dans chaque rein, environ un million de glomérules filtrent le sang.
- Presque toute l’eau filtrée retourne au sang.
- Les reins tombent souvent malades en silence ; des analyses de sang et d’urine peuvent révéler tôt l’atteinte.
:::`,
    de: `Man schneide eine Niere der Länge nach auf, wie es die Stecher seit Jahrhunderten tun, und sie öffnet sich wie eine Frucht. Außen liegt eine helle, körnige :mark[Rinde]{#a}; darin stehen dunkle, :mark[gestreifte Pyramiden]{#b}, deren Spitzen nach innen weisen, zu :mark[blassen Kelchen]{#d}, die auffangen, was man ihnen gibt. Von Zone zu Zone wechselt der Strich: Punkte in der Rinde, lange Linien in den Pyramiden. Ohne es zu wissen, beschreibt die Hand schon, wie das Organ arbeitet.

Die Punkte sind die Glomeruli, die Malpighi 1666 beschrieb :cite[malpighi1666]. Das Wort bedeutet „kleine Knäuel“, und das Bild stimmt genau. Einer von ihnen steht, stark vergrößert, :mark[neben der Niere]{#f}: Eine feine Arterie löst sich in ein Geflecht von Kapillaren auf, die sich wieder zu einer Arterie sammeln und fast durch dieselbe Tür hinausgehen. Um das Knäuel legt sich eine Kapsel, dünn wie ein Handschuh, aus der ein einziges Röhrchen führt; 1842 erkannte Bowman, dass die Kapsel in das Röhrchen übergeht :cite[bowman1842]. Eine gesunde Niere besitzt ungefähr eine Million davon, bei manchen Menschen deutlich mehr, bei anderen weniger.

Das Blut drückt gegen die Wände des Knäuels. Wasser, Salze, Zucker und Abfallstoffe gehen hindurch, Zellen und fast alle Eiweiße bleiben zurück. Es tritt weit mehr Flüssigkeit aus, als wir je entbehren könnten, und so ist der lange Tubulus, der sich in die Pyramide hinab und wieder herauf windet, vor allem mit Zurückholen beschäftigt. Fast das ganze Wasser kehrt heim; der Rest ist Harn. Die Kunst der Niere ist weniger das Wegwerfen als das Überdenken.

Sie arbeitet still, und oft erkrankt sie auch still. Dauerhaft hoher Blutdruck und Diabetes können die Knäuel vernarben lassen, lange bevor etwas wehtut, und verlorene wachsen nicht nach. Doch eine einfache Blutprobe und ein wenig Urin, in dem man nach Spuren von Eiweiß sucht, können den Schaden früh verraten, wenn sich noch vieles schützen lässt. Das ist eine bescheidene Art des Hinsehens. Auch die schönsten Tafeln lehren sie: Man achte auf die Punkte.

:::key-points
- In jeder Niere filtern rund eine Million Glomeruli das Blut.
- Fast das ganze gefilterte Wasser kehrt ins Blut zurück.
- Nieren erkranken oft still; Untersuchungen von Blut und Urin können den Schaden früh zeigen.
:::`,
  },
};
