import type { Language } from '../findings.ts';
import type { Token } from '../reading/tokens.ts';

/**
 * Closed groups of words of which a text says one and not another: a translation that loses one and gains another contradicts its
 * source. A row for each member: its group and its words in English, Spanish, French and German. Groups are told by the word before
 * the point. `increas*` are all words with this beginning, `*frei` with this end; `_` joins phrases;
 * capitals are abbreviations, which count in capitals or with dots: "im" is a German word. What stands behind a question
 * mark may mean the member, so that it excuses; alone it says too little. Rows of `none` are phrases that say nothing of a group.
 */
const TABLE = `
none | no_longer no_more_than more_or_less at_least at_most at_last left_over have_left right_away all_right fall_asleep follow_up as_well_as last_resort so_far first_aid early_on before_long time_after_time short_of shortly stage_iv grade_iv class_iv type_iv phase_iv hypothes* hypothet* | más_o_menos más_adelante más_tarde sin_embargo por_lo_menos al_menos a_la_vez hipótesis luego_de tarde_o_temprano de_acuerdo_con sin_duda a_lo_largo por_lo_tanto sobre_todo primeros_auxilios estadio_iv grado_iv clase_iv tipo_iv fase_iv hipotec* hipotét* | plus_tard plus_tôt au_moins du_moins avant_tout bien_sûr hypothè* hypothé* tout_de_suite tout_à_fait en_effet droit_à tout_au_plus sans_doute premiers_secours tout_au_long de_plus en_plus au_cours après_tout il_y_a stade_iv grade_iv classe_iv type_iv phase_iv | vor_allem nach_wie_vor vor_ort nach_hause je_nach nach_oben nach_unten nach_maßgabe nach_bedarf nach_möglichkeit nach_links nach_rechts nach_außen nach_innen mehr_oder_weniger vor_kurzem erste_hilfe so_lange solange kurz_vor kurz_nach ab_dem nach_angaben nach_art allein* stadium_iv grad_iv klasse_iv typ_iv phase_iv hypothes* hypothet* hypothek*
route.oral | oral orally by_mouth ?mouth ?swallow* PO ?os ?ingest* ?tablet* ?capsul* ?drink* ?take* | oral* por_boca por_la_boca vía_oral ?boca ?trag* ?inger* ?comprimid* ?cápsul* ?beb* ?tom* PO | oral* oraux voie_orale per_os ?bouche ?aval* ?inger* ?ingér* ?comprimé* ?gélul* ?buccal* ?boi* ?pren* PO | oral* peroral* ?mund ?geschluckt ?schluck* ?tablett* ?kapsel* ?trink* PO ?einnehm* ?einzunehm* ?eingenomm* ?einnahm*
route.intravenous | intraven* into_a_vein into_the_vein IV ?infus* ?vein* ?drip | intraven* endoven* en_una_vena IV ?infus* ?perfus* ?vena | intravein* dans_une_veine IV ?perfus* ?veine | intraven* in_eine_vene IV ?infus* ?infund* ?vene* ?venös*
route.intramuscular | intramuscular* IM ?muscle | intramuscular* IM ?músculo | intramuscul* IM ?muscle | intramuskul* IM ?muskel*
route.subcutaneous | subcutan* under_the_skin SC ?skin ?hypoderm* | subcut* bajo_la_piel debajo_de_la_piel SC ?piel ?hipoderm* | sous_cutan* sous_la_peau SC ?peau ?cutané* | subkutan* unter_die_haut SC ?haut
route.intradermal | intraderm* intracutan* ?skin | intradérm* intraderm* ?piel ?cután* | intraderm* ?peau | intraderm* intrakutan* ?haut
route.sublingual | sublingual* under_the_tongue ?tongue | sublingual* bajo_la_lengua debajo_de_la_lengua ?lengua | subling* sous_la_langue ?langue | sublingual* unter_der_zunge unter_die_zunge ?zunge*
route.rectal | rectal* ?rectum ?suppos* ?anus ?enema* | rectal* ?recto ?supos* ?enema* ?ano | rectal* rectau* ?rectum ?suppos* ?anus ?lavement* | rektal* ?zäpfchen ?enddarm ?after ?einlauf
route.vaginal | vagin* intravaginal* | vagin* intravaginal* | vagin* intravaginal* | vagin* intravaginal* ?scheide*
route.inhaled | inhal* ?breath* ?nebul* ?aerosol* | inhal* ?inspir* ?aerosol* ?nebul* | inhal* ?inspir* ?aérosol* ?nébul* | inhal* ?einatm* ?aerosol* ?vernebel*
route.nasal | nasal* intranasal* ?nose ?nostril* | nasal* intranasal* ?nariz ?narina* ?fosa* | nasal* intranasal* ?nez ?narine* | nasal* intranasal* ?nase ?nasen*
route.transdermal | transderm* ?patch* ?skin | transdérm* transderm* ?parche* ?piel | transderm* ?patch* ?peau | transderm* ?pflaster* ?haut
route.topical | topical* ?local* ?external* ?skin ?cutan* ?cream ?ointment | tópic* ?local* ?extern* ?piel ?cután* ?crema ?pomada | topique* ?loca* ?extern* ?peau ?cutan* ?crème ?pommade | topisch* ?lokal* ?äußerlich* ?haut ?kutan* ?creme ?salbe
route.intrathecal | intrathecal* ?lumb* ?spinal* | intratecal* ?lumb* ?espinal* ?raquí* | intrathéc* intrarachid* ?lomb* ?rachi* | intrathekal* ?lumbal* ?spinal*
route.epidural | epidural* peridural* | epidural* peridural* | péridural* épidural* | epidural* peridural*
route.intraarticular | intraarticular* intra_articular* ?joint* | intraarticular* ?articula* | intraarticul* intra_articul* ?articul* | intraartikul* ?gelenk*
risk.safe | safe safely harmless ?secure* ?tolerat* ?without_risk ?not | segur[oa]* ?inocu* ?sin ?inofens* ?no | sûr sûre* ?sans ?inoffens* ?pas ?sécurité | ungefährlich* gefahrlos* sicher* ?unbedenklich* ?harmlos* ?nicht* ?ohne ?keine*
risk.dangerous | dangerous* unsafe hazardous ?harm* ?risk* ?danger* | peligros* ?riesgo* ?peligro* ?arriesg* | dangereu* ?risqu* ?danger* | gefährlich* ?gefahr* ?riskant* ?risik*
able.can | ?can ?could able capable ?may ?manag* ?possib* | ?pued* ?pod* capaz* capaces ?logr* ?consig* ?posib* | ?peu* ?pouv* ?pu capable* ?parv* ?possib* ?arriv* ?réuss* | ?kann* ?konn* ?könn* fähig* ?vermag ?imstande ?möglich*
able.cannot | unable incapable impossible ?cannot ?not ?fail* ?no ?inab* | incapaz* imposib* ?no ?incapac* ?sin | incapable* impossib* ?pas ?ne ?incapac* ?sans | unfähig* unmöglich* ?nicht* ?kein* ?ohne
permit.allowed | permitted permits allowed authorised authorized legal* ?allow* ?permi* ?may ?approv* ?licen* | permitid* autoriz* legal* ?permi* ?pued* ?aprob* | permis autoris* légal* ?permet* ?peu* ?autor* | erlaubt* gestatte* zugelass* genehmigt* legal* ?darf ?dürf* ?erlaub* ?möglich*
permit.forbidden | forbidden prohibit* banned illegal* ?not ?forb* ?no ?never | prohib* prohíb* ilegal* ?no ?nunca | interdi* prohib* illégal* ?pas ?défend* ?jamais | verboten* verbot* verbiet* untersagt* illegal* ?nicht ?kein* ?darf ?nie*
will.accept | accepted accepts accept agreed consented ?agree* ?approv* ?took ?want* ?welcom* | acept* acced* consint* ?quis* ?aprob* ?consent* ?acog* | accept* consent* ?approuv* ?voul* ?accueil* | akzeptier* angenomm* zugestimmt* stimmte* ?annahm* ?willig* ?an ?zu ?nahm*
will.refuse | refused refuse refuses reject* declined ?declin* ?not ?turn* ?object* ?deni* | rechaz* rehus* negó negaron ?no ?neg* | refus* rejet* ?pas ?déclin* ?oppos* | ablehn* abgelehnt* lehnt* lehnen verweiger* ?nicht ?weiger* ?wies*
then.then | then followed subsequently afterwards switch* | después luego posteriormente seguid* continuación | puis ensuite suivi* relais | dann danach anschließend gefolgt umgestellt umstellung später
order.before | before prior preoperativ* beforehand ?pre ?ago ?previous* ?ahead ?earlier ?in_advance | antes previ* preoperat* ?con_antelación ?ante ?antelación ?anticip* anterior_a anterior_al día_anterior | avant préalable* auparavant préopérat* ?précéd* ?antérieur* ?au_préalable ?devant ?devanc* veille | vor bevor vorher zuvor ehe präoperativ* ?vorig* ?früher ?voraus* ?vorab ?vorherig* ?davor ?vorangeh* ?vorange* ?vorn* ?vorab vortag* vorabend*
order.after | after afterwards thereafter postoperativ* following ?post ?since ?later ?subsequent* ?upon ?behind | después tras posterior* postoperat* luego ?más_tarde ?detrás ?al_cabo ?pos* ?y_luego ?pasad* siguiente_a siguiente_al día_siguiente | après ensuite postopérat* ?suivant* ?plus_tard ?depuis ?puis ?post* ?derrière ?ultérieur* ?passé* lendemain | nach danach nachdem postoperativ* anschließend* nachher ?seit ?später* ?folgend* ?hinter ?darauf* ?hierauf ?sobald ?post* ?im_anschluss ?ablauf ?vergangen* folgetag*
side.left | left ?sinistral ?port | izquierd* ?zurd* | gauche* | link* linksseit* linksherz* ?*links
side.right | right ?dextr* ?starboard ?rightly ?rights ?correct* ?just ?direct* | derech* ?diestr* | droit* | recht* rechtsseit* rechtsherz* ?*rechts
level.upper | upper uppermost ?top ?arm ?arms ?thigh ?thighs ?superior ?above ?high* | superior* ?brazo* ?muslo* ?alt* ?arriba ?encima | supérieur* ?bras ?cuisse* ?haut* ?dessus | ober* obig* ?arm* ?hoh*
level.lower | lower lowermost ?bottom ?forearm ?forearms ?calf ?leg ?legs ?inferior ?below ?beneath ?under* ?pelvic ?base ?reduce* ?smaller ?less ?minimum | inferior* ?antebrazo* ?pantorrilla* ?piern* ?baj* ?abajo ?debajo ?pélvic* ?base ?menor* ?mínim* | inférieur* ?jambe* ?avant_bras ?mollet* ?bas ?basse* ?dessous ?sous ?pelvi* ?base ?moindre* ?minim* | untere* unterarm* unterschenkel* unterlid* unterbauch* unterkiefer* unterlipp* unterkörper* ?unter* ?niedrig* ?gering* ?klein*
place.above | above ?over ?on_top ?upwards ?higher | encima arriba ?por_encima ?superior* | dessus ?haut* ?supérieur* | oberhalb darüber ?oben ?ober*
place.below | below beneath underneath ?under ?lower ?downwards | debajo abajo ?inferior* | dessous ?bas ?inférieur* | unterhalb darunter ?unten
face.front | anterior* ventral* frontal* ?front ?forward ?ahead ?before | anterior* ventral* frontal* delanter* ?delante ?frente ?adelante ?previ* | antérieur* ventral* frontal* ?avant ?devant ?face | vorder* ventral* frontal* anterior* ?vorn* ?vor*
face.back | posterior* dorsal* rear ?back ?backward* ?behind ?hind | dorsal* traser* ?posterior* ?detrás ?atrás ?espalda ?dors* | postérieur* dorsa* ?arrière ?derrière ?dos | hinter* dorsal* posterior* ?rück*
reach.inside | inside inner internal* indoor* ?in ?within ?into ?inward* | dentro intern* interior* ?en ?adentro | intérieur* dedans interne* ?dans ?en | innere* innen* drinnen intern* ?in ?inner* 
reach.outside | outside outer external* outdoor* ?out ?outward* ?off | fuera extern* exterior* ?afuera ?libre | extérieur* dehors externe* ?hors | äußere* außen* draußen extern* außerhalb ?aus* ?äußer* ?freien
body.proximal | proximal* | proximal* | proximal* proximaux | proximal* ?körpernah*
body.distal | distal* | distal* | distal* distaux | distal* ?körperfern*
axis.medial | medial* ?inner ?middle | medial* ?intern* | médial* ?intern* | medial* ?innen*
axis.lateral | lateral* ?outer ?side* | lateral* ?extern* ?lado* | latéral* ?extern* | lateral* ?seit* ?außen*
phase.systolic | systol* | sistól* | systol* | systol* ?oberer
phase.diastolic | diastol* | diastól* | diastol* | diastol* ?unterer
vessel.artery | arter* | arter* | artér* artèr* | arteri* schlagader* pulsader*
vessel.vein | vein* ven*_thrombosis venous ?intravenous* ?iv | ven[ao]* ?intraven* ?endoven* | vein* ?intravein* | vene* venö* ?intraven*
daytime.morning | morning* ?breakfast* ?am ?dawn ?wak* ?early | mañana* matutin* ?desayun* ?am ?madrugad* ?amanec* ?despert* ?levant* | matin* ?petit_déjeuner ?réveil ?lever ?aube ?matinal* | morgens morgendlich* morgen vormittag* ?morgen* ?früh* ?frühstück* ?aufwach* ?aufsteh*
daytime.noon | noon midday ?lunch* | mediodía ?almuerz* ?comida ?comer | midi ?déjeuner ?repas | mittag* mittags
daytime.evening | evening* night* bedtime nocturnal* overnight nocturnal ?dinner ?supper ?afternoon* ?pm ?tonight ?dark* ?sleep* ?bed | noche* nocturn* ?cena* ?tarde* ?pm ?acostar* ?atardec* ?dorm* ?anoche ?oscur* | soir* nuit* nocturne* ?dîner ?après_midi ?coucher ?soupe* | abend* nacht* nächt* abends ?schlaf* ?nachmittag* ?zubettgeh* ?bett*
meal.breakfast | breakfast* | desayun* | petit_déjeuner ?matin | frühstück*
meal.lunch | lunch* ?noon ?midday | almuerz* ?mediodía ?comida ?comer | déjeuner* ?midi ?repas | mittagess* ?mittag*
meal.dinner | dinner* supper* ?evening ?meal* ?eat* | cena* ?noche ?comida* | dîner* souper* ?soir ?repas | abendess* abendbrot* ?abend* ?essen ?mahl*
weekday.monday | monday* | lunes | lundi* | montag*
weekday.tuesday | tuesday* | martes | mardi* | dienstag*
weekday.wednesday | wednesday* | miércoles | mercredi* | mittwoch*
weekday.thursday | thursday* | jueves | jeudi* | donnerstag*
weekday.friday | friday* | viernes | vendredi* | freitag*
weekday.saturday | saturday* | sábado* | samedi* | samstag* sonnabend*
weekday.sunday | sunday* | domingo* | dimanche* | sonntag*
season.spring | spring springtime | primaver* | printemps printan* | frühling* frühjahr*
season.summer | summer* | verano* ?estival* | ?été estiv* ?étés | sommer*
season.autumn | autumn* ?fall | otoño* otoñal* | automn* | herbst*
season.winter | winter* | inviern* invernal* | hiver* | winter*
compass.north | north* | nort* septentr* | nord* septentr* | nord*
compass.south | south* | sur ?sud* ?meridional* | sud* ?méridional* ?midi | süd*
compass.east | east eastern eastward* easterly | ?este oriental* | ?est oriental* | osten östlich* ost ?ost*
compass.west | west western westward* westerly | oeste occidental* | ouest occidental* | westen westlich* west ?west*
when.yesterday | yesterday | ayer ?anoche | hier | gestern
when.tomorrow | tomorrow | ?mañana | demain ?lendemain | ?morgen
change.up | increas* raise* raising rise* rising rose higher elevat* escalat* gain* grow* growth grew climb* heighten* ?exceed* ?greater ?doubl* ?tripl* ?widen* ?improv* ?expan* ?larger ?rais* ?went ?upward* ?build* ?step* ?swell* ?titrat* ?surpass* ?multipl* ?stronger | aument* increment* subi* sube* subid* suba* elev* crec* ascend* ascens* ?sobre* ?acrecent* ?ampli* ?superior* ?intensific* ?encarec* ?alz* ?agrand* ?ganó ?multiplic* ?duplic* ?triplic* ?alarg* ?prolong* | augment* accroît* accru* accroiss* élev* hauss* croiss* croît* relèv* relev* ?mont* ?supérieur* ?grimp* ?gain* ?gagn* ?élèv* ?majoré* ?major* ?gonfl* ?doubl* ?multipl* ?prolong* ?renforc* | erhöh* steig* gestieg* stieg* zunahm* zunehm* zugenomm* zunimmt nimmt_zu anstieg* anstei* vermehr* wuchs gewachs* hochdosier* ?höh* ?aufdos* ?anheb* ?angehob* ?ausgeb* ?verstärk* ?gewinn* ?gesteiger* ?verdoppel* ?verläng* zunäch* wächst wachsen* wachst*
change.down | decreas* reduc* lowering lowered lowers declin* diminish* dwindl* shrink* shrank fell falls dropped lessen* wane* ?fewer ?cut* ?fall* ?drop* ?down* ?taper* ?curb* ?reliev* ?eas* ?hypo* ?loss* ?shorten* ?lower* ?mitigat* ?brought ?bring* ?attenuat* ?deplet* ?halv* ?antipyr* ?drops ?low ?lowest | dismin* reduc* reduj* baja* bajó bajar* descen* rebaj* mengu* decrec* disminuy* merm* ?menor* ?men* ?inferior* ?atenu* ?hipo* ?recort* ?aliv* ?acort* ?moder* ?hund* ?retir* ?caí* ?cae ?descend* ?debilit* | diminu* réduc* rédui* baiss* abaiss* chut* recul* régress* décroiss* décrû* ?moindre* ?inférieur* ?faible* ?tomb* ?décl* ?allég* ?descen* ?atténu* ?hypo* ?raccourc* ?amoindr* ?soulag* ?ralent* ?amincir* | senk* gesenkt reduzier* reduktion* verringer* verminder* abnahm* abnehm* abgenomm* sank sinken* sinkt gesunken rückgang* rückläufig* herabgesetzt* herabsetz* minder* verkleiner* ?fiel* ?fallen* ?gefallen ?fällt ?gering* ?weniger ?abfall* ?kürz* ?gekürzt ?linder* ?schwäch* ?nachlass* ?hypo* ?herunter* ?abgesenkt ?dosisreduktion ?drossel* ?dämpf* ?abschwäch* ?ausdünn* ?halbier* ?abgeschwächt* ?verkürz* ?schwind* ?einbuß* ?bremst ?brems* ?drück* ?sinkend*
dose.hyper | hyper* ?high* ?excess* ?too_much ?elevated ?raised overactiv* | hiper* ?alt* ?exces* ?elevad* ?aument* | hyper* ?haut* ?excès ?excess* ?élevé* ?trop | hyper* ?hoch* ?hoh* ?bluthochdruck* ?erhöht* überfunktion* ?überhöh* ?überdos*
dose.hypo | hypo* ?low* ?lack* ?too_little ?deficien* underactiv* | hipo* ?baj* ?insufic* ?déficit ?falta ?deficien* | hypo* ?bas ?basse* ?insuff* ?faible* ?déficien* ?carence* ?manque | hypo* ?niedrig* ?mangel* ?nieder* ?erniedrigt* unterfunktion* ?unterzuck* ?unterkühl* ?unterdruck*
rate.tachy | tachy* ?fast* ?rapid* ?quick* ?rac* | taqui* ?rápid* ?aceler* | tachy* ?rapide* ?accélér* | tachy* ?schnell* ?herzras* ?beschleunig* ?rasch*
rate.brady | brady* ?slow* | bradi* ?lent* | brady* ?lent* ?ralent* | brady* ?langsam* ?verlangsam*
run.start | start* begin* began begun commenc* initiat* resum* restart* ?introduc* ?launch* ?onset ?initial* ?institut* ?trigger* ?switch* ?induc* | inici* comenz* comienz* comenc* empez* empiez* empec* reanud* reinici* ?principi* ?instaur* ?introdu* ?emprend* ?arranc* ?abr* ?establec* ?puest* ?induc* ?lanz* ?aparici* ?volv* ?vuelv* ?encend* ?retom* ?echar* | commenc* débu* initi* repren* repris* redémarr* démarr* ?entrep* ?instaur* ?introd* ?lanc* ?entam* ?ouvr* ?amorc* ?induc* ?indui* ?appar* ?allum* ?instit* ?repri* ?déclench* | beginn* begann* begonn* start* gestart* anfang* anfäng* wiederaufnahm* einleit* eingeleit* begänn* beginnt ?anzufangen ?angefang* ?fing* ?ansetz* ?angesetzt ?aufnahm* ?aufgenomm* ?eröffn* ?einführ* ?aufnehm* ?anlauf* ?einsetz* ?auslös* ?auf*
run.stop | stop* discontinu* ceas* cessation terminat* withdraw* withdrew withdrawal paus* interrupt* abort* quit* ?end* ?finish* ?withh* ?suspend* ?halt* ?break* ?drop* ?give_up ?cancel* ?complet* ?avoid* ?remov* ?hold ?close* ?refrain* ?abstin* ?abstain* ?arrest* ?lapse* ?no_longer ?gave ?abandon* ?conclu* ?switch* ?cut* ?shut* ?final* ?standstill ?prevent* ?block* | suspend* suspens* interrump* interrup* finaliz* cese* cesa* detien* detener* deten* ?det* ?dej* ?par* ?fin* ?retir* ?abandon* ?acab* ?termin* ?conclu* ?concluy* ?evit* ?cerr* ?cierr* ?abst* ?discont* ?ceso ?elimin* ?complet* ?apag* ?cort* ?anul* ?cancel* ?imped* ?bloq* ?abandon* | arrêt* interromp* interruption* suspend* suspens* cess* stopp* ?fin* ?termin* ?mettre_fin ?mis_fin ?abandon* ?sevr* ?achev* ?quitt* ?évit* ?retir* ?conclu* ?laiss* ?ferm* ?abst* ?discont* ?pause* ?retrait ?annul* ?éteign* ?éteind* ?bout ?issue ?termes ?terme ?empêch* ?bloq* ?enlev* | absetz* abgesetzt abbruch* abbrech* abgebroch* bricht_ab beend* stopp* gestoppt unterbrech* unterbroch* unterbrich* pausier* absetzung ?aufhör* ?aufgehört ?einstell* ?eingestellt ?pause* ?end* ?verzicht* ?verlass* ?aussetz* ?ausgesetzt ?aufgegeb* ?schluss ?weglass* ?entfern* ?vermeid* ?schließ* ?geschloss* ?enthalt* ?abstinenz* ?entzug* ?letzt* ?auslass* ?aufgab* ?abschl* ?abgeschl* ?vollend* ?ausschalt* ?ausgeschaltet ?ruh* ?rauchstopp ?entfällt ?verhinder* ?unterbind* ?ablauf* ?abgelauf* ?eingestell* ?einstell*
help.with | ?with ?and ?plus ?using ?by ?on ?in ?of ?including ?has ?have ?had ?having ?together | ?con ?y ?más ?en ?de ?incluid* ?tien* ?ten* ?junto ?presenta* ?mediante | ?avec ?et ?plus ?à ?sous ?de ?en ?d ?au ?aux ?sur ?par ?ayant ?chez ?atteint* ?ont ?a | ?mit ?und ?samt ?bei ?inklusive ?in ?auf ?zu ?unter ?haben ?hat ?hatten ?an ?durch ?von
help.without | without ?free ?*less ?no ?not ?non ?lack* ?absence ?neither ?nor ?never ?t ?exclud* ?except* ?outside ?absent ?rather ?instead ?cannot ?avoid* ?any ?missing ?unaccompanied ?dry ?regardless ?but ?bare* ?off ?empty ?minus ?asympt* ?afebr* ?uncompl* ?untreat* ?unvacc* ?unsweet* ?unaided ?unassisted ?inact* | sin ?no ?libre* ?ni ?falta* ?car* ?ausen* ?excl* ?exen* ?nunca ?jamás ?ningun* ?ningún ?salvo ?excepto ?fuera ?evit* ?nada ?vací* ?menos ?asint* ?afebr* ?desp* ?desc* ?inalámbric* | sans ?pas ?non ?aucun* ?ni ?dépourvu* ?absence ?exempt* ?hors ?jamais ?rien ?évit* ?manqu* ?sauf ?nu* ?vide ?moins ?hormis ?asympt* ?apyr* ?dép* ?inc* ?ind* | ohne ?*frei ?*freie ?*freien ?*freier ?*freies ?*los ?*lose ?*losen ?*loser ?*loses ?kein* ?nicht* ?fehl* ?weder ?noch ?nie* ?außer* ?leer* ?nichts ?vermeid* ?statt* ?minus ?asympt* ?unkompl* ?unbeh* ?unge* ?unab* ?unver*
fit.indicated | indicated indication* ?indicat* ?recommend* ?advis* ?suit* ?allow* ?appropriat* ?should ?approv* | indicad* indicaci* ?indic* ?recomend* ?aconsej* ?permit* ?adecuad* ?debe* ?aprob* | indiqué* indication* ?indiqu* ?recommand* ?conseill* ?autoris* ?appropri* ?doit ?permis* ?convien* | indizier* indikation* angezeigt* anwendungsgebiet* ?angemess* ?empfohl* ?empfehl* ?zugelass* ?geeignet* ?soll* ?erlaubt ?indik*
fit.contra | contraindicat* ?contra ?forbid* ?forbad* ?prohib* ?not ?avoid* ?never ?must ?unsuit* ?without ?inadvis* | contraindic* ?prohib* ?no ?evit* ?desaconsej* ?nunca ?inadecuad* ?contra | contre_indi* contreindi* ?interdi* ?pas ?évit* ?déconseill* ?contre ?jamais ?proscri* | kontraindi* gegenanzeig* ?verbot* ?nicht ?gegen* ?untersag* ?darf ?kein* ?niemals ?vermeid*
sign.positive | positiv* | positiv* | positif* positiv* | positiv* ?nachgewies* ?nachweis*
sign.negative | negativ* | negativ* | négati* | negativ*
rank.acute | acute* ?sudden* | agud* ?súbit* | aigu* aiguë* aigü* ?soud* | akut* ?plötzlich*
rank.chronic | chronic* ?long ?persist* | crónic* ?prolong* ?persist* | chronique* ?persist* ?long | chronisch* ?dauer* ?anhalt* ?lang*
tumour.benign | benign* ?harmless | benign* ?inofensiv* | bénin* bénign* ?inoffens* | gutartig* benign* ?harmlos*
tumour.malign | malignan* malign* ?cancer* | malign* ?cáncer* ?cancer* | malin maligne* malins malign* ?cancer* | bösartig* malign* ?krebs*
grade.mild | mild* ?light* ?slight* ?minor | lev* ?liger* ?suave* ?menor* | léger* légèr* ?bénin* ?bénign* ?faible* ?mineur* ?doux ?douce* | leicht* mild* ?gering* ?schwach* ?harmlos*
grade.severe | severe* ?serious* ?heav* ?grave* ?major ?critical* ?hard ?badly ?intens* ?strong* | grave* sever* ?intens* ?fuerte* ?important* ?serio* ?mayor* ?crític* | sévère* grave* gravité ?sévér* ?fort* ?important* ?intens* ?lourd* ?sérieu* ?majeur* ?critique* | schwer* ?stark* ?heftig* ?ernst* ?hochgradig* ?massiv* ?kritisch* ?ausgeprägt*
grade.moderate | moderate* ?medium ?modest* | moderad* ?medi* ?mediano* | modéré* ?moyen* ?modeste* | mittel* mittler* mäßig* moderat* ?mittelschwer*
term.early | early earlier ?soon* ?prompt* ?initial* ?premature* ?in_advance ?prematur* | tempran* precoz* precoc* ?pronto ?antes ?inicial* ?inici* ?prim* ?madrugad* ?anticip* ?prematur* ?principi* | précoce* précocement tôt ?début* ?avant ?initial* ?premi* ?anticip* ?prématur* ?plus_tôt | früh* ?bald* ?zeitig* ?eher
term.late | late lately latest ?later ?delay* ?recent* ?advanc* ?past ?dead | tardí* ?tarde* ?retras* ?después ?final* ?avanzad* ?últim* ?fin ?reciente* ?entrad* ?difunt* ?posterior* | tardi* ?tard* ?retard* ?après ?fin ?avanc* ?récent* ?dern* ?ultérieur* ?feu ?défunt* | spät* ?verzög* ?end* ?fortgeschr* ?verspät* ?jüngst* ?verstorb*
turn.better | improv* ?better ?recover* ?benefi* ?reliev* ?eas* ?best ?well ?ameliorat* ?enhanc* ?progress* ?resolv* ?gain* ?increas* | mejor* ?benefic* ?aliv* ?recuper* ?óptim* ?aument* ?bien ?ced* ?progres* ?perfeccion* | amélior* ?mieux ?meilleur* ?bénéfi* ?soulag* ?progr* ?augment* ?bien ?gain* | besser* verbesser* ?gebesser* ?erhol* ?linder* ?gut* ?best* ?nutz* ?steiger* ?optimier* ?fortschritt*
turn.worse | worse* deteriorat* ?aggravat* ?bad* ?exacerbat* ?poor* ?decline* ?harm* ?impair* ?progress* ?fail* ?lower* | empeor* peor* ?deterior* ?agrav* ?mal* ?exacerb* ?progres* ?desfavor* ?agudiz* ?menor* ?dañ* | aggrav* empir* ?détérior* ?pire* ?mal ?mauvais* ?exacerb* ?dégrad* ?altér* ?progress* ?nui* | verschlecht* verschlimmer* schlechter* ?schlecht* ?schlimm* ?verstärk* ?exazerb* ?zunahm* ?zunehm* ?beeinträchtig*
often.often | often frequent* common* ?usual* ?regular* ?general* ?many ?mostly ?typical* ?widespread ?repeat* ?ordinary ?frequen* ?multipl* ?prevalent ?normal* ?generally ?most | frecuen* ?común* ?comun* ?menudo ?habitual* ?much* ?suel* ?soler ?veces ?general* ?normal* ?usual* ?corriente* ?mayoría ?típic* | fréqu* souvent ?courant* ?commun* ?habitu* ?général* ?nombr* ?régul* ?plupart ?répandu* ?usuel* ?typique* | häufig* oft öfter* ?gewöhn* ?üblich* ?regel* ?meist* ?viel* ?verbreitet* ?mehrfach* ?gemeinsam* ?normal* ?gängig* ?typisch* ?oftmals ?allgemein* ?vermehrt*
often.rare | rare* seldom infrequent* ?uncommon ?unusual* ?scarce* ?little ?occasional* ?few* ?hardly ?exceptional* ?sporadic* | rar* infrecuen* ?poco ?escas* ?insólit* ?excepcional* ?ocasional* ?inusual* ?apenas ?esporád* | rare* ?peu ?inhabit* ?exception* ?occasion* ?guère ?sporad* ?inusuel* | selten* ?ungewöhn* ?gelegentlich* ?kaum ?rar* ?sporad* ?vereinzelt*
quant.many | many ?much ?numerous ?several ?lot* ?various ?plent* ?most ?great ?large ?high ?more ?big ?a_good ?often ?long ?multiple ?a_great ?how ?as ?rich* | much* ?numeros* ?vari* ?gran* ?más ?abundan* ?bastante* ?demasiad* ?cuánt* ?tant* ?mayor* ?diverso* ?multitud ?muy ?alt* ?ric* | beaucoup nombreu* ?plusieurs ?grand* ?bien ?maint* ?divers* ?plus ?force ?trop ?combien ?tant ?élevé* ?riche* ?souvent ?très ?autant ?quantité* | viel* zahlreich* ?mehrere* ?manch* ?groß* ?meist* ?etlich* ?häufig* ?lang* ?weit* ?reich* ?sehr ?oft
quant.few | few fewer ?little ?less* ?a_few ?hardly ?rare* ?low ?small ?scarc* ?some ?minor* ?several ?couple ?handful ?poor* ?rather ?slight* ?reduc* | poc* ?escas* ?men* ?algun* ?baj* ?rar* ?minor* ?algún ?un_par ?varios ?unos ?unas ?apenas ?reduc* ?peque* ?pobre* ?casi ?ligera* | peu ?quelques ?faible* ?rare* ?moindre* ?petit* ?minor* ?guère ?bref* ?brève* ?pauvre* ?réduit* ?légère* ?presque | wenige* wenig ?gering* ?kaum ?einige* ?niedrig* ?selten* ?klein* ?minder* ?paar ?kurz* ?knapp* ?arm* ?schwach* ?leicht* ?reduz* ?*arm ?*arme ?*armen
ever.always | always ?ever ?still ?constant* ?forever ?invariabl* ?continu* ?permanent* ?consistently | siempre ?constant* ?continu* ?permanent* ?todo* ?toda* ?cada | toujours ?constam* ?sans_cesse ?encore ?perman* ?continu* ?systémat* | immer stets ?ständig* ?jederzeit ?grundsätz* ?fortwähr* ?durchgehend
ever.never | never ?none ?without ?ever ?under_no | nunca jamás ?ningun* ?sin ?ningún ?tampoco | jamais ?aucun* ?sans ?ni | nie niemals ?kein* ?ohne ?keinesfalls
all.all | all ?each ?entire* ?whole ?total* ?complete* ?both ?full* | tod[oa]* ?entero* ?entera* ?total* ?complet* ?ambos ?ambas ?conjunto ?plen* | tou[ts]* ?chacun* ?entier* ?ensemble ?n_importe ?total* ?complet* ?quicon* ?plein* ?intégral* | all* sämtlich* ?ganz* ?gesamt* ?beide* ?jeglich* ?voll* ?insgesamt ?überall
all.most | most ?mostly ?majorit* ?mainly ?usual* ?largely ?highest ?greatest ?best ?maxim* ?predominant* ?chief* ?usually ?main ?often ?prevail* | mayor* ?general* ?principal* ?máxim* ?frecuen* ?predomin* ?suel* | plupart majori* ?surtout ?principal* ?maxim* ?grand* ?essentiel* ?souvent ?généralement ?prédomin* | meist* mehrheit* ?größte* ?überwieg* ?haupt* ?vorwieg* ?höchst* ?großteil* ?zumeist ?häufig* ?überwiegend*
all.none | none nobody no_one ?no ?neither ?never ?nothing ?without ?cannot ?free ?non ?zero ?lack* ?absen* | ningun* ningún nadie ?sin ?nada ?nunca ?tampoco ?cero ?libre ?ausen* ?jamás ?falt* ?carec* | aucun* ?sans ?rien ?nul* ?jamais ?personne ?non ?zéro ?absence ?dépourv* | kein* niemand* ?nicht* ?ohne ?nie* ?weder ?null ?*los ?*frei ?fehl* ?*lose
all.half | half halves ?semi ?fifty ?50 ?median ?mid* ?demi | mitad ?semi* ?cincuenta ?50 ?mediana ?medi[ao]* | moitié ?mi ?semi ?cinquante ?50 ?médian* ?demi* | hälfte* ?fünfzig ?50 ?median* ?mittel* ?halbier* ?halb*
sex.male | men man male males boy boys ?masculine ?human* ?son ?father* ?gentlem* ?his ?he ?him ?husband* ?people ?king* | hombre* varon* varón masculin* ?niño* ?hijo* ?padre* ?él ?macho* ?human* ?chico* ?señor* ?esposo ?rey* | homme* masculin* garçon* ?mâle* ?fils ?père* ?il ?humain* ?monsieur ?mari ?roi* ?lui ?sexe_masculin | mann männer* männlich* jungen ?mann* ?junge* ?knabe* ?sohn ?vater ?er ?herr* ?sein* ?mensch* ?ihn ?könig*
sex.female | women woman female females girl girls ?feminine ?daughter* ?mother* ?lady ?ladies ?her ?she ?wife ?pregnan* ?queen* | mujer* femenin* ?niña* ?hija* ?madre* ?ella* ?hembra* ?chica* ?señora* ?esposa ?embaraz* ?gestante* ?reina* ?mam* | femme* féminin* fille fillette* ?fille* ?mère* ?elle* ?femelle* ?dame* ?épouse ?enceinte* ?reine* ?gross* | frau frauen* weiblich* mädchen* ?frau* ?tochter ?mutter* ?sie ?dame* ?ihr* ?schwanger* ?*innen ?*in ?königin*
age.adult | adult* ?grown* ?people ?person* | adult* ?mayor* ?persona* | adulte* ?majeur* ?personne* | erwachs* ?mensch* ?person* ?volljähr*
age.child | child* paediatric* pediatric* ?kid* ?infant* ?bab* ?boy* ?girl* ?young* ?minor* ?toddler* ?teen* ?adolesc* ?son ?daughter* ?juvenil* ?newborn* | niñ* pediátric* infantil* ?hij* ?beb* ?lactante* ?menor* ?jóven* ?joven* ?infan* ?adolesc* ?chic* ?niñez ?crí* ?juvenil* ?recién_nacid* | enfant* pédiatri* ?bébé* ?fill* ?garçon* ?nourrisson* ?jeune* ?mineur* ?fils ?petit* ?juvénil* ?adolesc* ?enfance ?nouveau_n* | kind* pädiatri* ?säugling* ?baby* ?jung* ?mädchen* ?jugend* ?sohn ?tochter ?kleinkind* ?*kinder* ?minderjähr* ?neugebor*
parent.mother | mother* ?maternal* ?mum* ?mom* | madre* ?matern* ?mam* | mère* ?matern* ?maman* | mutter* ?mütter* ?mama ?stillend*
parent.father | father* ?paternal* ?dad* | padre* ?patern* ?papá ?progenitor* | père* ?patern* ?papa | vater* ?väter* ?papa
family.son | son sons ?boy* ?child* | hijo ?hijos ?niño* ?varón | fils ?garçon* ?enfant* | sohn söhne* ?sohn* ?junge* ?kind*
family.daughter | daughter* ?girl* | hija ?hijas ?niña* | ?fille ?filles | tochter töchter* ?mädchen*
family.brother | brother* ?sibling* | hermano* | frère* ?fratr* | bruder* brüder* ?geschwister*
family.sister | sister* ?nurse* ?sibling* | hermana* ?hermanos | sœur* ?soeur* ?fratr* | schwester* ?geschwister*
heat.hot | hot warm* heat* ?tepid ?fever* ?burn* ?therm* ?boil* ?thaw* | calient* calor* cálid* calent* ?templad* ?tibi* ?fiebre ?hirv* ?térm* ?ard* ?quem* | chaud* chaleur* chauff* ?tiède* ?réchauff* ?therm* ?brûl* ?fièvre ?bouill* ?ardent* | heiß* warm* hitz* wärm* erwärm* ?lau* ?fieber ?gewärmt ?erhitz* ?heiz* ?therm* ?kochend*
heat.cold | cold* cool* chill* frozen freez* ?refrigerat* ?fridge ?ice ?icy ?froze | frí* fresc* enfri* congel* ?nevera ?frigor* ?hel* ?refriger* ?resfri* ?catarr* ?fres* | froid* frais fraîch* refroid* congel* ?frigor* ?réfrigér* ?glac* ?gel* ?rhume ?fraich* | kalt* kält* kühl* gekühlt* ?gefror* ?gefrier* ?eis* ?frier* ?frisch* ?erkält* ?abkühl* ?frost*
wet.dry | dry dries dried drying dryness ?drought | sec[oa] sec[oa]s sequedad ?secar* ?sequ* ?desec* | sec secs sèche* sécheresse ?séch* ?desséch* | trocken* ?getrocknet* ?trockn* ?dürr*
wet.wet | wet moist* humid* damp* ?soak* ?rain* ?water* | húmed* moja* humed* humect* ?lluvi* ?empap* | humid* mouill* moite* ?pluie* ?pluvi* ?trempé* | nass* feucht* ?befeucht* ?näss* ?regn* ?regen*
fill.empty | empty fasting fasted ?without_food ?before ?vacant ?fast ?drain* ?sober ?void* | vací* ayun* ?antes ?vacia* ?desert* | jeun vide* ?jeûn* ?avant ?vid* | leer* nüchtern* ?fasten* ?vor ?unbesetzt ?ausgeleert ?entleer*
fill.full | ?full ?fed ?food ?meal* ?fill* ?complet* ?whole ?stuffed ?total* | llen* ?comida* ?comer ?complet* ?tot* ?plen* | plein* ?repas ?rempl* ?complet* ?entier* ?total* ?comble | voll voller ?voll* ?mahlzeit* ?essen ?gefüllt* ?ganz* ?satt*
pace.slow | slow* ?gradual* ?delay* ?sluggish* | lent* ?despaci* ?gradual* ?enlent* ?pausad* ?poco_a_poco ?retard* ?ralentiz* | lent lente* lents ?ralent* ?progressiv* ?doucement | langsam* ?allmählich* ?verlangsam* ?verzög* ?schleppend*
pace.fast | rapid* quick* faster ?fast ?swift* ?prompt* ?immediate* ?soon* ?short ?accelerat* ?brisk* ?speed* ?urgent* ?hast* | rápid* ?pront* ?inmediat* ?aceler* ?velo* ?breve* ?acelerad* ?prisa | rapid* ?vite* ?prompt* ?immédiat* ?accélér* ?bref* ?brève* ?brusque* ?vitesse | schnell* rasch* ?zügig* ?sofort* ?beschleunig* ?kurz* ?geschwind* ?flott* ?eil* ?bald* ?flink*
span.long | long* prolong* ?extend* ?length* ?lasting ?chronic* ?far ?lengthen* ?great* ?persist* | larg* prolong* long* duradero* ?alarg* ?lej* ?mucho* ?dur* ?gran* ?extens* ?extend* | long* prolong* allong* durable* ?longtemps ?loin ?dur* ?grand* ?étend* ?persist* ?étir* | lang lange* langzeit* langfrist* verläng* länger* ?lang* ?läng* ?dauer* ?weit* ?anhalt* ?gestreckt*
span.short | short* brief* ?small* ?quick* ?soon ?close* ?few ?little ?recent* ?abbrevi* ?narrow* | cort* brev* ?poc* ?acort* ?pequeñ* ?recient* ?rápid* ?baj* ?próxim* | court* bref* brève* brièv* raccourc* ?peu ?petit* ?récent* ?rapide* ?proche* | kurz* verkürz* kürz* ?wenig* ?klein* ?knapp* ?rasch*
odds.likely | likely probabl* ?probab* ?likelihood ?may ?certain* ?expect* ?presum* ?plausib* ?tend* ?chance* ?might | probabl* ?probab* ?puede* ?segur* ?posible* ?verosím* ?plausib* | probabl* vraisembl* ?probab* ?peut* ?plaus* ?sans_doute ?possib* ?susceptib* | wahrscheinlich* ?vermutlich* ?wohl ?kann ?können ?dürfte* ?voraussicht* ?plausib* ?womöglich ?chance*
odds.unlikely | unlikely improbab* ?not ?doubt* ?rare* | improbab* ?poco ?no ?dudos* ?inverosím* | improbab* ?peu ?pas ?invraisembl* ?dout* | unwahrscheinlich* ?kaum ?nicht ?fraglich* ?wenig* ?selten*
gate.open | open opens opened ?uncover* ?public* | abiert* abr[aei]* abrió ?públic* ?destap* ?apert* | ouvert* ouvr* ?public* ?ouvertur* | offen* öffn* geöffnet* ?auf* ?eröffn* ?offe* ?aufgeschlag*
gate.closed | closed closes ?close ?shut* ?seal* ?closing ?tight* ?clos* | cerrad* ?cerr* ?cierr* ?tap* ?sell* | fermé* ferm* ?clos* ?bouch* ?scell* | geschlossen* verschloss* ?schließ* ?zu ?dicht* ?verschließ* ?abgeschloss* ?versiegel*
fate.survived | surviv* ?liv* ?life alive | sobreviv* superviv* ?vida viv[oa] viv[oa]s | surviv* surviec* survie* ?vie ?viv* ?vécu* vivant* | überleb* ?leb* lebend*
fate.died | died dies dying death* dead deceased ?fatal* ?mortal* ?lethal* ?kill* ?mortem ?die ?late | murier* murió muert* fallec* ?mortal* ?mor* ?letal* ?mat* ?defunc* ?difunt* ?perdi* | décéd* décès mort mortes morts morte mouru* ?mortel* ?mortal* ?mour* ?meur* ?létal* ?tu* ?fatal* ?défunt* ?éteint* | starb* gestorb* verstarb* verstorb* tod tode* todes* tot* ?töd* ?sterb* ?letal* ?stirb* ?ums_leben ?fatal* ?mortal*
organ.kidney | kidney* renal* ?nephr* ?urin* ?adrenal* | riñon* riñón renal* ?nefr* ?urin* ?suprarrenal* | rein reins rénal* rénau* ?néphr* ?urin* ?surrénal* | niere* renal* ?nephr* ?harn* ?nebennier*
organ.liver | liver* hepatic* ?hepat* ?biliar* | hígado* hepátic* ?hepat* ?hepato* | foie* hépati* ?hépat* | leber* hepatisch* ?hepat*
organ.heart | heart* cardiac* ?cardi* ?coronar* ?myocard* | corazon* corazón cardíac* cardiac* ?cardi* ?coronari* ?miocard* | cœur* coeur* cardiaque* ?cardi* ?coronar* ?myocard* | herz* kardial* ?kardi* ?koronar* ?myokard*
organ.lung | lung* pulmonary ?pulmon* ?respir* ?pneum* ?breath* ?bronch* | pulmón* pulmon* ?respir* ?neum* ?bronq* | poumon* pulmonaire* ?pulmon* ?respir* ?pneum* ?bronch* | lunge* pulmonal* ?pneum* ?atem* ?bronch* ?respir*
organ.brain | brain* cerebral* ?cereb* ?enceph* ?mind ?neuro* ?stroke* | cerebr* ?encef* ?neuro* ?ictus | cerveau* cérébral* ?céréb* ?encéph* ?neuro* ?avc | gehirn* hirn* zerebral* ?zereb* ?enzeph* ?neuro* ?schlaganfall*
organ.stomach | stomach* gastric* ?gastr* ?belly ?abdom* ?tummy | estómago* gástric* ?gastr* ?vientre ?abdom* ?barriga | estomac* gastri* ?gastr* ?ventre ?abdom* | magen* ?gastr* ?bauch* ?abdom*
organ.eye | eye eyes ocular* ?ophthalm* ?eye* ?vis* ?sight ?optic* | ojo ojos ocular* ?oft* ?vis* ?vist* ?óptic* | œil yeux oculaire* ?ophtalm* ?oeil ?vis* ?vue ?optique* ?collyre* | auge augen* ?okul* ?ophthalm* ?seh* ?optisch*
organ.ear | ear ears ?ear* ?audit* ?hear* ?otic | oído* oreja* ?ótic* ?otitis | oreille* ?auricul* ?audit* ?oti* ?ouïe | ohr ohren* ?ohr* ?gehör* ?otitis
organ.nose | nose nostril* nasal* ?sinus* ?nasop* | nariz* nasal* ?narin* ?nas* ?seno* | nez narine* nasal* nasaux ?nas* ?sinus* | nase* nasal* ?nasen* ?nasenloch* ?nas*
organ.skin | skin dermal* cutaneous ?derm* ?subcut* | piel cutáne* ?derm* ?subcut* ?cután* | peau* cutané* ?derm* ?sous_cut* | haut hautstelle* ?haut* ?derm* ?subkut* ?kutan*
limb.hand | hand hands ?hand* ?manual* | mano* ?manual* | main mains ?manuel* ?main* | hand hände* ?hand*
limb.foot | foot feet ?foot* ?pedal ?plantar* ?tread* | pie pies ?plant* | pied* ?plant* | fuß füße* ?fuß* ?plant*
limb.arm | arm arms forearm* ?upper_limb* ?brach* | brazo* antebrazo* ?extremidad* | bras ?avant_bras ?membre* | arme arms oberarm* unterarm* ?arm ?armen ?*arm
limb.leg | leg legs ?thigh* ?lower_limb* ?calf | pierna* ?muslo* ?extremidad* ?pantorr* | jambe* ?cuisse* ?membre* ?mollet* | bein* ?unterschenkel* ?oberschenkel* ?*bein* ?wade*
salt.sodium | sodium ?natr* ?saline ?salt* | sodio* sódic* ?natr* ?sal ?salin* | sodium sodique* ?natr* ?sel ?salin* | natrium* ?natr* ?salz* ?kochsalz*
salt.potassium | potassium ?kal* | potasi* potásic* ?cal* | potassium potassique* ?kal* | kalium* ?kali*
salt.calcium | calcium ?calc* | calcio* cálcic* ?calc* | calcium calcique* ?calc* | kalzium* calcium* ?kalz* ?calc*
salt.magnesium | magnesium | magnesi* | magnésium* magnési* | magnesium*
salt.iron | iron ferr* ?ferr* | hierro férric* ?ferr* ?férr* | ?fer ferr* ?ferreux ?martial* | eisen* ferr* ?eiser*
germ.bacteria | bacteri* ?germ* | bacteri* ?germ* | bactéri* ?germe* | bakteri* ?keim*
germ.virus | virus* viral* ?vir* | virus vírica* vírico* viral* ?vir* | virus viral* virau* ?vir* | virus viren* viral* ?vir*
germ.fungus | fung* yeast* ?mycos* ?mycot* ?mushroom* ?mold ?mould | fúngic* hongo* ?micos* ?levadur* ?micót* ?fungic* | fongi* champignon* ?mycos* ?levure* ?antifong* | pilz* ?fungal* ?mykot* ?mykos* ?hefe* ?antimyko*
colour.red | red reddish ?redden* ?ruby ?crimson ?scarlet ?erythr* ?redness | roj* ?eritr* ?enroj* ?escarlat* ?carmes* ?tinto | rouge* ?roug* ?rouss* ?écarlat* ?érythr* ?vermeil* | rot rote* rötlich* ?röt* ?rot* ?ery* ?scharlach*
colour.green | green* ?verd* | verd* | vert verte* verts verd* ?vert* | grün*
colour.blue | blue bluish ?azure ?cyan* ?lapis | azul* ?cian* ?añil* ?celeste* | bleu* ?cyan* ?azur* ?bleu* | blau* bläulich* ?zyan* ?azur*
colour.yellow | yellow* ?jaundice* ?gold* ?icter* | amarill* ?icter* ?dorad* | jaun* ?ictère* ?dor* | gelb* ?ikter* ?gold*
colour.black | black* ?dark* ?nigr* | negr* ?oscur* | noir* ?sombre* | schwarz* ?dunkel*
colour.white | white* ?leu* ?pale* ?bleach* | blanc* ?leuc* ?pálid* ?alb* ?blanque* | blanc* blanche* ?leuc* ?pâle* ?blanch* | ?weiß weiße* weißlich* ?leuk* ?blass* ?bleich* ?weiß*
time.decade | decade* ?ten_years ?10_years ?ties | década* decenio* ?diez_años ?10_años ?años | décennie* ?dix_ans ?10_ans ?années | jahrzehnt* ?zehn_jahre* ?10_jahre* ?*er_jahre* ?dekade*
time.century | century centuries ?hundred | siglo* ?secular* ?cien | siècle* ?sécul* ?cent | jahrhundert* ?hundert
time.millennium | millenni* ?thousand | milenio* milenar* ?mil | millénaire* ?mille | jahrtausend* ?tausend
power.strong | strong* ?powerful* ?potent* ?intens* ?severe* ?marked* ?hard ?sharp* ?heavy ?robust* ?vigor* ?great* ?high | fuert* ?potent* ?intens* ?sever* ?sólid* ?robust* ?marcad* ?grande* ?important* ?pronunci* ?alt* ?estrech* ?vigor* | fort forte* forts ?fort* ?puissan* ?intens* ?sévère* ?marqu* ?vif ?solid* ?robust* ?vigour* ?renforc* ?important* ?étroit* | stark* ?kräftig* ?heftig* ?intensiv* ?potent* ?schwer* ?deutlich* ?hoch* ?groß* ?stärk* ?eng* ?ausgepräg* ?fest*
power.weak | weak* ?faint* ?mild* ?slight* ?low* ?poor* ?frail* ?feebl* ?fragil* | débil* ?lev* ?tenue* ?baj* ?flojo* ?frágil* ?liger* ?escas* | faible* ?léger* ?légèr* ?bas* ?fragil* ?affaibl* | schwach* schwäch* ?leicht* ?gering* ?leis* ?zart* ?niedrig* ?*schwäche
link.agonist | agonist* ?stimul* ?activat* | agonist* ?estimul* ?activad* | agonist* ?stimul* ?activat* | agonist* ?stimul* ?aktiv*
link.antagonist | antagonist* ?inhibit* ?block* | antagonist* ?inhib* ?bloque* | antagonist* ?inhib* ?bloqu* | antagonist* ?inhibit* ?hemm* ?*blocker
drive.inhibit | inhibit* ?block* ?suppress* ?antagon* ?imped* ?restrain* ?stop* ?prevent* | inhib* ?bloque* ?suprim* ?fren* ?supres* ?imped* | inhib* ?bloqu* ?suppr* ?frein* ?empêch* | hemm* inhib* ?blockier* ?unterdrück* ?gehemmt* ?blockad* ?verhinder*
drive.stimulate | stimul* activat* ?trigger* ?promot* ?excit* ?enhanc* ?activ* | estimul* activ* ?promov* ?excit* ?desencad* ?favor* | stimul* activ* ?excit* ?déclench* ?favor* ?promeu* | stimul* aktivier* anreg* ?erreg* ?förder* ?auslös* ?angeregt* ?aktiv*
work.effective | effective* efficac* ?work* ?effect* ?success* | eficaz* eficac* ?efectiv* ?funciona* ?éxito ?exit* ?efecto* | efficac* ?efficient* ?effet* ?succès ?réuss* | wirksam* ?effektiv* ?wirk* ?erfolg*
work.ineffective | ineffective* inefficac* ?not ?fail* ?no ?without | ineficaz* ineficac* ?inefectiv* ?no ?fracas* ?sin | inefficac* ?pas ?éch* ?sans ?peu | unwirksam* wirkungslos* ?ineffektiv* ?nicht ?erfolglos* ?versag* ?kein* ?ohne
norm.normal | normal* ?regular* ?usual* ?unremark* ?ordinar* ?physiolog* ?healthy | normal* ?regular* ?habitual* ?fisiol* ?corrient* ?san[ao]* | normal* normau* ?régul* ?habitu* ?physiol* ?courant* ?sain* | normal* ?regelmäß* ?üblich* ?unauffäll* ?physiol* ?gesund* ?gewöhn*
norm.abnormal | abnormal* ?irregul* ?unusual* ?patholog* ?not ?anomal* ?remark* ?out | anormal* anómal* ?irregul* ?patol* ?no ?alter* ?anomal* | anormal* anormau* ?irrégul* ?pathol* ?pas ?anomal* | abnorm* anormal* ?unregel* ?auffäll* ?pathol* ?nicht ?krankhaft* ?anomal* ?ungewöhn*
size.large | large* ?big* ?great* ?huge ?high* ?wide* ?major* ?vast ?long* ?extens* ?enlarg* ?massiv* ?tall* ?more | grand* gran ?mayor* ?ampli* ?extens* ?enorm* ?alt* ?larg* ?gran* ?gruesa* ?agrand* ?vast* ?más | grand* ?gros* ?vaste* ?large* ?étend* ?import* ?élev* ?haut* ?énorme* ?plus ?agrand* | groß* größ* ?weit* ?breit* ?hoch* ?hohe* ?lang* ?riesig* ?umfangreich* ?vergrößer* ?mehr ?dick*
size.small | small* ?little ?tiny ?minor ?low* ?short* ?narrow* ?slight* ?few* ?less* ?minut* ?baby ?young* ?fine | pequeñ* ?menor* ?diminut* ?baj* ?estrech* ?poc* ?reduc* ?peque* ?minúscul* ?cort* ?fin* ?men* ?niñ* | petit* ?faible* ?moindre* ?étroit* ?peu ?minusc* ?bas ?court* ?mince* ?fin* ?moins ?mineur* ?rédui* | klein* ?gering* ?niedrig* ?schmal* ?wenig* ?winzig* ?kurz* ?fein* ?eng* ?dünn* ?minder* ?leicht* ?verklein*
vintage.old | old older oldest ?elder* ?ancient* ?aged ?former* ?age ?antique* ?early | viej* antigu* ?mayor* ?ancian* ?edad ?ex ?vetust* ?años | vieux vieil* ancien* ?âg* ?antique* ?vétust* ?ans ?aîné* | alt alte* ?ält* ?betagt* ?ehemal* ?antik* ?alter* ?gealtert*
vintage.new | new newer newest newly ?recent* ?young* ?modern* ?fresh* ?novel* ?latest ?renew* ?further ?another ?again ?neo* | nuev* ?recient* ?joven* ?modern* ?jóven* ?otr* ?novedos* ?neo* ?renov* ?más ?juven* | nouv* neuf neuve* neufs ?récent* ?jeun* ?modern* ?autre* ?néo* ?renouv* | neu neue* ?jung* ?jüng* ?modern* ?neu* ?frisch* ?aktuell* ?weiter* ?erneu* ?andere*
point.first | first ?primar* ?initial* ?earliest ?1st ?begin* ?start* ?at_first | primer* ?inicial* ?princip* ?prim* ?comienz* ?inici* | premi* ?début* ?initial* ?1er ?abord ?prim* ?commenc* | erst* ?anfang* ?zuerst ?primär* ?anfäng* ?beginn*
point.last | last ?latest ?final* ?recent* ?previous* ?latter ?ultimate* ?continue* ?dura* ?persist* | últim* ?final* ?pasad* ?fin ?recient* ?anterior* ?ultim* ?prolong* | dernier* dernièr* ?fin* ?ultim* ?récent* ?précéd* | letzt* ?jüngst* ?vergangen* ?abschließ* ?zuletzt ?final* ?schließlich ?vorig* ?schluss*
money.dollar | dollar* $ usd ?bucks | dólar* $ usd | dollar* $ usd | dollar* $ usd
money.euro | euro euros € eur | euro euros € eur | euro euros € eur | euro euros € eur
money.pound | £ gbp sterling ?pound* | £ gbp esterlin* ?libra* | £ gbp sterling ?livre* | £ gbp pfund_sterling ?pfund*
money.franc | franc francs chf | franco francos chf | franc francs chf | franken franc chf ?franc*
money.yen | yen ¥ | yen* ¥ | yen* ¥ | yen ¥
money.mark | marks deutschmark* ?mark | marco marcos | marks ?mark | mark reichsmark* ?mark*
money.florin | florin* guilder* ?gulden* | florin* ?guld* | florin* ?guld* | gulden* florin* ?guld*
money.ducat | ducat* | ducado* | ducat* | dukat*
money.peso | peso pesos peseta* | peso pesos peseta* ?peso* | peso pesos peseta* | peso pesos peseta*
money.rupee | rupee* | rupia* | roupie* | rupie*
spoon.tea | teaspoon* tsp ?small_spoon* | cucharadit* ?cucharillas ?cucharilla ?café | cuillère_à_café cuillères_à_café cuiller_à_café cuillerée_à_café cuillerées_à_café ?petite_cuillère ?café | teelöffel* tl kaffeelöffel*
spoon.table | tablespoon* tbsp ?soup_spoon* | cucharada cucharadas ?sopera* ?cuchara ?cucharas ?soper* | cuillère_à_soupe cuillères_à_soupe cuiller_à_soupe cuillerée_à_soupe cuillerées_à_soupe ?soupe | esslöffel* el_voll ?suppenlöffel*
vessel2.cup | cup cups cupful* | taza* | tasse* | tasse tassen ?becher*
vessel2.glass | glass glasses glassful* | vaso* copa* ?vidri* ?cristal* ?gafas | verre* ?lunett* ?vitr* | glas gläser* ?glas* ?brille*
must.must | must required mandatory compulsory ?have_to ?has_to ?need* ?should ?shall ?is_to ?are_to ?oblig* ?required ?requir* ?necessar* ?had_to ?do | deb* obligatori* ?tien* ?tener ?hay ?precis* ?necesari* ?requier* ?haber ?exig* ?hace_falta ?ha ?tuv* ?deber* | doi* dev* obligatoire* ?faut ?nécess* ?exig* ?falloir ?il_faudra ?imper* ?requi* ?est_à ?sont_à ?a_dû | muss* müss* verpflicht* obligatorisch* ?soll* ?nötig ?notwendig* ?erforderlich* ?darf ?ist ?sind ?dürf* ?benötig* ?zwing* ?brauch* ?hat_zu ?gebot* ?pflicht*
must.may | ?may ?might optional* ?can ?could ?allow* ?permit* ?possib* ?able ?need_not ?let ?perhaps ?would ?*able ?*ible ?free | ?pued* ?pod* opcional* ?permi* ?posib* ?quizá* ?facultativ* ?*able ?*ible ?optativ* ?cab* ?lleg* | ?peu* ?pouv* ?pourr* facultati* ?permi* ?possib* ?autoris* ?*able ?*ible ?optionn* ?puiss* | ?kann ?könn* optional* freiwillig* ?darf ?dürf* ?möglich* ?erlaub* ?*bar ?*bare ?vielleicht ?mag ?konn* ?lass* ?läss*
`;

