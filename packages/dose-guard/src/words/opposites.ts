import type { Language, Span } from '../findings.ts';
import { spanOf, type Token } from '../reading/tokens.ts';
import { Lexicon } from './lexicon.ts';
import { byLanguage, readTable, wordsIn } from './table.ts';

/**
 * Closed groups of words of which a text says one and not another: a translation that loses one and gains another contradicts its
 * source. A row has a group and its words in English, Spanish, French and German: those of one member, which stands behind the point, or
 * of all members, parted by slashes; a row without a name is a group of its own. `increas*` are all words with this beginning, `*frei`
 * with this end; `_` joins phrases; capitals are abbreviations, which count in capitals or with dots: "im" is a German word. What stands
 * behind a question mark may mean the member, so that it excuses; alone it says too little. Rows of `none` are phrases that say nothing of
 * a group. The rows at the end are false friends: words that look alike and mean something else.
 */
const TABLE = `
none | no_longer no_more_than more_or_less at_least at_most at_last left_over have_left right_away all_right fall_asleep follow_up as_well_as last_resort so_far first_aid early_on before_long time_after_time short_of shortly stage_iv grade_iv class_iv type_iv phase_iv hypothes* hypothet* | más_o_menos más_adelante más_tarde sin_embargo por_lo_menos al_menos a_la_vez hipótesis luego_de tarde_o_temprano de_acuerdo_con sin_duda sin_prisa sin_cesar a_lo_largo por_lo_tanto sobre_todo primeros_auxilios estadio_iv grado_iv clase_iv tipo_iv fase_iv hipotec* hipotét* | plus_tard plus_tôt au_moins du_moins avant_tout bien_sûr hypothè* hypothé* tout_de_suite tout_à_fait en_effet droit_à tout_au_plus sans_doute sans_cesse sans_fin premiers_secours tout_au_long de_plus en_plus au_cours après_tout il_y_a stade_iv grade_iv classe_iv type_iv phase_iv | vor_allem nach_wie_vor vor_ort nach_hause je_nach nach_oben nach_unten nach_maßgabe nach_bedarf nach_möglichkeit nach_links nach_rechts nach_außen nach_innen mehr_oder_weniger vor_kurzem erste_hilfe so_lange solange kurz_vor kurz_nach ab_dem nach_angaben nach_art allein* stadium_iv grad_iv klasse_iv typ_iv phase_iv hypothes* hypothet* hypothek*
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
able.can | ?can ?could able capable ?may ?manag* ?possib* | ?pued* ?pod* capaz* capaces ?logr* ?consig* ?posib* | ?peu* ?pouv* ?pu capable* ?parv* ?possib* ?arriv* ?réuss* | ?kann* ?konn* ?könn* fähig* ?vermag ?imstande ?möglich*
able.cannot | unable incapable impossible ?cannot ?not ?fail* ?no ?inab* | incapaz* imposib* ?no ?incapac* ?sin | incapable* impossib* ?pas ?ne ?incapac* ?sans | unfähig* unmöglich* ?nicht* ?kein* ?ohne
order.before | before prior preoperativ* beforehand ?front ?pre ?ago ?previous* ?ahead ?earlier ?in_advance | antes previ* preoperat* ?con_antelación ?delante ?ante ?antelación ?anticip* anterior_a anterior_al día_anterior | avant préalable* auparavant préopérat* ?précéd* ?antérieur* ?au_préalable ?devant ?devanc* veille | vor bevor vorher zuvor ehe präoperativ* ?vorig* ?früher ?voraus* ?vorab ?vorherig* ?davor ?vorangeh* ?vorange* ?vorn* ?vorab vortag* vorabend*
order.after | after afterwards thereafter postoperativ* following ?post ?since ?later ?subsequent* ?upon ?behind | después tras posterior* postoperat* luego ?más_tarde ?detrás ?al_cabo ?pos* ?y_luego ?pasad* siguiente_a siguiente_al día_siguiente | après ensuite postopérat* ?suivant* ?plus_tard ?depuis ?puis ?post* ?derrière ?ultérieur* ?passé* lendemain | nach danach nachdem postoperativ* anschließend* nachher ?dahinter ?seit ?später* ?folgend* ?hinter ?darauf* ?hierauf ?sobald ?post* ?im_anschluss ?ablauf ?vergangen* folgetag*
side | left ?sinistral ?port / right ?dextr* ?starboard ?rightly ?rights ?correct* ?just ?direct* | izquierd* ?zurd* / derech* ?diestr* | gauche* / droit* | link* linksseit* linksherz* ?*links / recht* rechtsseit* rechtsherz* ?*rechts
level.upper | upper uppermost ?top ?arm ?arms ?thigh ?thighs ?superior ?above ?high* | superior* ?brazo* ?muslo* ?alt* ?arriba ?encima | supérieur* ?bras ?cuisse* ?haut* ?dessus | ober* obig* ?arm* ?hoh*
level.lower | lower lowermost ?bottom ?forearm ?forearms ?calf ?leg ?legs ?inferior ?below ?beneath ?under* ?pelvic ?base ?reduce* ?smaller ?less ?minimum | inferior* ?antebrazo* ?pantorrilla* ?piern* ?baj* ?abajo ?debajo ?pélvic* ?base ?menor* ?mínim* | inférieur* ?jambe* ?avant_bras ?mollet* ?bas ?basse* ?dessous ?sous ?pelvi* ?base ?moindre* ?minim* | untere* unterarm* unterschenkel* unterlid* unterbauch* unterkiefer* unterlipp* unterkörper* ?unter* ?niedrig* ?gering* ?klein*
daytime.morning | morning* ?breakfast* ?am ?dawn ?wak* ?early | mañana* matutin* ?desayun* ?am ?madrugad* ?amanec* ?despert* ?levant* | matin* ?petit_déjeuner ?réveil ?lever ?aube ?matinal* | morgens morgendlich* morgen vormittag* ?morgen* ?früh* ?frühstück* ?aufwach* ?aufsteh* *tagmorgen *wochmorgen
daytime.noon | noon midday ?lunch* | mediodía ?almuerz* ?comida ?comer | midi ?déjeuner ?repas | mittag* mittags
daytime.midnight | midnight | medianoche | minuit | mitternacht*
daytime.evening | evening* night* bedtime nocturnal* overnight nocturnal ?dinner ?supper ?afternoon* ?pm ?tonight ?dark* ?sleep* ?bed | noche* nocturn* ?cena* ?tarde* ?pm ?acostar* ?atardec* ?dorm* ?anoche ?oscur* | soir* nuit* nocturne* ?dîner ?après_midi ?coucher ?soupe* | abend* nacht* nächt* abends ?schlaf* ?nachmittag* ?zubettgeh* ?bett* *tagabend *wochabend
meal | breakfast* / lunch* ?noon ?midday / dinner* supper* ?evening ?meal* ?eat* | desayun* / almuerz* ?mediodía ?comida ?comer / cena* ?noche ?comida* | petit_déjeuner ?matin / déjeuner* ?midi ?repas / dîner* souper* ?soir ?repas | frühstück* / mittagess* ?mittag* / abendess* abendbrot* ?abend* ?essen ?mahl*
weekday | monday* / tuesday* / wednesday* / thursday* / friday* / saturday* / sunday* | lunes / martes / miércoles / jueves / viernes / sábado* / domingo* | lundi* / mardi* / mercredi* / jeudi* / vendredi* / samedi* / dimanche* | montag* / dienstag* / mittwoch* / donnerstag* / freitag* / samstag* sonnabend* / sonntag*
change.up | increas* raise* raising rise* rising rose higher elevat* escalat* gain* grow* growth grew climb* heighten* ?exceed* ?greater ?doubl* ?tripl* ?widen* ?improv* ?expan* ?larger ?rais* ?went ?upward* ?build* ?step* ?swell* ?swollen ?titrat* ?surpass* ?multipl* ?stronger | aument* increment* subi* sube* subid* suba* elev* crec* ascend* ascens* ?sobre* ?acrecent* ?ampli* ?superior* ?intensific* ?encarec* ?alz* ?agrand* ?ganó ?multiplic* ?duplic* ?triplic* ?alarg* ?prolong* | augment* accroît* accru* accroiss* élev* hauss* croiss* croît* relèv* relev* ?mont* ?supérieur* ?grimp* ?gain* ?gagn* ?élèv* ?majoré* ?major* ?gonfl* ?doubl* ?multipl* ?prolong* ?renforc* | erhöh* steig* gestieg* stieg* zunahm* zunehm* zugenomm* zunimmt nimmt_zu anstieg* anstei* vermehr* wuchs gewachs* hochdosier* ?höh* ?aufdos* ?anheb* ?angehob* ?ausgeb* ?verstärk* ?gewinn* ?gesteiger* ?verdoppel* ?verläng* wächst wachsen* wachst*
change.down | decreas* reduc* lowering lowered lowers declin* diminish* dwindl* shrink* shrank fell falls dropped lessen* wane* ?fewer ?cut* ?fall* ?drop* ?down* ?taper* ?curb* ?reliev* ?eas* ?hypo* ?loss* ?shorten* ?lower* ?mitigat* ?brought ?bring* ?attenuat* ?deplet* ?halv* ?antipyr* ?drops ?low ?lowest | dismin* reduc* reduj* baja* bajó bajar* descen* rebaj* mengu* decrec* disminuy* merm* ?menor* ?men* ?inferior* ?atenu* ?hipo* ?recort* ?aliv* ?acort* ?moder* ?hund* ?retir* ?caí* ?cae ?descend* ?debilit* | diminu* réduc* rédui* baiss* abaiss* chut* recul* régress* décroiss* décrû* ?moindre* ?inférieur* ?faible* ?tomb* ?décl* ?allég* ?descen* ?atténu* ?hypo* ?raccourc* ?amoindr* ?soulag* ?ralent* ?amincir* ?moins | senk* gesenkt reduzier* reduktion* verringer* verminder* abnahm* abnehm* abgenomm* sank sinken* sinkt gesunken rückgang* rückläufig* herabgesetzt* herabsetz* minder* verkleiner* ?fiel* ?fallen* ?gefallen ?fällt ?gering* ?weniger ?abfall* ?kürz* ?gekürzt ?linder* ?schwäch* ?nachlass* ?hypo* ?herunter* ?abgesenkt ?dosisreduktion ?drossel* ?dämpf* ?abschwäch* ?ausdünn* ?halbier* ?abgeschwächt* ?verkürz* ?schwind* ?einbuß* ?bremst ?brems* ?drück* ?sinkend*
amount.more | more ?greater ?higher ?over ?above ?increas* ?additional ?longer ?exceed* ?older ?most ?better ?gain* ?further ?plus | más ?mayor* ?superior* ?sobre ?encima ?aument* ?además ?mejor* | plus davantage ?supérieur* ?mieux ?augment* | mehr ?über* ?höher* ?größer* ?weiter* ?älter* ?länger* ?meist* ?zu* ?besser*
amount.less | fewer less ?lower* ?under ?below ?decreas* ?reduc* ?small* ?short* ?low ?rare* ?seldom ?*less ?few ?little ?down ?half ?young* | menos ?menor* ?inferior* ?baj* ?reduc* ?dismin* ?poc* ?rar* ?raramente ?sin ?mitad | moins ?inférieur* ?moindre* ?baiss* ?rédu* ?diminu* ?peu ?rare* ?faible* ?plus_rare* ?plus_petit* ?plus_faible* ?plus_bas* ?plus_court* ?sans ?moitié | weniger ?gering* ?unter* ?niedrig* ?klein* ?kürz* ?selten* ?kaum ?reduzier* ?redu* ?senk* ?minder* ?abn* ?ohne ?halb* ?jünger*
dose.hyper | hyper* ?high* ?excess* ?too_much ?elevated ?raised overactiv* | hiper* ?alt* ?exces* ?elevad* ?aument* | hyper* ?haut* ?excès ?excess* ?élevé* ?trop | hyper* ?hoch* ?hoh* ?bluthochdruck* ?erhöht* überfunktion* ?überhöh* ?überdos* überzucker* *überfunktion
dose.hypo | hypo* ?low* ?lack* ?too_little ?deficien* underactiv* underactiv* | hipo* ?baj* ?insufic* ?déficit ?falta ?deficien* | hypo* ?bas ?basse* ?insuff* ?faible* ?déficien* ?carence* ?manque | hypo* ?niedrig* ?mangel* ?nieder* ?erniedrigt* unterfunktion* ?unterzuck* ?unterkühl* ?unterdruck* unterzucker* *unterfunktion
run.start | start* begin* began begun commenc* initiat* resum* restart* ?introduc* ?launch* ?onset ?initial* ?institut* ?trigger* ?switch* ?induc* | inici* comenz* comienz* comenc* empez* empiez* empec* reanud* reinici* ?principi* ?instaur* ?introdu* ?emprend* ?arranc* ?abr* ?establec* ?puest* ?induc* ?lanz* ?aparici* ?volv* ?vuelv* ?encend* ?retom* ?echar* | commenc* débu* initi* repren* repris* redémarr* démarr* ?entrep* ?instaur* ?introd* ?lanc* ?entam* ?ouvr* ?amorc* ?induc* ?indui* ?appar* ?allum* ?instit* ?repri* ?déclench* | beginn* begann* begonn* start* gestart* anfang* anfäng* wiederaufnahm* einleit* eingeleit* begänn* beginnt ?anzufangen ?angefang* ?fing* ?ansetz* ?angesetzt ?aufnahm* ?aufgenomm* ?eröffn* ?einführ* ?aufnehm* ?anlauf* ?einsetz* ?auslös* ?auf*
run.stop | stop* discontinu* ceas* cessation terminat* withdraw* withdrew withdrawal paus* interrupt* abort* quit* ?end* ?finish* ?withh* ?suspend* ?halt* ?break* ?drop* ?give_up ?cancel* ?complet* ?avoid* ?remov* ?hold ?close* ?refrain* ?abstin* ?abstain* ?arrest* ?lapse* ?no_longer ?gave ?abandon* ?conclu* ?switch* ?cut* ?shut* ?final* ?standstill ?prevent* ?block* | suspend* suspens* interrump* interrup* finaliz* cese* cesa* detien* detener* deten* ?det* ?dej* ?par* ?fin* ?retir* ?abandon* ?acab* ?termin* ?conclu* ?concluy* ?evit* ?cerr* ?cierr* ?abst* ?discont* ?ceso ?elimin* ?complet* ?apag* ?cort* ?anul* ?cancel* ?imped* ?bloq* ?abandon* | arrêt* interromp* interruption* suspend* suspens* cess* stopp* ?fin* ?termin* ?mettre_fin ?mis_fin ?abandon* ?sevr* ?achev* ?quitt* ?évit* ?retir* ?conclu* ?laiss* ?ferm* ?abst* ?discont* ?pause* ?retrait ?annul* ?éteign* ?éteind* ?bout ?issue ?termes ?terme ?empêch* ?bloq* ?enlev* | absetz* abgesetzt abbruch* abbrech* abgebroch* bricht_ab beend* stopp* gestoppt unterbrech* unterbroch* unterbrich* pausier* absetzung ?aufhör* ?aufgehört ?einstell* ?eingestellt ?pause* ?end* ?verzicht* ?verlass* ?aussetz* ?ausgesetzt ?aufgegeb* ?schluss ?weglass* ?entfern* ?vermeid* ?schließ* ?geschloss* ?enthalt* ?abstinenz* ?entzug* ?letzt* ?auslass* ?aufgab* ?abschl* ?abgeschl* ?vollend* ?ausschalt* ?ausgeschaltet ?ruh* ?rauchstopp ?entfällt ?verhinder* ?unterbind* ?ablauf* ?abgelauf* ?eingestell* ?einstell*
help.with | ?with ?using ?by ?on ?in ?including ?has ?have ?had ?having ?together | ?con ?en ?incluid* ?tien* ?ten* ?junto ?presenta* ?mediante | ?avec ?à ?sous ?en ?au ?aux ?sur ?par ?ayant ?chez ?atteint* ?ont ?a | ?mit ?samt ?bei ?inklusive ?in ?auf ?zu ?unter ?haben ?hat ?hatten ?an ?durch
help.without | without ?free ?*less ?no ?not ?non ?lack* ?absence ?neither ?nor ?never ?t ?exclud* ?except* ?outside ?absent ?rather ?instead ?cannot ?avoid* ?any ?missing ?unaccompanied ?dry ?regardless ?but ?bare* ?off ?empty ?minus ?asympt* ?afebr* ?uncompl* ?untreat* ?unvacc* ?unsweet* ?unaided ?unassisted ?inact* ?unchanged | sin ?no ?libre* ?ni ?falta* ?car* ?ausen* ?excl* ?exen* ?nunca ?jamás ?ningun* ?ningún ?salvo ?excepto ?fuera ?evit* ?nada ?vací* ?menos ?asint* ?afebr* ?desp* ?desc* ?inalámbric* | sans ?pas ?non ?aucun* ?ni ?dépourvu* ?absence ?exempt* ?hors ?jamais ?rien ?évit* ?manqu* ?sauf ?nu* ?vide ?moins ?hormis ?asympt* ?apyr* ?dép* ?inc* ?ind* ?inchang* | ohne ?*frei ?*freie ?*freien ?*freier ?*freies ?*los ?*lose ?*losen ?*loser ?*loses ?kein* ?nicht* ?fehl* ?weder ?noch ?nie* ?außer* ?leer* ?nichts ?vermeid* ?statt* ?minus ?asympt* ?unkompl* ?unbeh* ?unge* ?unab* ?unver* ?unver*
fit.indicated | indicated indication* allow* permit* authoris* authoriz* safe safer safest safely harmless* ?safe* ?indicat* ?recommend* ?advis* ?suit* ?appropriat* ?should ?approv* | indicad* indicaci* permitid* permis* autoriz* ?permit* segur* inocu* inofens* ?segurid* ?indic* ?recomend* ?aconsej* ?adecuad* ?debe* ?aprob* | indiqué* indication* autoris* permet* permis* inoffens* sûr sûre sûrs sûres sans_danger ?sécur* ?indiqu* ?recommand* ?conseill* ?appropri* ?doit ?permis* ?convien* | indizier* indikation* angezeigt* anwendungsgebiet* erlaubt* gestatt* genehmig* zugelassen* zulässig* sicher sicherer sicherere sichereren sichererer sicherste ungefährlich* gefahrlos* harmlos* unbedenklich* ?sicher* ?angemess* ?empfohl* ?empfehl* ?zugelass* ?geeignet* ?soll* ?erlaubt ?indik*
fit.contra | contraindicat* forbid* forbad* prohibit* dangerous* unsafe risky riskier harmful* ?danger* ?hazard* ?risk* ?toxic* ?contra ?prohib* ?illegal* ?not ?avoid* ?never ?must ?unsuit* ?without ?inadvis* | contraindic* prohib* peligros* arriesgad* nociv* dañin* ?peligr* ?riesg* ?tóxic* ?no ?evit* ?desaconsej* ?nunca ?inadecuad* ?contra | contre_indi* contreindi* interdi* dangereu* risqué* nocif* nociv* ?danger* ?risqu* ?toxi* ?pas ?évit* ?déconseill* ?contre ?jamais ?proscri* | kontraindi* gegenanzeig* verbot* untersag* gefährlich* riskant* schädlich* ?gefahr* ?gefährd* ?risik* ?risk* ?gift* ?unsicher* ?nicht ?gegen* ?untersag* ?darf ?kein* ?niemals ?vermeid*
sign | positiv* / negativ* | positiv* / negativ* | positif* positiv* / négati* | positiv* ?nachgewies* ?nachweis* / negativ*
turn.better | improv* ?better ?recover* ?benefi* ?reliev* ?eas* ?best ?well ?ameliorat* ?enhanc* ?progress* ?resolv* ?gain* ?increas* | mejor* ?benefic* ?aliv* ?recuper* ?óptim* ?aument* ?bien ?ced* ?progres* ?perfeccion* | amélior* ?mieux ?meilleur* ?bénéfi* ?soulag* ?progr* ?augment* ?bien ?gain* | besser* verbesser* ?gebesser* ?erhol* ?linder* ?gut* ?best* ?nutz* ?steiger* ?optimier* ?fortschritt*
turn.worse | worse* deteriorat* ?aggravat* ?bad* ?exacerbat* ?poor* ?decline* ?harm* ?impair* ?progress* ?fail* ?lower* | empeor* peor* ?deterior* ?agrav* ?mal* ?exacerb* ?progres* ?desfavor* ?agudiz* ?menor* ?dañ* | aggrav* empir* ?détérior* pire* plus_mal ?mal ?mauvais* ?exacerb* ?dégrad* ?altér* ?progress* ?nui* | verschlecht* verschlimmer* schlechter* ?schlecht* ?schlimm* ?verstärk* ?exazerb* ?zunahm* ?zunehm* ?beeinträchtig*
money | dollar* $ usd ?bucks / euro euros € eur / £ gbp sterling ?pound* / franc francs chf / yen ¥ / cent cents penny pence / peseta* / marks deutschmark* / pfennig* | dólar* $ usd / euro euros € eur / £ gbp esterlin* ?libra* / franco francos chf / yen* ¥ / céntimo* centavo* / peseta* / marcos / pfennig* | dollar* $ usd / euro euros € eur / £ gbp sterling ?livre* / franc francs chf / yen* ¥ / centime* / peseta* / marks / pfennig* | dollar* $ usd / euro euros € eur / £ gbp pfund_sterling ?pfund* / franken franc chf ?franc* / yen ¥ / cent / peseta* peseten / mark reichsmark* rentenmark* / pfennig*
place | eye eyes ?ocular* ?ophthal* ?sight ?vision / ear ears ?aural* ?otic ?hear* / nose nostril* ?nasal* ?intranasal* / mouth ?oral* ?lip* ?swallow* ?tongue / skin ?cutan* ?derm* ?topical* ?complexion | ojo ojos ?ocular* ?oftalm* ?vista / oreja* oído oídos ?ótic* ?oí* / nariz narina* fosas_nasales ?nasal* / boca ?oral* ?bucal* ?labi* ?lengua / piel ?cután* ?cutis ?derm* | œil oeil yeux ?ocul* ?ophtal* ?vue ?regard* / oreille* ?auricul* ?otique / nez narine* ?nasal* / bouche ?oral* ?buccal* ?lèvre* ?langue / peau ?cutané* ?derm* ?teint | auge augen ?augen* / ohr ohren ?ohr* ?gehör* / nase nasenloch nasenlöcher ?nase* ?nasal* / mund ?mund* ?oral* ?lippe* ?zunge* / haut ?haut* ?derm* ?*haut ?teint
intake.swallow | swallow* drink drinks drank drunk drinking ?oral* ?tak* ?mouth ?ingest* ?eat* ?sip* | trag* beb* ?oral* ?tom* ?ingest* ?ingi* ?boca | aval* boi* buv* bu ?oral* ?pren* ?pris* ?ingest* ?ingér* ?bouche | schluck* geschluckt trink* trank getrunken ?oral* ?nehm* ?nimm* ?nahm* ?einn* ?genommen ?eingenomm* ?mund
intake.inject | inject* ?shot* ?syringe* ?needle* ?intra* ?subcut* ?jab* | inyect* ?pinch* ?jering* ?intra* ?subcut* ?vacun* ?pon* ?pus* | inject* piqu* ?piqûre* ?seringue* ?intra* ?sous_cut* ?vaccin* | injizier* injekt* spritz* gespritzt ?intra* ?subkut* ?impf* ?nadel*
intake.inhale | inhal* breath* ?respir* ?vapo* ?lung* ?aerosol* ?nebul* ?sniff* | inhal* respir* ?aspir* ?vapo* ?pulm* ?nebul* ?alient* | inhal* respir* ?vapeur* ?souff* ?haleine ?poumon* ?nébul* ?essouff* | inhal* atm* einatm* geatmet eingeatmet ?*atm* ?dämpf* ?lunge* ?luft* ?verneb*
spoon | teaspoon* tsp ?small_spoon* / tablespoon* tbsp ?soup_spoon* | cucharadit* ?cucharillas ?cucharilla ?café / cucharada cucharadas ?sopera* ?cuchara ?cucharas ?soper* | cuillère_à_café cuillères_à_café cuiller_à_café cuillerée_à_café cuillerées_à_café ?petite_cuillère ?café / cuillère_à_soupe cuillères_à_soupe cuiller_à_soupe cuillerée_à_soupe cuillerées_à_soupe ?soupe | teelöffel* tl kaffeelöffel* / esslöffel* el_voll ?suppenlöffel*
| acute acutely / chronic* | agud* / crónic* | aigu* / chroni* | akut* / chroni*
| benign* / malignan* ?cancer* | benign* / malign* | bénign* / malign* | gutartig* benign* / bösartig* malign*
| mild mildly / severe* ?serious* ?heav* ?strong* | leve* / grave* ?sever* ?intens* ?fuert* | légère* léger légers bénign* / grave* sévère* ?intens* ?fort* | ?leicht* mild* / schwer* ?stark* ?heftig*
| survival surviv* ?alive / mortality ?death* ?die* ?dead ?fatal* | superviv* sobreviv* / mortalidad* ?muert* ?mor* ?falle* | survie* surviv* / mortalité* ?mort* ?décès | überleb* überlebt* / sterblichkeit* mortalität* ?sterb* ?gestorb* ?tod* ?verst*
| systolic* / diastolic* | sistólic* / diastólic* | systol* / diastol* | systol* / diastol*
| arter* / vein* venous ?intraven* ?venous | arteri* / vena venas venos* | artère* artéri* / veine* veineu* | arteri* ?schlagader* / vene venen venös* ?*vene ?*venen
| men man male males / women woman female females ?pregnan* | hombre* varón varones masculin* / mujer* femenin* | homme* masculin* / femme* féminin* | mann männer* männlich* / frau* weiblich* ?patientin* ?schwanger*
| kidney* renal* nephr* / liver* hepat* / lung* pulmon* ?pneum* ?breath* / heart* cardi* ?coron* ?*cardi* / stomach* gastr* ?abdom* ?belly / brain* cerebr* ?encephal* / spleen* / pancrea* | riñ* renal* nefr* / hígado* hepát* hepat* / pulm* ?neum* ?respir* / coraz* card* ?coron* / estóm* gástr* gastr* ?abdom* ?barrig* ?vientre / cerebr* ?encef* / bazo / páncreas pancre* | rein reins rénal* rénau* néphr* / foie* hépat* / poumon* pulm* ?pneum* ?respir* / cœur* coeur* cardi* ?coron* / estomac* gastr* ?abdom* ?ventre / cerveau* cérébr* ?encéph* / rate / pancréa* | niere* renal* nephr* ?*niere / leber* hepat* / lunge* pulm* ?pneum* ?atem* / herz* kardi* cardi* ?koron* ?*kard* / magen* gastr* ?bauch* / gehirn* hirn* zerebr* ?enzeph* / milz* / pankrea* bauchspeichel*
| hand hands ?wrist* ?finger* / foot feet ?toe* ?ankle* ?pod* / knee knees / hip hips / shoulder shoulders / elbow elbows / neck ?cervic* ?throat | mano manos ?dedo* ?muñec* / pie pies ?tobill* / rodilla* / cadera* / hombro* / codo codos / cuello* nuca ?cervic* | main mains ?doigt* ?poign* ?manu* / pied* ?orteil* ?chevill* / genou* / hanche* / épaule* / coude coudes / cou nuque ?cervic* ?col | hand hände* ?finger* ?handge* / fuß* füße* ?zeh* / knie* / hüft* / schulter* / ellenbogen* ellbogen* / hals nacken* ?genick
| stable ?stab* / unstable instab* ?not | estable* ?estab* / inestab* ?no | stable* ?stab* / instab* ?pas | stabil* / instab* unstab* ?nicht
| symptomatic ?symptom* / asymptom* symptomless ?without ?no ?free | sintomátic* ?síntom* / asintom* ?sin ?no | symptomati* ?symptôm* / asymptom* ?sans ?pas | symptomati* ?symptom* / asymptom* symptomfrei* symptomlos* ?ohne ?kein* ?beschwerdefrei*
| accept* agree* ?consent* / refus* reject* declin* ?not | acept* ?consent* / rechaz* neg* ?rehus* ?no | accept* ?consent* / refus* rejet* ?pas | akzept* annehm* angenommen* ?zustimm* ?einwill* / ablehn* abgelehn* verweiger* ?lehn* ?nicht
| caus* ?lead* ?trigger* ?due / prevent* avoid* ?protect* ?stop* | caus* provoc* provoq* ?deb* / prevén* preven* previen* evit* ?impid* ?imped* | caus* provoqu* ?entraîn* ?dû* ?due* / préven* prévien* évit* ?empêch* | verursach* ?ursach* ?auslös* / verhinder* verhüt* vorbeug* vermeid* ?verhüt*
| eventually / ?possib* ?may ?might ?if | / eventual* | / éventuel* | / eventuell*
| actual actually / ?current* ?present* ?now ?today* ?topical | / actual* | / actuel* | / aktuell*
| constipat* / ?cold / diarrh* | estreñ* / constipado* constipada* / diarrea* | constip* / / diarrh* | verstopf* obstip* / / diarrh* durchfall*
| embarrass* / pregnan* / ?concis* | vergüenz* avergonz* / embaraz* | embarrass* gêné* / enceint* grossess* | peinlich* / schwanger* / prägnant*
| sensible sensibly / sensitiv* | sensat* / sensible* | raisonnable* / sensible* | vernünftig* / sensibel* sensible* empfindlich*
| intoxicated drunk* / poison* | borrach* ebri* / intoxicad* | ivre* / intoxiqué* | betrunken* / vergift*
| preservativ* / condom* | conservante* / preservativ* condon* condón | conservateur* / préservati* | konservier* / präservativ* kondom*
| injur* / insult* | lesi* herid* / injuri* insult* | bless* lésion* / injur* insult* | verletz* / beleidig*
| gift gifts / poison* venom* toxin* | regalo* / venen* | cadeau* / poison* venin* | geschenk* / gift gifte giftig*
| attend attends attended attending / wait* await* ?expect* | / esper* | / attendre attend attends attendez attendent | / wart* erwart*
| resum* / summar* | reanud* / resum* resúm* | repren* repris* / résum* | / zusammenfass* zusammengefasst*
| large larger largest / long longer longest length* lengthy ?along ?last* ?later | gran grande* / largo larga largos largas | / | /
| pain pains painful* / bread* | dolor* doler* duel* / pan panes | douleur* / pain pains | schmerz* / brot* ?*brot
| physician* doctor* / ?physic* | médic* doctor* / físico físicos | médec* / physicien* | arzt* ärzt* / physiker*
| also too / ?so ?thus ?therefore ?hence ?then ?i | / | / | / also
| fast faster fastest / almost nearly ?about ?practically | / casi | / presque | / fast
| parent parents / relative relatives | padres madre* padre / pariente* | parents / | eltern* elternteil / verwandt* angehörig*
| angina / tonsil* sore_throat | angina angina_de_pecho / anginas amigdal* | angor angine_de_poitrine / angine angines amygdal* | angina_pectoris stabile_angina stabiler_angina instabile_angina instabiler_angina / angina mandel*
| support supports supported supporting / ?toler* ?endur* ?withst* ?stand | apoy* / soporta soportan soportar soportad* | sout* / supporter supporte supportent supporté* | unterstütz* / ?ertr* ?vertr* ?aush*
| art arts artist* artwork* / ?kind* ?type* ?sort* ?species ?manner ?way* ?nature | arte artes artíst* / ?tipo* ?especie* | art arts artist* / ?type* ?espèce* | kunst* künst* / art arten
| serious* / ?reput* ?trust* ?respect* ?sound | grave* gravedad / | grave* / | ernst* schwer* / seriös*
| bladder / gallbladder gall_bladder vesicle* | vejiga* / vesícula* | vessie* / vésicule* | harnblase* blase / gallenblase* bläschen*
`;

