import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PASSWORD_MIN_LENGTH } from '@fabrica/contract';

/**
 * The passwords that attackers try first, from the lists of zxcvbn-ts (MIT) and Django (BSD), and some that are common in
 * the journal's languages and on their keyboards. Those of ten and more characters are refused as they are; shorter ones
 * are words that stay guessable with something around them. A line each; read when the first password is chosen.
 */
const FILE = new URL('common-passwords.txt.gz', import.meta.url);
let listed: ReadonlySet<string> | undefined;

function readList(): ReadonlySet<string> {
  listed ??= new Set(gunzipSync(readFileSync(FILE)).toString('utf8').trim().split('\n'));
  return listed;
}

/** Returns whether the text, in lower case, is a common password. */
export function isCommonPassword(text: string): boolean {
  return text.length >= PASSWORD_MIN_LENGTH && readList().has(text);
}

/** Returns whether the text, in lower case, is a common word or password. */
export function isCommonWord(text: string): boolean {
  return ownWords.has(text) || readList().has(text);
}

/** Words that stay guessable with a year or an exclamation mark behind them. */
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
`
    .trim()
    .split(/\s+/),
);
