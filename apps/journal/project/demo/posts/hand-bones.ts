import type { DemoPost } from '../demo-post.ts';

export const handBones: DemoPost = {
  slug: 'hand-bones',
  artwork: {
    file: 'hand-bones.webp',
    alt: {
      en: 'Drawing of the bones of a right hand, seen from the back, in a dotted outline; blue tendons run from the wrist to the ends of the fingers.',
      es: 'Dibujo de los huesos de una mano derecha, vista por el dorso, en un contorno de puntos; unos tendones azules van de la muñeca al extremo de los dedos.',
      fr: 'Dessin des os d’une main droite, vue de dos, dans un contour de points ; des tendons bleus vont du poignet au bout des doigts.',
      de: 'Zeichnung der Knochen einer rechten Hand, vom Handrücken gesehen, in punktiertem Umriss; blaue Sehnen ziehen vom Handgelenk bis ans Ende der Finger.',
    },
    caption: {
      en: 'Plate II: the back of a right hand, with the bones of the wrist (c) and the band that holds the tendons down (f)',
      es: 'Lámina II: el dorso de una mano derecha, con los huesos de la muñeca (c) y la banda que sujeta los tendones (f)',
      fr: 'Planche II : le dos d’une main droite, avec les os du poignet (c) et la bande qui maintient les tendons (f)',
      de: 'Tafel II: der Rücken einer rechten Hand mit den Knochen der Handwurzel (c) und dem Band, das die Sehnen niederhält (f)',
    },
    description: {
      en: 'The bones of a right hand, seen from the back, stand upright on aged paper, the thumb on the left. A dotted line goes round them for the flesh; nothing else is drawn of it.\n\nAbove, the fingers spread like a fan: the index finger (a), the thumb lower on the left (b), the little finger on the right (e). Blue tendons run over all of them. In the middle stand the five long bones of the palm (d), joined by small blue bridges. Below, the bones of the wrist lie like pebbles (c); a band of fine lines crosses the forearm beneath them (f).',
      es: 'Los huesos de una mano derecha, vista por el dorso, se alzan sobre un papel envejecido, con el pulgar a la izquierda. Una línea de puntos los rodea y hace de carne; nada más se ha dibujado de ella.\n\nArriba, los dedos se abren en abanico: el índice (a), el pulgar más abajo, a la izquierda (b), y el meñique a la derecha (e). Por todos corren tendones azules. En el centro están los cinco huesos largos de la palma (d), unidos por pequeños puentes azules. Debajo, los huesos de la muñeca parecen guijarros (c); más abajo, una banda de líneas finas cruza el antebrazo (f).',
      fr: 'Les os d’une main droite, vue de dos, se dressent sur un papier vieilli, le pouce à gauche. Une ligne de points les entoure en guise de chair ; rien d’autre n’en est dessiné.\n\nEn haut, les doigts s’ouvrent en éventail : l’index (a), le pouce plus bas à gauche (b), l’auriculaire à droite (e). Des tendons bleus courent sur tous. Au milieu se tiennent les cinq os longs de la paume (d), que relient de petits ponts bleus. Dessous, les os du poignet sont posés comme des galets (c) ; plus bas, une bande de lignes fines traverse l’avant-bras (f).',
      de: 'Die Knochen einer rechten Hand, vom Handrücken gesehen, stehen aufrecht auf gealtertem Papier, der Daumen links. Eine punktierte Linie umgibt sie als Umriss des Fleisches; mehr ist davon nicht gezeichnet.\n\nOben spreizen sich die Finger wie ein Fächer: der Zeigefinger (a), tiefer links der Daumen (b), rechts der kleine Finger (e). Über alle laufen blaue Sehnen. In der Mitte stehen die fünf langen Knochen der Mittelhand (d), verbunden durch kleine blaue Brücken. Darunter liegen die Knochen der Handwurzel wie Kiesel (c); ein Band aus feinen Linien quert unter ihnen den Unterarm (f).',
    },
    marks: [
      {
        letter: 'a',
        shape: { kind: 'box', x: 30.5, y: 19, width: 11, height: 28 },
        note: {
          en: 'The index finger: three bones, one behind the other.',
          es: 'El índice: tres huesos, uno tras otro.',
          fr: 'L’index : trois os, l’un derrière l’autre.',
          de: 'Der Zeigefinger: drei Knochen hintereinander.',
        },
      },
      {
        letter: 'b',
        shape: {
          kind: 'outline',
          points: [
            [16, 40],
            [22, 39.5],
            [33, 57],
            [27, 61],
            [19, 51],
          ],
        },
      },
      {
        letter: 'c',
        shape: {
          kind: 'outline',
          points: [
            [36, 66],
            [41, 63],
            [56, 63],
            [60, 69],
            [55, 74],
            [39, 74],
          ],
        },
        note: {
          en: 'The wrist, in two rows; one bone lies in front of another and is not seen from the back.',
          es: 'La muñeca, en dos hileras; un hueso queda delante de otro y no se ve por el dorso.',
          fr: 'Le poignet, sur deux rangs ; un os se trouve devant un autre et ne se voit pas de dos.',
          de: 'Die Handwurzel in zwei Reihen; ein Knochen liegt vor einem anderen und ist vom Rücken her nicht zu sehen.',
        },
      },
      {
        letter: 'd',
        shape: {
          kind: 'outline',
          points: [
            [36, 47],
            [64, 49],
            [61, 65],
            [40, 64],
          ],
        },
      },
      {
        letter: 'e',
        shape: {
          kind: 'outline',
          points: [
            [69, 28],
            [72, 29],
            [68, 40],
            [63, 49],
            [60, 46],
            [65, 37],
          ],
        },
        note: {
          en: 'On the little finger, too, a tendon runs to the last bone.',
          es: 'También en el meñique, un tendón llega hasta el último hueso.',
          fr: 'Sur l’auriculaire aussi, un tendon va jusqu’au dernier os.',
          de: 'Auch am kleinen Finger läuft eine Sehne bis zum letzten Knochen.',
        },
      },
      { letter: 'f', shape: { kind: 'box', x: 36.5, y: 74, width: 25, height: 8.5 } },
    ],
  },
  contentFormat: 'markdown',
  author: 'ines',
  daysAgo: 35,
  pictures: [
    {
      file: 'hand-wrist.webp',
      alt: {
        en: 'Detail: the small bones of the wrist in two rows, crossed by blue tendons that pass beneath a band of fine lines.',
        es: 'Detalle: los huesecillos de la muñeca en dos hileras, cruzados por tendones azules que pasan bajo una banda de líneas finas.',
        fr: 'Détail : les petits os du poignet sur deux rangs, traversés par des tendons bleus qui passent sous une bande de lignes fines.',
        de: 'Ausschnitt: die kleinen Knochen der Handwurzel in zwei Reihen, darüber blaue Sehnen, die unter einem Band aus feinen Linien hindurchziehen.',
      },
      caption: {
        en: 'The wrist: bones like pebbles in a stream, and the band that keeps the tendons in their place',
        es: 'La muñeca: huesos como guijarros en un arroyo, y la banda que mantiene los tendones en su sitio',
        fr: 'Le poignet : des os comme des galets dans un ruisseau, et la bande qui garde les tendons à leur place',
        de: 'Das Handgelenk: Knochen wie Kiesel in einem Bach und das Band, das die Sehnen an ihrem Platz hält',
      },
    },
    {
      file: 'hand-bridges.webp',
      alt: {
        en: 'Detail: blue tendons on the back of the hand, joined to each other by small arches over the metacarpals.',
        es: 'Detalle: tendones azules en el dorso de la mano, unidos entre sí por pequeños arcos sobre los metacarpianos.',
        fr: 'Détail : des tendons bleus au dos de la main, reliés entre eux par de petits arcs au-dessus des métacarpiens.',
        de: 'Ausschnitt: blaue Sehnen auf dem Handrücken, durch kleine Bögen über den Mittelhandknochen miteinander verbunden.',
      },
      caption: {
        en: 'The small bridges between the tendons, which hold the ring finger back in a closed fist',
        es: 'Los pequeños puentes entre los tendones, que retienen el anular cuando el puño está cerrado',
        fr: 'Les petits ponts entre les tendons, qui retiennent l’annulaire quand le poing est fermé',
        de: 'Die kleinen Brücken zwischen den Sehnen, die bei geschlossener Faust den Ringfinger festhalten',
      },
    },
  ],
  title: {
    en: 'Twenty-seven bones and a pencil',
    es: 'Veintisiete huesos y un lápiz',
    fr: 'Vingt-sept os et un crayon',
    de: 'Siebenundzwanzig Knochen und ein Stift',
  },
  content: {
    en: `It is an odd task to draw a hand: the model and the tool are the same. While my left hand holds the pencil, my right lies on the table and pretends to be somebody else’s. I turn the lamp until the light falls from one side, and the knuckles rise like a row of hills at evening. Then I begin where no one looks, at the wrist.

:mark[Eight small bones]{#c} are packed there like pebbles in a stream, in uneven rows, each facet polished by its neighbour. From them :mark[five metacarpals]{#d} fan out through the palm, and beyond these come the :mark[phalanges]{#a}: three to each finger, :mark[two to the thumb]{#b}. Twenty-seven in all. In the plate the shafts are hatched across, in short curved strokes that wrap around the form, and the flesh is no more than a dotted outline.

Over the bones run :mark[blue cords]{#e}, the tendons that straighten the fingers. Their muscles sit far up in the forearm, which is why a finger can be so slender and yet so strong: the engines are kept elsewhere. :mark[A band at the wrist]{#f} holds the cords down like a strap. On the back of the hand small bridges tie some of them together. Make a fist, then try to lift only the ring finger, and you will feel its neighbours holding it back.

Those who treat hands speak of function before they speak of beauty: to pinch, to grip, to feel. A fall on the outstretched palm can break a small bone at the base of the thumb, the scaphoid, and at first it may pass for a sprain; pain that lingers there deserves an examination. I sharpen my pencil again. Twenty-seven bones lean in to help.`,
    es: `Dibujar una mano es una tarea extraña: el modelo y la herramienta son lo mismo. Mientras la izquierda sostiene el lápiz, la derecha descansa sobre la mesa y finge ser de otra persona. Giro la lámpara hasta que la luz cae de un lado y los nudillos se levantan como una fila de colinas al atardecer. Entonces empiezo por donde nadie mira: por la muñeca.

Allí se aprietan :mark[ocho huesecillos]{#c}, como guijarros en un arroyo, en hileras desiguales, cada cara pulida por la vecina. De ellos se abren en abanico los :mark[cinco metacarpianos]{#d} que recorren la palma, y más allá vienen las :mark[falanges]{#a}: tres en cada dedo, :mark[dos en el pulgar]{#b}. Veintisiete en total. En la lámina, los huesos largos están rayados de través, con trazos cortos y curvos que abrazan la forma, y la carne no es más que un contorno de puntos.

Sobre los huesos corren :mark[cuerdas azules]{#e}, los tendones que enderezan los dedos. Sus músculos están lejos, en el antebrazo, y por eso un dedo puede ser tan fino y a la vez tan fuerte: los motores se guardan en otra parte. :mark[Una banda los sujeta]{#f} en la muñeca como una correa. En el dorso, unos pequeños puentes atan algunos entre sí. Cierre el puño, intente levantar solo el anular y notará cómo lo retienen sus vecinos.

Quienes curan manos hablan de la función antes que de la belleza: pinzar, agarrar, sentir. Una caída sobre la palma extendida puede romper un hueso pequeño en la base del pulgar, el escafoides, y al principio confundirse con un esguince; un dolor que persiste en ese punto merece una exploración. Vuelvo a afilar el lápiz. Veintisiete huesos se inclinan para ayudarme.`,
    fr: `Dessiner une main est une étrange besogne : le modèle et l’outil ne font qu’un. Tandis que ma gauche tient le crayon, ma droite repose sur la table et fait semblant d’appartenir à quelqu’un d’autre. Je tourne la lampe jusqu’à ce que la lumière vienne d’un seul côté, et les articulations se lèvent comme une rangée de collines au soir. Puis je commence là où personne ne regarde : au poignet.

:mark[Huit petits os]{#c} s’y serrent comme des galets dans un ruisseau, sur des rangs inégaux, chaque facette polie par sa voisine. De là s’ouvrent en éventail les :mark[cinq métacarpiens]{#d} qui traversent la paume, puis viennent les :mark[phalanges]{#a} : trois pour chaque doigt, :mark[deux pour le pouce]{#b}. Vingt-sept en tout. Sur la planche, les os longs sont hachurés en travers, à petits traits courbes qui épousent la forme, et la chair n’est plus qu’un contour de points.

Sur les os courent des :mark[cordes bleues]{#e}, les tendons qui redressent les doigts. Leurs muscles se trouvent bien plus haut, dans l’avant-bras, et c’est pourquoi un doigt peut être si fin et pourtant si fort : les moteurs sont logés ailleurs. Au poignet, :mark[une bande les maintient]{#f} comme une sangle. Au dos de la main, de petits ponts en relient certains. Fermez le poing, essayez de ne lever que l’annulaire, et vous sentirez ses voisins le retenir.

Ceux qui soignent les mains parlent de fonction avant de parler de beauté : pincer, saisir, sentir. Une chute sur la paume tendue peut briser un petit os à la base du pouce, le scaphoïde, et passer d’abord pour une entorse ; une douleur qui s’attarde à cet endroit mérite un examen. Je taille de nouveau mon crayon. Vingt-sept os se penchent pour m’aider.`,
    de: `Eine Hand zu zeichnen ist ein seltsames Geschäft: Modell und Werkzeug sind dasselbe. Während die linke den Stift hält, liegt die rechte auf dem Tisch und tut, als gehöre sie jemand anderem. Ich drehe die Lampe, bis das Licht von einer Seite kommt und die Knöchel sich erheben wie eine Hügelkette am Abend. Dann beginne ich dort, wo niemand hinsieht: am Handgelenk.

:mark[Acht kleine Knochen]{#c} drängen sich da wie Kiesel in einem Bach, in ungleichen Reihen, jede Fläche von der Nachbarin geglättet. Von ihnen fächern sich die :mark[fünf Mittelhandknochen]{#d} auf, und jenseits davon folgen die :mark[Fingerglieder]{#a}: drei an jedem Finger, :mark[zwei am Daumen]{#b}. Siebenundzwanzig sind es im Ganzen. Auf der Tafel sind die Schäfte quer schraffiert, mit kurzen, gebogenen Strichen, die sich um die Form legen, und vom Fleisch bleibt nur ein punktierter Umriss.

Über die Knochen laufen :mark[blaue Schnüre]{#e}: die Sehnen, welche die Finger strecken. Ihre Muskeln sitzen weit oben im Unterarm, und darum kann ein Finger so schlank und doch so kräftig sein, denn die Motoren sind anderswo untergebracht. Am Handgelenk :mark[hält ein Band sie nieder]{#f} wie ein Riemen. Auf dem Handrücken verbinden kleine Brücken einige von ihnen. Wer die Faust schließt und nur den Ringfinger zu heben versucht, spürt, wie die Nachbarn ihn festhalten.

Wer Hände behandelt, spricht von der Funktion, ehe er von der Schönheit spricht: vom Greifen mit spitzen Fingern, vom Zupacken, vom Tasten. Ein Sturz auf die ausgestreckte Hand kann einen kleinen Knochen am Ansatz des Daumens brechen, das Kahnbein, und zunächst für eine Verstauchung gehalten werden; ein Schmerz, der dort bleibt, sollte untersucht werden. Ich spitze den Stift von Neuem. Siebenundzwanzig Knochen beugen sich vor, um mir zu helfen.`,
  },
};