/** A member of a group. `hint` is a word that may mean it. */
interface Member {
  group: string;
  member: string;
  hint: boolean;
}

const ROWS = readTable(TABLE).flatMap(({ head, words }, row) => {
  const [group = '', member] = head[0]?.split('.') ?? [];
  const cells = byLanguage((language) => words[language].join(' ').split('/').map(wordsIn));
  return Array.from(cells.en, (_, place) => ({
    group: group || String(row),
    member: member ?? String(place),
    words: byLanguage((language) => cells[language][place] ?? []),
  }));
});

const LEXICONS = byLanguage(
  (language) =>
    new Lexicon<Member>(
      ROWS.flatMap(({ group, member, words }) =>
        words[language].map(
          (word) => [word.replace('?', ''), { group, member, hint: word.startsWith('?') }] as const,
        ),
      ),
    ),
);

/** A member that a text names or hints at. */
export interface Mention extends Member, Span {}

/** Returns the members of closed groups that a text names. Of a group, the longest entry counts at each place. */
export function readMentions(tokens: readonly Token[], language: Language): Mention[] {
  const mentions: Mention[] = [];
  /** The index behind the last phrase of each group: "contre-indiqué" has no "indiqué". */
  const behind = new Map<string, number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const fits = Map.groupBy(LEXICONS[language].findAll(tokens, at), ({ meaning }) => meaning.group);
    const [idle] = fits.get('none') ?? [];
    if (idle) {
      at = idle.next - 1;
      continue;
    }
    for (const [group, found] of fits) {
      if (at < (behind.get(group) ?? 0)) continue;
      const length = Math.max(...found.map((fit) => fit.length));
      for (const { meaning, next } of found.filter((fit) => fit.length === length)) {
        behind.set(group, next);
        mentions.push({ ...meaning, ...spanOf(tokens, at, next) });
      }
    }
  }
  return mentions;
}