/** A word of a member. `hint` is one that may mean it. */
interface Entry {
  group: string;
  member: string;
  hint: boolean;
  words: readonly string[];
  /** What is open: the end of a word, or its beginning. */
  open?: 'end' | 'beginning';
}

/** Entries by the first two letters of what they begin with; those that are endings by their last two. */
type Index = ReadonlyMap<string, readonly Entry[]>;

const KEY = 2;

function indexOf(column: number): Index {
  const index = new Map<string, Entry[]>();
  for (const row of TABLE.trim().split('\n')) {
    const cells = row.split(' | ');
    const [group = '', member = ''] = cells[0]?.split('.') ?? [];
    for (const written of (cells[column] ?? '').trim().split(/ +/).flatMap(expand)) {
      const hint = written.startsWith('?');
      const text = written.replace(/[?*]/g, '');
      const open = written.endsWith('*') ? 'end' : /^\??\*/.test(written) ? 'beginning' : undefined;
      const entry: Entry = { group, member, hint, words: text.split('_'), ...(open && { open }) };
      const key = (open === 'beginning' ? `*${text.slice(-KEY)}` : text.slice(0, KEY)).toLowerCase();
      index.set(key, [...(index.get(key) ?? []), entry]);
    }
  }
  return index;
}

/** Returns `seca` and `seco` for `sec[ao]`. */
function expand(word: string): string[] {
  const [, before = '', letters = '', after = ''] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(word) ?? [];
  return letters ? [...letters].flatMap((letter) => expand(before + letter + after)) : [word];
}

