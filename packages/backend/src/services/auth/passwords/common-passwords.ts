/**
 * Passwords of ten and more characters that attackers try first: from the frequency list of zxcvbn (Dropbox,
 * MIT), and others that are common in the journal's languages and on their keyboards.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
qwertyuiop 1234567890 q1w2e3r4t5 1q2w3e4r5t 4815162342 123456789a 12345qwert 1234554321 password123
123456789q 1029384756 123qweasdzxc soso123aljg manchester 1qaz2wsx3edc q1w2e3r4t5y6 1123581321 qwerty12345
1q2w3e4r5t6y mailcreated5240 nuttertools 1122334455 qazwsxedcrfv 123456qwerty 1234567890q terminator
qwerty123456 enterprise 123456789z poiuytrewq rjirfrgbde fktrcfylhf polniypizdec0211 sojdlg123aljg
a123456789 translator qwerty1234 undertaker multiplelo motherlode rjycnfynby syncmaster aleksandra
salamander montgom240 sersolution leavemealone realmadrid tinkerbell 123456654321 dragonball playstation
ghostrider 1234567890a 1357924680 7ugd5hip2j gfhjkmgfhjkm 9293709b13 microphone 1234567891 vsjasnel12
yjdsqgfhjkm qazwsxedc123 strawberry anastasiya zxcvbnm123 harrypotter mypassword password12 qwert12345
abrakadabra alessandro 123456789s good123654 7894561230 konstantin highlander ghjcnjgfhjkm tokiohotel
sonyericsson evangelion zxcasdqwe123 liverpool1 pufunga7782 hellokitty ironmaiden ghhh47hj7649 roadrunner
htubcnhfwbz 12345qwerty 123456789m vqsablpzla skateboard q123456789 friendster 123456789d vfntvfnbrf
0192837465 alexander1 nthvbyfnjh azertyuiop 123456789qwe 1qazxsw23edc password01 1234567899 1234509876
password99 madagaskar dragonballz abracadabra rfhfvtkmrf ronaldinho supersonic ghjcnbnenrf qwerasdfzxcv
greedisgood qweasdzxc123 cheerleaers metallica1 flvbybcnhfnjh 123456789r nopassword 123456789987654321
blackberry 1020304050 112233445566 z1x2c3v4b5 mastermind 1357908642 123456789v q1q2q3q4q5 finalfantasy
ghbdtnrfrltkf 1z2x3c4v5b spiderman1 0987654321q websolutions 1234567890z 123456789o losangeles a1b2c3d4e5
987654321a christophe wachtwoord chickenwing101 1qaz2wsx3edc4rfv a1s2d3f4g5 3rjs1la7qe quant4307s
password11 ghbdtndctv groupd2013 vflfufcrfh babemagnet lamborghini justinbieber lockerroom casablanca
armageddon evanescence qawsedrftg 1a2s3d4f5g qazwsxedc1 comicbookdb motdepasse braveheart porsche911
newproject2004 j3qq4h7h2v 1213141516 yfnfitymrf 123456789p maximilian needforspeed devilmaycry shevchenko
montecarlo 123456789l businessbabe zxcvb12345 1a2b3c4d5e charlie123 123456789123 callofduty volkswagen
0000000000o spartan117 maurolarastefy pathfinder asdfg12345 watermelon astalavista summertime
domainlock2005 dhjnvytyjub 987654321q pokemon123 cxfcnkbdfz 123456789k dkflbvbhjdbx 17171717aa
hd764nw5d7e1vb1 deutschland aleksander qazwsxedcrfvtgb darthvader lifeisgood 123hfjdk147 a1a2a3a4a5
8phrowz622 5hsu75kpot badnaamhere 0102030405 dkflbvbhjdyf bondarenko mostwanted 3216732167 8phrowz624
mapet123456 opensesame goldfinger limpbizkit thunderbird postov1000 counterstrike solidsnake zcxfcnkbdf
gy3yt2rgls bladerunner chocolate1 jediknight zaq1xsw2cde3 1a2a3a4a5a vfvfvskfhfve angelofwar ghjcnjghjcnj
q1234567890 fkmnthyfnbdf hondacivic welcome123 ctdfcnjgjkm 123456789abc 123456789n admin18533362
salamandra smallville 23176djivanfros 123456789qwerty qazxswedcvfr ilovemyself galatasaray qwertyasdfgh
cyberonline cvzefh1gkc qwertasdfg azsxdcfvgb blingbling prettygirl sailormoon jesuschrist darkknight
1111111111zz 1q2q3q4q5q oc247ngucz psychnaut1 whosyourdaddy 1223334444 123456789w parolparol astonvilla
123123123q fktrcfylhjdyf fktrcfylhjdbx 123456789qaz 1234qwerty cnjvfnjkju mickeymouse password69
trustnoone t34vfrc1991 541233432442 fgjrfkbgcbc 4904s677075 1111122222 12345trewq 0147896325
12345678900987654321 dashadasha bestfriend fartripper password1234 qpwoeiruty ghbdtnghbdtn painkiller
firefighter 010203040506 lost4815162342 birthday21 12345zxcvb webhompass venom121293 neveragain moneymaker
cxfcnmttcnm 102030405060 vanyarespekt 123456789g 1234567890s testing123 slipknot666 letmeinnow hellraiser
dbrnjhjdbx rhbcnbyjxrf combat123654 vyjujnjxbt quicksilver depechemode qweasdzxc1 123456789x
qwerty123456789 zaratustra devilmaycry4 matematika devildriver efbcapa201 iseedeadpeople 89231243658s
helloworld 123456789qqq jamesbond007 rkfdbfnehf iddqdidkfa ledzeppelin passmaster 123123123a a987654321
4815162342lost 999111999q superduper 123123qweqwe rfnfcnhjaf 123456789t 123456789b qq123456789
qwertyytrewq 1112131415 3141592654 1234567890qw 1pass1page asdfghjkl1 1234qwerasdf 123qwe456rty goodfellas
3syqo15hil asdfghjkl123 computador elizabeth1 m6cjy69u35 ghjcnjrdfibyj ybrjkftdbx kamehameha 989244342a
zx123456789 hellothere 1357997531 1122112211 qwertyuiop123 saun24865709 deerhunter 123456789f clubpenguin
primetime21 q1w2e3r4t5y6u7 birthday54 111222333a desperados apokalipsis fenerbahce rfnfgekmnf qwertyuiop1
80070633pc jetbalance 1qa2ws3ed4rf juggernaut 123456789qw puertorico 123456789zxc password13 amsterdam1
rfkmrekznjh luojianhua samsung123 polniypizdec110211 azwebitalia newpassword z123456789 wishmaster
dbrnjhjdyf ptybnxtvgbjy contraseña contrasena1 contrasena123 bienvenido1 teamomucho tequieromucho
barcelona1 argentina1 motdepasse1 motdepasse123 azertyuiop123 azerty123456 bonjour123 jetaimetoi
marseille13 doudou1234 passwort12 passwort123 hallo12345 schalke04bvb ichliebedich schatz1234 qwertzuiop
qwertz1234 qwertz123456 qwertzuiop123 correcthorsebatterystaple administrator letmein123 changeme123
iloveyou12 iloveyou123 iloveyouforever welcome1234 passw0rd123 p@ssw0rd123 qwerty12345678 1q2w3e4r5t6y7u8i
1q2w3e4r5t6y7u8i9o0p zaq12wsxcde3 1qaz2wsx3edc4rfv5tgb 147258369147 159357159357 741852963741 9876543210
asdfghjkl; zxcvbnm,./ qwertyuiop[] minecraft1 pokemon1234
`
    .trim()
    .split(/\s+/),
);

/** Words that stay guessable with a year or an exclamation mark behind them. */
export const commonWords: ReadonlySet<string> = new Set(
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
