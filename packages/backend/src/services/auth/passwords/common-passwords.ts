import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PASSWORD_MIN_LENGTH } from '@fabrica/contract';

/**
 * The passwords that attackers try first, from the lists of zxcvbn-ts (MIT) and Django (BSD), and some that are common in
 * the journal's languages and on their keyboards. Those of ten and more characters are refused as they are; shorter ones
 * are words. A line each; read when the first password is chosen.
 */
const passwords = createList(new URL('common-passwords.txt.gz', import.meta.url));
/** The 600 most frequent words of English, German, Spanish and French each; behind an empty line, first names (zxcvbn-ts, MIT). */
const words = createList(new URL('frequent-words.txt.gz', import.meta.url));

function createList(file: URL): () => readonly ReadonlySet<string>[] {
  let lists: readonly ReadonlySet<string>[] | undefined;
  const read = () => gunzipSync(readFileSync(file)).toString('utf8').trim();
  return () => {
    lists ??= read()
      .split('\n\n')
      .map((list) => new Set(list.split('\n')));
    return lists;
  };
}

/** Returns whether the text, in lower case, is a common password. */
export function isCommonPassword(text: string): boolean {
  return text.length >= PASSWORD_MIN_LENGTH && passwords()[0]?.has(text) === true;
}

/** Returns whether the text, in lower case, is a word that is common in passwords. */
export function isCommonWord(text: string): boolean {
  return ownWords.has(text) || passwords()[0]?.has(text) === true;
}

/** Returns whether the text, in lower case, is one of the words of which most sentences consist. */
export function isFrequentWord(text: string): boolean {
  return words()[0]?.has(text) === true;
}

/** Returns whether the text, in lower case, is a common first name. */
export function isName(text: string): boolean {
  return words()[1]?.has(text) === true;
}

/** Words that stay guessable with a year or an exclamation mark behind them, and beginnings of short sentences. */
const ownWords: ReadonlySet<string> = new Set(
  `
password passwort passwd motdepasse contrasena contraseña senha parola parol wachtwoord qwerty qwertz
qwert azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx yxcvbnm acceptUser willkommen bienvenue bienvenido
bienvenidos benvenuto hello hallo bonjour hola salut admin administrator administrateur administrador root
user usuario guest login master secret geheim letmein changeme iloveyou teamo jetaime ichliebedich
princess princesa princesse prinzessin sunshine soleil sonnenschein dragon monkey football futbol fussball
baseball basketball superman batman spiderman starwars pokemon naruto minecraft shadow michael jordan
charlie thomas daniel jessica ashley nicole andrea alejandro sebastian alexander summer winter spring
autumn sommer herbst fruehling printemps automne hiver verano invierno primavera otono monday friday
january february october november december januar februar oktober dezember janvier octobre enero octubre
computer internet samsung google facebook testing test demo temp example chocolate schokolade chocolat
flower freedom whatever trustno liverpool arsenal chelsea barcelona realmadrid juventus schatz hund katze
doudou loulou chouchou amore amor fabrica journal gallery galerie galeria medicine medizin medecine
medicina anatomy anatomie anatomia doctor hospital
myname mynameis iam iamthe thisis ilove meinnameist ichheisse ichbin dasist ichliebe jemappelle jesuis cest jaime
mellamo minombrees yosoy soy estoes
`
    .trim()
    .split(/\s+/),
);
