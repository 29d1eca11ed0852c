import type { DemoPost } from '../demo-post.ts';

export const heartCoronaries: DemoPost = {
  slug: 'heart-coronaries',
  artwork: {
    file: 'heart-coronaries.webp',
    alt: {
      en: 'Drawing of a heart seen from the front, with the great vessels above it; red coronary arteries branch over the dark muscle.',
      es: 'Dibujo de un corazón visto de frente, con los grandes vasos encima; unas arterias coronarias rojas se ramifican sobre el músculo oscuro.',
      fr: 'Dessin d’un cœur vu de face, surmonté des gros vaisseaux ; des artères coronaires rouges se ramifient sur le muscle sombre.',
      de: 'Zeichnung eines Herzens von vorn, darüber die großen Gefäße; rote Kranzarterien verzweigen sich über dem dunklen Muskel.',
    },
    caption: {
      en: 'Plate VIII: the heart from the front, with the arch of the aorta (b) and the pulmonary trunk (c); the coronary arteries in red',
      es: 'Lámina VIII: el corazón de frente, con el cayado de la aorta (b) y el tronco pulmonar (c); en rojo, las arterias coronarias',
      fr: 'Planche VIII : le cœur de face, avec la crosse de l’aorte (b) et le tronc pulmonaire (c) ; en rouge, les artères coronaires',
      de: 'Tafel VIII: das Herz von vorn, mit dem Aortenbogen (b) und dem Stamm der Lungenarterie (c); in Rot die Kranzarterien',
    },
    description: {
      en: 'A heart fills the sheet, engraved in brown and black, with its great vessels cut off above. Fine red lines branch over its surface; the light comes from the left.\n\nAbove on the left stands the upper hollow vein (a). Beside it the aorta arches (b), and in front of it the trunk of the lung arteries rises to the right (c). On the left lies the right atrium (d), on the right the left ventricle with the tip of the heart (e), above it the stumps of the lung veins (f). The red line that runs down the middle to the tip is the anterior descending branch (g).',
      es: 'Un corazón llena la hoja, grabado en pardo y negro, con los grandes vasos cortados por arriba. Unas finas líneas rojas se ramifican por su superficie; la luz llega de la izquierda.\n\nArriba, a la izquierda, está la vena cava superior (a). Junto a ella se arquea la aorta (b) y, delante, el tronco de las arterias pulmonares sube hacia la derecha (c). A la izquierda queda la aurícula derecha (d); a la derecha, el ventrículo izquierdo con la punta del corazón (e) y, encima, los muñones de las venas pulmonares (f). La línea roja que baja por el centro hasta la punta es la rama descendente anterior (g).',
      fr: 'Un cœur remplit la feuille, gravé en brun et noir, ses grands vaisseaux coupés en haut. De fines lignes rouges se ramifient à sa surface ; la lumière vient de la gauche.\n\nEn haut à gauche se dresse la veine cave supérieure (a). À côté d’elle s’arque l’aorte (b) et, devant, le tronc des artères pulmonaires monte vers la droite (c). À gauche se trouve l’oreillette droite (d), à droite le ventricule gauche avec la pointe du cœur (e) et, au-dessus, les moignons des veines pulmonaires (f). La ligne rouge qui descend au milieu jusqu’à la pointe est la branche descendante antérieure (g).',
      de: 'Ein Herz füllt das Blatt, in Braun und Schwarz gestochen, die großen Gefäße oben abgeschnitten. Feine rote Linien verzweigen sich auf seiner Oberfläche; das Licht kommt von links.\n\nOben links steht die obere Hohlvene (a). Neben ihr wölbt sich die Aorta (b), davor steigt der Stamm der Lungenarterien nach rechts auf (c). Links liegt der rechte Vorhof (d), rechts die linke Kammer mit der Herzspitze (e), darüber die Stümpfe der Lungenvenen (f). Die rote Linie, die in der Mitte zur Spitze hinabläuft, ist der vordere absteigende Ast (g).',
    },
    marks: [
      {
        letter: 'a',
        shape: { kind: 'box', x: 25, y: 14.5, width: 12, height: 20 },
        note: {
          en: 'The superior vena cava brings blood from the head and the arms.',
          es: 'La vena cava superior trae la sangre de la cabeza y los brazos.',
          fr: 'La veine cave supérieure ramène le sang de la tête et des bras.',
          de: 'Die obere Hohlvene bringt das Blut aus Kopf und Armen.',
        },
      },
      {
        letter: 'b',
        shape: {
          kind: 'outline',
          points: [
            [38, 33],
            [42, 22],
            [50, 16.5],
            [60, 17],
            [68, 23],
            [60, 27],
            [50, 27],
            [50, 32],
          ],
        },
        note: {
          en: 'The arch of the aorta; its root lies hidden behind the trunk in front.',
          es: 'El arco de la aorta; su raíz queda oculta tras el tronco de delante.',
          fr: 'La crosse de l’aorte ; sa racine se cache derrière le tronc, devant elle.',
          de: 'Der Bogen der Aorta; ihre Wurzel liegt verborgen hinter dem Stamm davor.',
        },
      },
      {
        letter: 'c',
        shape: {
          kind: 'outline',
          points: [
            [46, 42],
            [53, 31],
            [65, 25],
            [78, 23],
            [82, 29],
            [70, 32.5],
            [61, 36],
            [56, 44],
          ],
        },
        note: {
          en: 'The pulmonary trunk leads to the lungs.',
          es: 'El tronco pulmonar lleva a los pulmones.',
          fr: 'Le tronc pulmonaire mène aux poumons.',
          de: 'Der Lungenstamm führt zu den Lungen.',
        },
      },
      {
        letter: 'd',
        shape: {
          kind: 'outline',
          points: [
            [18, 38],
            [27, 34],
            [34, 42],
            [31, 50],
            [25, 56],
            [18, 49],
          ],
        },
        note: {
          en: 'The right atrium, with small branches of the right coronary artery.',
          es: 'La aurícula derecha, con ramitas de la arteria coronaria derecha.',
          fr: 'L’oreillette droite, avec de petites branches de l’artère coronaire droite.',
          de: 'Der rechte Vorhof mit kleinen Ästen der rechten Kranzarterie.',
        },
      },
      {
        letter: 'e',
        shape: {
          kind: 'outline',
          points: [
            [58, 50],
            [74, 52],
            [77, 62],
            [72, 76],
            [64, 81],
            [58, 78],
          ],
        },
      },
      {
        letter: 'f',
        shape: { kind: 'box', x: 72.5, y: 39, width: 12.5, height: 13.5 },
        note: {
          en: 'The left pulmonary veins bring blood back from the lung.',
          es: 'Las venas pulmonares izquierdas traen la sangre del pulmón.',
          fr: 'Les veines pulmonaires gauches ramènent le sang du poumon.',
          de: 'Die linken Lungenvenen bringen das Blut aus der Lunge zurück.',
        },
      },
      {
        letter: 'g',
        shape: {
          kind: 'outline',
          points: [
            [52, 45],
            [55, 46],
            [60, 60],
            [65, 77],
            [63, 78.5],
            [57, 61],
          ],
        },
        note: {
          en: 'The anterior descending branch runs down to the tip.',
          es: 'La rama descendente anterior baja hasta la punta.',
          fr: 'La branche descendante antérieure descend jusqu’à la pointe.',
          de: 'Der vordere absteigende Ast zieht zur Spitze hinab.',
        },
      },
    ],
  },
  author: 'mara',
  daysAgo: 2,
  sources: [
    {
      id: 'harvey1628',
      type: 'book',
      author: [{ family: 'Harvey', given: 'William' }],
      title: 'Exercitatio anatomica de motu cordis et sanguinis in animalibus',
      publisher: 'William Fitzer',
      'publisher-place': 'Frankfurt',
      issued: { 'date-parts': [[1628]] },
      language: 'la',
    },
    {
      id: 'gray1858',
      type: 'book',
      author: [{ family: 'Gray', given: 'Henry' }],
      title: 'Anatomy, Descriptive and Surgical',
      publisher: 'John W. Parker and Son',
      'publisher-place': 'London',
      issued: { 'date-parts': [[1858]] },
      language: 'en',
    },
  ],
  contentFormat: 'markdown',
  title: {
    en: 'The crown around the heart',
    es: 'La corona del corazón',
    fr: 'Une couronne pour le cœur',
    de: 'Der Kranz ums Herz',
  },
  content: {
    en: `A heart on paper is always still. That is the first fiction of the plate, and a merciful one: only because the engraver has stopped it can we take our time. The light comes from one side; the hatching thickens where the muscle turns away into shadow. Then the one strong colour of the sheet catches the eye: a branching red line, laid over the dark muscle like ivy over a wall.

These are the :mark[coronary arteries]{#g}, named after the crown they seem to form around the heart. In 1628 William Harvey showed that the heart drives the blood round in a circle :cite[harvey1628]; the first branches of that circle lead back to the heart itself. Two spring from the :mark[root of the aorta]{#b}, and as the left one soon divides, anatomists follow three great vessels :cite[gray1858]. Their course varies from person to person; mostly it is this:

| Artery | Course | Mainly supplies |
|---|---|---|
| Right coronary artery | groove between right atrium and right ventricle | right ventricle, underside of the heart |
| Anterior descending branch | down the front to the apex | front wall, most of the septum |
| Circumflex branch | round the left side towards the back | left atrium, side wall |

An organ full of blood needs vessels of its own, because its walls are far too thick to drink from the chambers; they are supplied from outside, by twigs that dive inwards from the surface. And the muscle has to wait its turn. As the :mark[left ventricle]{#e} contracts, it squeezes its own small vessels, so most of its blood arrives in the pause between two beats. The heart feeds while it rests.

When one of these lines narrows, climbing the stairs may bring pressure or breathlessness; sometimes there is no warning at all. When one closes suddenly, minutes matter: chest pain that comes and will not go is a reason to call an ambulance, not to wait. Follow a branch to its fine end and you see why, for there are few neighbours ready to take over. Then lay your hand on your own chest. There it is, the part no engraver could draw.

:::key-points
- The coronary arteries are the first branches of the aorta.
- The left ventricle receives most of its blood between two beats.
- Chest pain that comes and will not go is an emergency: call an ambulance.
:::`,
    es: `En el papel, el corazón siempre está quieto. Es la primera ficción de la lámina, y una ficción piadosa: solo porque el grabador lo ha detenido podemos mirarlo sin prisa. La luz llega de un lado; el rayado se espesa allí donde el músculo se vuelve hacia la sombra. Entonces aparece el único color intenso de la hoja: una línea roja que se ramifica sobre el músculo oscuro como la hiedra sobre un muro.

Son las :mark[arterias coronarias]{#g}, llamadas así por la corona que parecen ceñir en torno al corazón. En 1628, William Harvey mostró que el corazón impulsa la sangre en círculo :cite[harvey1628]; las primeras ramas de ese círculo regresan al propio corazón. Dos nacen de la :mark[raíz de la aorta]{#b} y, como la izquierda se divide enseguida, los anatomistas siguen tres grandes vasos :cite[gray1858]. Su recorrido varía de una persona a otra; por lo general es este:

| Arteria | Recorrido | Irriga sobre todo |
|---|---|---|
| Arteria coronaria derecha | surco entre la aurícula derecha y el ventrículo derecho | ventrículo derecho, cara inferior del corazón |
| Rama descendente anterior | cara anterior hasta la punta | pared anterior, mayor parte del tabique |
| Rama circunfleja | lado izquierdo, hacia atrás | aurícula izquierda, pared lateral |

Un órgano lleno de sangre necesita vasos propios porque sus paredes son demasiado gruesas para beber de las cavidades: se nutren desde fuera, por ramitas que se hunden desde la superficie. Y el músculo tiene que esperar su turno. Al contraerse, el :mark[ventrículo izquierdo]{#e} comprime sus propios vasos pequeños, de modo que la mayor parte de su sangre llega en la pausa entre dos latidos. El corazón se alimenta mientras descansa.

Cuando una de estas líneas se estrecha, subir una escalera puede traer opresión o falta de aire; a veces no hay ningún aviso. Cuando una se cierra de golpe, los minutos cuentan: ante un dolor de pecho que aparece y no cede hay que llamar a emergencias, no esperar. Basta seguir una rama hasta su extremo más fino para entenderlo: hay pocas vecinas dispuestas a reemplazarla. Después, ponga la mano sobre su propio pecho. Ahí está lo que ningún grabador pudo dibujar.

:::key-points
- Las arterias coronarias son las primeras ramas de la aorta.
- El ventrículo izquierdo recibe la mayor parte de su sangre entre dos latidos.
- Un dolor de pecho que aparece y no cede es una urgencia: llame a emergencias.
:::`,
    fr: `Sur le papier, un cœur est toujours immobile. C’est la première fiction de la planche, et elle est charitable : il a fallu que le graveur l’arrête pour que nous puissions prendre notre temps. La lumière vient d’un seul côté ; les hachures se resserrent là où le muscle se détourne vers l’ombre. Puis vient la seule couleur vive de la feuille : une ligne rouge qui se ramifie sur le muscle sombre, tel un lierre.

Ce sont les :mark[artères coronaires]{#g}, qui doivent leur nom à la couronne qu’elles semblent poser autour du cœur. En 1628, William Harvey montra que le cœur pousse le sang en cercle :cite[harvey1628] ; les premières branches de ce cercle reviennent au cœur lui-même. Deux naissent à la :mark[racine de l’aorte]{#b} et, comme la gauche se divise bientôt, les anatomistes suivent trois grands vaisseaux :cite[gray1858]. Leur trajet varie d’une personne à l’autre ; le plus souvent, le voici :

| Artère | Trajet | Irrigue surtout |
|---|---|---|
| Artère coronaire droite | sillon entre l’oreillette droite et le ventricule droit | ventricule droit, face inférieure du cœur |
| Branche descendante antérieure | face antérieure jusqu’à la pointe | paroi antérieure, majeure partie du septum |
| Branche circonflexe | côté gauche, vers l’arrière | oreillette gauche, paroi latérale |

Cet organe rempli de sang a besoin de vaisseaux à lui, car ses parois sont bien trop épaisses pour boire à même les cavités : elles sont nourries du dehors, par des rameaux qui plongent depuis la surface. Encore le muscle doit-il attendre son tour. En se contractant, le :mark[ventricule gauche]{#e} comprime ses propres petits vaisseaux ; l’essentiel de son sang lui parvient donc dans la pause entre deux battements. Le cœur se nourrit pendant qu’il se repose.

Quand l’une de ces lignes se rétrécit, un escalier peut suffire à serrer la poitrine ou à couper le souffle ; parfois, rien ne prévient. Quand l’une d’elles se ferme d’un coup, les minutes comptent : devant une douleur thoracique qui ne cède pas, on appelle les secours, on n’attend pas. Suivez une branche jusqu’à sa fine extrémité, et vous comprendrez : peu de voisines sont prêtes à prendre le relais. Posez ensuite la main sur votre poitrine. Voilà ce qu’aucun graveur n’a pu dessiner.

:::key-points
- Les artères coronaires sont les premières branches de l’aorte.
- Le ventricule gauche reçoit l’essentiel de son sang entre deux battements.
- Une douleur thoracique qui survient et ne cède pas est une urgence : appelez les secours.
:::`,
    de: `Auf Papier steht das Herz immer still. Das ist die erste Erfindung der Tafel, und eine gnädige: Nur weil der Stecher es angehalten hat, dürfen wir uns Zeit lassen. Das Licht kommt von einer Seite; wo der Muskel sich in den Schatten wendet, verdichten sich die Schraffuren. Dann erst fällt die einzige kräftige Farbe des Blattes ins Auge: eine rote, sich verzweigende Linie, die den dunklen Muskel überzieht wie Efeu eine Mauer.

Es sind die :mark[Herzkranzgefäße]{#g}, so genannt nach dem Kranz, den sie um das Herz zu legen scheinen. 1628 zeigte William Harvey, dass das Herz das Blut im Kreis treibt :cite[harvey1628]; die ersten Äste dieses Kreises führen zum Herzen selbst zurück. Zwei entspringen an der :mark[Wurzel der Aorta]{#b}, und weil der linke sich bald teilt, verfolgen die Anatomen drei große Gefäße :cite[gray1858]. Ihr Verlauf ist von Mensch zu Mensch verschieden; meist ist es dieser:

| Arterie | Verlauf | Versorgt vor allem |
|---|---|---|
| Rechte Kranzarterie | Furche zwischen rechtem Vorhof und rechter Kammer | rechte Kammer, Unterseite des Herzens |
| Vorderer absteigender Ast | Vorderseite bis zur Spitze | Vorderwand, größter Teil der Scheidewand |
| Umschlingender Ast | linke Seite, nach hinten | linker Vorhof, Seitenwand |

Auch ein Organ voller Blut braucht eigene Gefäße, denn seine Wände sind viel zu dick, um aus den Kammern zu trinken; sie werden von außen versorgt, durch Zweige, die von der Oberfläche in die Tiefe tauchen. Und der Muskel muss warten, bis er an der Reihe ist. Wenn die :mark[linke Kammer]{#e} schlägt, presst sie ihre eigenen kleinen Gefäße zusammen, und das meiste Blut erreicht sie in der Pause zwischen zwei Schlägen. Das Herz nährt sich, während es ruht.

Wird eine dieser Linien eng, kann schon eine Treppe Druck auf der Brust oder Atemnot bringen; manchmal warnt gar nichts. Verschließt sich eine plötzlich, zählen Minuten: Ein Brustschmerz, der kommt und nicht weicht, ist ein Grund, den Notruf zu wählen, nicht abzuwarten. Wer einen Ast bis in sein feines Ende verfolgt, versteht, warum: Kaum ein Nachbar steht bereit, um einzuspringen. Legen Sie danach die Hand auf die eigene Brust. Dort ist, was kein Stecher zeichnen konnte.

:::key-points
- Die Herzkranzgefäße sind die ersten Äste der Aorta.
- Die linke Kammer erhält das meiste Blut zwischen zwei Schlägen.
- Ein Brustschmerz, der kommt und nicht weicht, ist ein Notfall: Wählen Sie den Notruf.
:::`,
  },
};
