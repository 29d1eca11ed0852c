import type { DemoPost } from '../demo-post.ts';

export const heartCoronaries: DemoPost = {
  slug: 'heart-coronaries',
  artwork: 'heart-coronaries.webp',
  author: 'mara',
  daysAgo: 2,
  title: {
    en: 'The crown around the heart',
    es: 'La corona del corazón',
    fr: 'Une couronne pour le cœur',
    de: 'Der Kranz ums Herz',
  },
  content: {
    en: `A heart on paper is always still. That is the first fiction of the plate, and a merciful one: only because the engraver has stopped it can we take our time. The light comes from one side; the hatching thickens where the muscle turns away into shadow. Then the one strong colour of the sheet catches the eye: a branching red line, laid over the dark muscle like ivy over a wall.

These are the coronary arteries, named after the crown they seem to form around the heart. They are the first branches of the aorta. The right one follows the groove between atrium and ventricle. The left one soon divides: one branch curves round towards the back, the other runs down the front to the apex.

An organ full of blood needs vessels of its own, because its walls are far too thick to drink from the chambers; they are supplied from outside, by twigs that dive inwards from the surface. And the muscle has to wait its turn. As the left ventricle contracts, it squeezes its own small vessels, so most of its blood arrives in the pause between two beats. The heart feeds while it rests.

When one of these lines narrows, climbing the stairs may bring pressure or breathlessness; sometimes there is no warning at all. When one closes suddenly, minutes matter: chest pain that comes and will not go is a reason to call an ambulance, not to wait. Follow a branch to its fine end and you see why, for there are few neighbours ready to take over. Then lay your hand on your own chest. There it is, the part no engraver could draw.`,
    es: `En el papel, el corazón siempre está quieto. Es la primera ficción de la lámina, y una ficción piadosa: solo porque el grabador lo ha detenido podemos mirarlo sin prisa. La luz llega de un lado; el rayado se espesa allí donde el músculo se vuelve hacia la sombra. Entonces aparece el único color intenso de la hoja: una línea roja que se ramifica sobre el músculo oscuro como la hiedra sobre un muro.

Son las arterias coronarias, llamadas así por la corona que parecen ceñir en torno al corazón. Son las primeras ramas de la aorta. La derecha sigue el surco entre la aurícula y el ventrículo. La izquierda se divide enseguida: una rama rodea el corazón hacia atrás y la otra desciende por delante hasta la punta.

Un órgano lleno de sangre necesita vasos propios porque sus paredes son demasiado gruesas para beber de las cavidades: se nutren desde fuera, por ramitas que se hunden desde la superficie. Y el músculo tiene que esperar su turno. Al contraerse, el ventrículo izquierdo comprime sus propios vasos pequeños, de modo que la mayor parte de su sangre llega en la pausa entre dos latidos. El corazón se alimenta mientras descansa.

Cuando una de estas líneas se estrecha, subir una escalera puede traer opresión o falta de aire; a veces no hay ningún aviso. Cuando una se cierra de golpe, cada minuto cuenta: ante un dolor de pecho que aparece y no cede hay que llamar a emergencias, no esperar. Basta seguir una rama hasta su extremo más fino para entenderlo: hay pocas vecinas dispuestas a reemplazarla. Después, ponga la mano sobre su propio pecho. Ahí está lo que ningún grabador pudo dibujar.`,
    fr: `Sur le papier, un cœur est toujours immobile. C’est la première fiction de la planche, et elle est charitable : il a fallu que le graveur l’arrête pour que nous puissions prendre notre temps. La lumière vient d’un seul côté ; les hachures se resserrent là où le muscle se détourne vers l’ombre. Puis vient la seule couleur vive de la feuille : une ligne rouge qui se ramifie sur le muscle sombre, tel un lierre.

Ce sont les artères coronaires, qui doivent leur nom à la couronne qu’elles semblent poser autour du cœur. Elles sont les premières branches de l’aorte. La droite suit le sillon qui sépare l’oreillette du ventricule. La gauche se divise bientôt : une branche contourne le cœur vers l’arrière, l’autre descend sur sa face antérieure jusqu’à la pointe.

Cet organe rempli de sang a besoin de vaisseaux à lui, car ses parois sont bien trop épaisses pour boire à même les cavités : elles sont nourries du dehors, par des rameaux qui plongent depuis la surface. Encore le muscle doit-il attendre son tour. En se contractant, le ventricule gauche comprime ses propres petits vaisseaux ; l’essentiel de son sang lui parvient donc dans la pause entre deux battements. Le cœur se nourrit pendant qu’il se repose.

Quand l’une de ces lignes se rétrécit, un escalier peut suffire à serrer la poitrine ou à couper le souffle ; parfois, rien ne prévient. Quand l’une d’elles se ferme d’un coup, les minutes comptent : devant une douleur thoracique qui ne cède pas, on appelle aussitôt les secours. Suivez une branche jusqu’à sa fine extrémité, et vous comprendrez : peu de voisines sont prêtes à prendre le relais. Posez ensuite la main sur votre poitrine. Voilà ce qu’aucun graveur n’a pu dessiner.`,
    de: `Auf Papier steht das Herz immer still. Das ist die erste Erfindung der Tafel, und eine gnädige: Nur weil der Stecher es angehalten hat, dürfen wir uns Zeit lassen. Das Licht kommt von einer Seite; wo der Muskel sich in den Schatten wendet, verdichten sich die Schraffuren. Dann erst fällt die einzige kräftige Farbe des Blattes ins Auge: eine rote, sich verzweigende Linie, die den dunklen Muskel überzieht wie Efeu eine Mauer.

Es sind die Herzkranzgefäße, so genannt nach dem Kranz, den sie um das Herz zu legen scheinen. Sie sind die ersten Äste der Aorta. Die rechte Kranzarterie folgt der Furche zwischen Vorhof und Kammer. Die linke teilt sich bald: Ein Ast biegt nach hinten, der andere läuft über die Vorderseite hinab zur Spitze.

Auch ein Organ voller Blut braucht eigene Gefäße, denn seine Wände sind viel zu dick, um aus den Kammern zu trinken; sie werden von außen versorgt, durch Zweige, die von der Oberfläche in die Tiefe tauchen. Und der Muskel muss warten, bis er an der Reihe ist. Wenn die linke Kammer schlägt, presst sie ihre eigenen kleinen Gefäße zusammen, und das meiste Blut erreicht sie in der Pause zwischen zwei Schlägen. Das Herz nährt sich, während es ruht.

Wird eine dieser Linien eng, kann schon eine Treppe Druck auf der Brust oder Atemnot bringen; manchmal warnt gar nichts. Verschließt sich eine plötzlich, zählt jede Minute: Ein Brustschmerz, der kommt und nicht weicht, ist ein Grund, den Notruf zu wählen, nicht abzuwarten. Wer einen Ast bis in sein feines Ende verfolgt, versteht, warum: Kaum ein Nachbar steht bereit, um einzuspringen. Legen Sie danach die Hand auf die eigene Brust. Dort ist, was kein Stecher zeichnen konnte.`,
  },
};
