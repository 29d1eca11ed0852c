import type { DemoPost } from '../demo-post.ts';

export const skinHealing: DemoPost = {
  slug: 'skin-healing',
  artwork: {
    file: 'skin-healing.webp',
    alt: {
      en: 'Drawing of a block of skin with a wound in the middle: on top the thin epidermis, beneath it the fibrous dermis with hairs, vessels and sweat glands, at the bottom the yellow fat.',
      es: 'Dibujo de un bloque de piel con una herida en el centro: arriba, la fina epidermis; debajo, la dermis fibrosa con pelos, vasos y glándulas sudoríparas; al fondo, la grasa amarilla.',
      fr: 'Dessin d’un bloc de peau avec une plaie au milieu : en haut, le mince épiderme ; dessous, le derme fibreux avec poils, vaisseaux et glandes sudoripares ; tout en bas, la graisse jaune.',
      de: 'Zeichnung eines Hautblocks mit einer Wunde in der Mitte: oben die dünne Oberhaut, darunter die faserige Lederhaut mit Haaren, Gefäßen und Schweißdrüsen, ganz unten das gelbe Fett.',
    },
    caption: {
      en: 'Plate I: a block of skin with a wound (a), epidermis (b), dermis (c) and fat (d)',
      es: 'Lámina I: un bloque de piel con una herida (a), epidermis (b), dermis (c) y grasa (d)',
      fr: 'Planche I : un bloc de peau avec une plaie (a), épiderme (b), derme (c) et graisse (d)',
      de: 'Tafel I: ein Hautblock mit einer Wunde (a), Oberhaut (b), Lederhaut (c) und Fett (d)',
    },
    description: {
      en: 'A block of skin, cut out like a slice of earth, shows its upper side and a long cut face. Two hairs stand out of it, slanting to the right.\n\nIn the middle gapes a wound with a dark clot (a). On the cut face the layers lie on one another: thin and pink the epidermis (b), below it the dermis of wavy fibres with red vessels (c), finely woven above (e), with coiled glands below (f), and at the bottom the round, yellow lobules of fat (d).',
      es: 'Un bloque de piel, recortado como una porción de tierra, muestra su cara superior y un largo corte. Dos pelos salen de él, inclinados hacia la derecha.\n\nEn el centro se abre una herida con un coágulo oscuro (a). En el corte, las capas se superponen: delgada y rosada, la epidermis (b); debajo, la dermis de fibras onduladas, con vasos rojos (c), de trama fina arriba (e) y con glándulas enrolladas abajo (f); y en el fondo, los lobulillos redondos y amarillos de la grasa (d).',
      fr: 'Un bloc de peau, découpé comme une motte de terre, montre sa face supérieure et une longue coupe. Deux poils en sortent, penchés vers la droite.\n\nAu milieu bâille une plaie au caillot sombre (a). Sur la coupe, les couches se superposent : mince et rose, l’épiderme (b) ; dessous, le derme aux fibres ondulées, aux vaisseaux rouges (c), finement tissé en haut (e), avec des glandes pelotonnées en bas (f) ; et tout au fond, les lobules de graisse, ronds et jaunes (d).',
      de: 'Ein Block Haut, herausgeschnitten wie ein Stück Erdreich, zeigt seine Oberseite und eine lange Schnittfläche. Zwei Haare ragen schräg nach rechts heraus.\n\nIn der Mitte klafft eine Wunde mit dunklem Pfropf (a). In der Schnittfläche liegen die Schichten übereinander: dünn und rosa die Oberhaut (b), darunter die Lederhaut aus welligen Fasern mit roten Gefäßen (c), oben fein gewebt (e), unten mit geknäuelten Drüsen (f), und zuunterst die runden, gelben Läppchen des Fetts (d).',
    },
    marks: [
      {
        letter: 'a',
        shape: {
          kind: 'outline',
          points: [
            [34, 34],
            [47, 26],
            [62, 26],
            [62, 35],
            [55, 42],
            [43, 42],
          ],
        },
        note: {
          en: 'The wound, filled by a clot; below it, new tissue grows.',
          es: 'La herida, llena de un coágulo; debajo crece tejido nuevo.',
          fr: 'La plaie, comblée par un caillot ; dessous croît un tissu nouveau.',
          de: 'Die Wunde, von einem Pfropf gefüllt; darunter wächst neues Gewebe.',
        },
      },
      { letter: 'b', shape: { kind: 'box', x: 11.7, y: 34.5, width: 22, height: 6 } },
      { letter: 'c', shape: { kind: 'box', x: 11.7, y: 41, width: 26, height: 29 } },
      { letter: 'd', shape: { kind: 'box', x: 11.7, y: 71, width: 73, height: 18 } },
      {
        letter: 'e',
        shape: { kind: 'box', x: 70, y: 41, width: 14.7, height: 13 },
        note: {
          en: 'The upper dermis: fine fibres, with small vessels between them.',
          es: 'La dermis superior: fibras finas y, entre ellas, vasos pequeños.',
          fr: 'Le derme superficiel : des fibres fines et, entre elles, de petits vaisseaux.',
          de: 'Die obere Lederhaut: feine Fasern, dazwischen kleine Gefäße.',
        },
      },
      {
        letter: 'f',
        shape: { kind: 'box', x: 69, y: 57, width: 15.7, height: 13.5 },
        note: {
          en: 'The lower dermis, with a coiled sweat gland and its duct.',
          es: 'La dermis profunda, con una glándula sudorípara enrollada y su conducto.',
          fr: 'Le derme profond, avec une glande sudoripare pelotonnée et son canal.',
          de: 'Die untere Lederhaut mit einer geknäuelten Schweißdrüse und ihrem Gang.',
        },
      },
    ],
  },
  isUnreviewed: true,
  contentFormat: 'markdown',
  author: 'tomas',
  daysAgo: 44,
  title: {
    en: 'How a wound closes',
    es: 'La piel se remienda',
    fr: 'Ce que raconte une cicatrice',
    de: 'Haut, die sich schließt',
  },
  content: {
    en: `Of all the organs an engraver draws, the skin is the only one we have already seen. So the plate shows us what we have not: a block cut from it, like a slice of earth at the edge of a quarry. On top lies the thin, layered :mark[epidermis]{#b}; beneath it :mark[the dermis]{#c}, all woven fibres, with vessels, :mark[coiled sweat glands]{#f} and the slanting roots of hairs; and below, the rounded yellow :mark[lobules of fat]{#d}.

Across the middle runs :mark[a wound]{#a}. The first answer is immediate: vessels narrow, platelets stick together, and threads of fibrin form a net that holds the clot. Then come the cleaners. White cells leave the blood and clear away germs and debris, and the edge turns red, warm and tender. Within limits this is not a fault but the work itself.

Over the following days the ground is filled. Fine new vessels sprout, and fibroblasts lay down fresh collagen; the moist, red, grainy tissue has the old name of granulation. From the edges, and from what is left of the hair roots, epidermal cells creep across the gap, thin as a film, until they meet. They travel more easily over a moist bed than under a dry crust, which is why many wounds are kept covered.

The last act is slow. For months, sometimes longer than a year, the collagen is rearranged, and the scar grows paler and flatter. It becomes strong, though never quite as strong as the skin it replaces, and it is grateful for shade from the sun. Spreading redness, pus, fever or a wound that will not close should be shown to somebody who knows. A scar is a fine hatching, too: it tells where the hand once pressed harder.`,
    es: `De todos los órganos que dibuja un grabador, la piel es el único que ya hemos visto. Por eso la lámina nos muestra lo que no conocíamos: un bloque recortado, como un corte de tierra al borde de una cantera. Arriba está la :mark[epidermis]{#b}, delgada y en capas; debajo :mark[la dermis]{#c}, toda fibras entretejidas, con vasos, :mark[glándulas sudoríparas enrolladas]{#f} y las raíces inclinadas de los pelos; y más abajo, los :mark[lobulillos de grasa]{#d}, amarillos y redondos.

Por el centro cruza :mark[una herida]{#a}. La primera respuesta es inmediata: los vasos se estrechan, las plaquetas se adhieren y unos hilos de fibrina tejen la red que retiene el coágulo. Luego llegan los limpiadores. Los glóbulos blancos salen de la sangre y retiran gérmenes y restos, y el borde se pone rojo, caliente y sensible. Dentro de ciertos límites, eso no es un fallo, sino el trabajo mismo.

En los días siguientes se rellena el terreno. Brotan vasos nuevos y finos, y los fibroblastos depositan colágeno fresco; a ese tejido húmedo, rojo y granuloso se le llama desde antiguo granulación. Desde los bordes, y desde lo que queda de las raíces de los pelos, las células de la epidermis avanzan por el hueco, finas como una película, hasta encontrarse. Viajan mejor sobre un lecho húmedo que bajo una costra seca, y por eso muchas heridas se mantienen cubiertas.

El último acto es lento. Durante meses, a veces más de un año, el colágeno se reordena y la cicatriz palidece y se aplana. Se vuelve fuerte, aunque nunca tanto como la piel a la que sustituye, y agradece que la protejan del sol. Una rojez que se extiende, el pus, la fiebre o una herida que no se cierra deben enseñarse a alguien que entienda. También la cicatriz es un rayado fino: cuenta dónde apretó más la mano.`,
    fr: `De tous les organes que dessine un graveur, la peau est le seul que nous ayons déjà vu. La planche nous montre donc ce que nous n’avons pas vu : un bloc découpé, comme une coupe de terre au bord d’une carrière. En haut, l’:mark[épiderme]{#b}, mince et feuilleté ; dessous, :mark[le derme]{#c}, tout en fibres tissées, avec ses vaisseaux, ses :mark[glandes sudoripares pelotonnées]{#f} et les racines obliques des poils ; plus bas encore, les :mark[lobules de graisse]{#d}, jaunes et ronds.

:mark[Une plaie]{#a} la traverse en son milieu. La première réponse est immédiate : les vaisseaux se resserrent, les plaquettes s’accolent, et des fils de fibrine forment le filet qui retient le caillot. Puis viennent les nettoyeurs. Des globules blancs quittent le sang, emportent microbes et débris, et le bord devient rouge, chaud, sensible. Dans certaines limites, ce n’est pas un défaut : c’est le travail même.

Les jours suivants, le terrain se comble. De fins vaisseaux bourgeonnent, et les fibroblastes déposent un collagène frais ; ce tissu humide, rouge et grenu porte depuis longtemps le nom de « granulation ». Depuis les bords, et depuis ce qui reste des racines des poils, les cellules de l’épiderme s’avancent sur la brèche, minces comme une pellicule, jusqu’à se rejoindre. Elles voyagent mieux sur un lit humide que sous une croûte sèche, et c’est pourquoi l’on garde couvertes bien des plaies.

Le dernier acte est lent. Des mois durant, parfois plus d’une année, le collagène se réordonne, et la cicatrice pâlit et s’aplatit. Elle devient solide, sans jamais l’être tout à fait autant que la peau qu’elle remplace, et elle apprécie qu’on la protège du soleil. Une rougeur qui s’étend, du pus, de la fièvre ou une plaie qui ne se ferme pas doivent être montrés à quelqu’un qui s’y connaît. La cicatrice aussi est une fine hachure : elle dit où la main a appuyé plus fort.`,
    de: `Von allen Organen, die ein Stecher zeichnet, ist die Haut das einzige, das wir schon kennen. Darum zeigt uns die Tafel, was wir nicht gesehen haben: einen herausgeschnittenen Block, wie ein Stück Erdreich am Rand eines Steinbruchs. Oben liegt die dünne, geschichtete :mark[Oberhaut]{#b}, darunter :mark[die Lederhaut]{#c} aus verwobenen Fasern, mit Gefäßen, :mark[geknäuelten Schweißdrüsen]{#f} und den schrägen Wurzeln der Haare, und ganz unten ruhen die runden, gelben :mark[Läppchen des Fetts]{#d}.

Mitten hindurch verläuft :mark[eine Wunde]{#a}. Die erste Antwort kommt sofort: Gefäße verengen sich, Blutplättchen haften aneinander, und Fäden aus Fibrin bilden das Netz, das den Pfropf festhält. Dann kommen die Aufräumer. Weiße Blutzellen verlassen die Bahn, beseitigen Keime und Trümmer, und der Rand wird rot, warm und empfindlich. In gewissen Grenzen ist das kein Fehler, sondern die Arbeit selbst.

In den folgenden Tagen füllt sich der Grund. Feine neue Gefäße sprießen, und Fibroblasten legen frisches Kollagen ab; das feuchte, rote, körnige Gewebe heißt seit Langem Granulationsgewebe. Von den Rändern her, und von den Resten der Haarwurzeln, schieben sich Zellen der Oberhaut über die Lücke, dünn wie ein Film, bis sie einander begegnen. Auf feuchtem Grund wandern sie leichter als unter einer trockenen Kruste, und deshalb hält man viele Wunden bedeckt.

Der letzte Akt ist langsam. Monatelang, manchmal länger als ein Jahr, wird das Kollagen umgeordnet, und die Narbe wird blasser und flacher. Sie wird fest, wenn auch nie ganz so fest wie die Haut, die sie ersetzt, und sie dankt es einem, wenn man sie vor der Sonne schützt. Eine Rötung, die sich ausbreitet, Eiter, Fieber oder eine Wunde, die sich nicht schließt, sollte man jemandem zeigen, der sich auskennt. Auch die Narbe ist eine feine Schraffur: Sie erzählt, wo die Hand einmal fester gedrückt hat.`,
  },
};