const INDEXES: Readonly<Record<Language, Index>> = {
  en: indexOf(1),
  es: indexOf(2),
  fr: indexOf(3),
  de: indexOf(4),
};

/** A member that a text names or hints at. */
export interface Mention {
  group: string;
  member: string;
  hint: boolean;
  start: number;
  end: number;
}

/** Returns the length in characters and words of an entry where a text has it; undefined elsewhere. */
function lengthAt({ words, open }: Entry, tokens: readonly Token[], at: number) {
  let next = at;
  for (const [place, word] of words.entries()) {
    if (place > 0 && tokens[next]?.text === '-') next += 1;
    const lower = tokens[next]?.lower ?? '';
    const isShort = /^\p{Lu}\.|^\p{Lu}+$|^\p{L}\./u.test(tokens[next]?.text ?? '');
    const isLast = place === words.length - 1;
    const isThere =
      isLast && open === 'end'
        ? lower.startsWith(word)
        : open === 'beginning'
          ? lower.endsWith(word) && lower.length > word.length + 1
          : lower === word || (isShort && lower === word.toLowerCase());
    if (!isThere) return undefined;
    next += 1;
  }
  return { length: words.join(' ').length + (open ? 0 : 1), next };
}

/** Returns the members of closed groups that a text names. Of a group, the longest entry counts at each place. */
export function readMentions(tokens: readonly Token[], language: Language): Mention[] {
  const index = INDEXES[language];
  const mentions: Mention[] = [];
  /** The index behind the last phrase of each group: "contre-indiqué" has no "indiqué". */
  const behind = new Map<string, number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const { lower = '', start = 0 } = tokens[at] ?? {};
    const entries = [index.get(lower.slice(0, KEY)), index.get(`*${lower.slice(-KEY)}`)];
    const longest = new Map<string, { length: number; next: number; found: Entry[] }>();
    for (const entry of entries.flatMap((some) => some ?? [])) {
      const fit = lengthAt(entry, tokens, at);
      const known = longest.get(entry.group);
      if (!fit || (known && known.length > fit.length)) continue;
      if (known?.length === fit.length) known.found.push(entry);
      else longest.set(entry.group, { ...fit, found: [entry] });
    }
    const idle = longest.get('none');
    if (idle) {
      at = idle.next - 1;
      continue;
    }
    for (const [of, { next, found }] of longest) {
      if (at < (behind.get(of) ?? 0)) continue;
      behind.set(of, next);
      for (const { group, member, hint } of found)
        mentions.push({ group, member, hint, start, end: tokens[next - 1]?.end ?? start });
    }
  }
  return mentions;
}
