/**
 * The units that the guard knows, a row each: UCUM code, dimension, factor, symbols (whose case matters), and the words of
 * English, Spanish, French and German in lower case. Symbols and words are separated by spaces; `_` joins the words of a phrase.
 *
 * Codes and factors are those of UCUM. A unit of a day or longer has the Julian year of UCUM, so that twelve months are a year.
 * International units are one dimension, although what they measure differs by substance.
 */
export const UNIT_TABLE = `
kg | g | 1000 | kg Kg KG | kilogram kilograms kilo kilos | kilogramo kilogramos kilo kilos | kilogramme kilogrammes kilo kilos | kilogramm kilo
g | g | 1 | g gr | gram grams gramme grammes | gramo gramos | gramme grammes | gramm
mg | g | 0.001 | mg | milligram milligrams | miligramo miligramos | milligramme milligrammes | milligramm
ug | g | 0.000001 | µg μg ug mcg γ | microgram micrograms | microgramo microgramos | microgramme microgrammes | mikrogramm
ng | g | 1e-9 | ng | nanogram nanograms | nanogramo nanogramos | nanogramme nanogrammes | nanogramm
pg | g | 1e-12 | pg | picogram picograms | picogramo picogramos | picogramme picogrammes | pikogramm
t | g | 1000000 |  | tonnes | toneladas | tonnes | tonnen
[foz_us] | L | 0.0295735295625 | fl_oz fl_._oz | fluid_ounce fluid_ounces | onza_líquida onzas_líquidas | once_liquide onces_liquides | flüssigunze flüssigunzen
[lb_av] | g | 453.59237 | lb lbs | pound pounds | libra libras | livres | pfund
[oz_av] | g | 28.349523125 | oz | ounce ounces | onza onzas | once onces | unze unzen
L | L | 1 | l L ℓ | litre litres liter liters | litro litros | litre litres | liter litern
dL | L | 0.1 | dl dL | decilitre deciliter decilitres deciliters | decilitro decilitros | décilitre décilitres | deziliter
cL | L | 0.01 | cl cL | centilitre centilitres | centilitro centilitros | centilitre centilitres | zentiliter
mL | L | 0.001 | ml mL ML cc ccm | millilitre millilitres milliliter milliliters | mililitro mililitros | millilitre millilitres | milliliter millilitern
uL | L | 0.000001 | µl µL μl μL ul uL | microlitre microlitres microliter microliters | microlitro microlitros | microlitre microlitres | mikroliter
nL | L | 1e-9 | nl nL |  |  |  |
fL | L | 1e-15 | fl fL | femtolitres femtoliters | femtolitros | femtolitres | femtoliter
mol | mol | 1 | mol | mole moles | moles | moles | mol
mmol | mol | 0.001 | mmol | millimole millimoles | milimol milimoles | millimole millimoles | millimol
umol | mol | 0.000001 | µmol μmol umol | micromole micromoles | micromol micromoles | micromole micromoles | mikromol
nmol | mol | 1e-9 | nmol | nanomole nanomoles | nanomol nanomoles | nanomole nanomoles | nanomol
pmol | mol | 1e-12 | pmol | picomole picomoles | picomol picomoles | picomole picomoles | pikomol
eq | eq | 1 | Eq |  |  |  |
meq | eq | 0.001 | mEq meq mval mVal | milliequivalent milliequivalents | miliequivalente miliequivalentes | milliéquivalent milliéquivalents | milliäquivalent
osm | osm | 1 | Osm osm |  |  |  |
mosm | osm | 0.001 | mOsm mosm mosmol mOsmol | milliosmole milliosmoles | miliosmoles | milliosmoles | milliosmol
[iU] | U | 1 | IU UI IE I.E. U.I. I.U. iu ui U u E | unit units international_units international_unit | unidad unidades unidades_internacionales unidad_internacional | unité unités unités_internationales unité_internationale | einheit einheiten internationale_einheiten internationalen_einheiten internationale_einheit
m[iU] | U | 0.001 | mU mIU mUI mIE |  |  |  |
u[iU] | U | 0.000001 | µU μU µIU μIU µUI μUI µIE |  |  |  |
k[iU] | U | 1000 | kU kIU kUI kIE |  |  |  |
M[iU] | U | 1000000 | MU MIU MUI |  |  |  |
{pack} | sachet | 1 |  | units_of_red units_of_packed units_of_blood units_of_platelets unit_of_red unit_of_packed unit_of_blood | unidades_de_sangre unidades_de_hematíes unidades_de_concentrado | unités_de_sang unités_de_globules unités_de_concentré | 
km | m | 1000 | km | kilometre kilometres kilometer kilometers | kilómetro kilómetros | kilomètre kilomètres | kilometer kilometern
m | m | 1 | m | metre metres meter meters | metro metros | mètre mètres | meter metern
dm | m | 0.1 | dm |  |  |  |
cm | m | 0.01 | cm | centimetre centimetres centimeter centimeters | centímetro centímetros | centimètre centimètres | zentimeter zentimetern
mm | m | 0.001 | mm | millimetre millimetres millimeter millimeters | milímetro milímetros | millimètre millimètres | millimeter millimetern
um | m | 0.000001 | µm μm | micrometre micrometres micrometer micrometers micron microns | micrómetro micrómetros micra micras | micromètre micromètres micron microns | mikrometer
nm | m | 1e-9 | nm | nanometre nanometres nanometer nanometers | nanómetro nanómetros | nanomètre nanomètres | nanometer
m2 | m2 | 1 |  | square_metre square_metres square_meter square_meters | metro_cuadrado metros_cuadrados | mètre_carré mètres_carrés | quadratmeter
har | m2 | 10000 | ha | hectare hectares | hectárea hectáreas | hectare hectares | hektar
[acr_us] | m2 | 4046.8564 |  | acre acres | acre acres | acre acres | acre acres
cm2 | m2 | 0.0001 |  | square_centimetre square_centimetres square_centimeter square_centimeters | centímetro_cuadrado centímetros_cuadrados | centimètre_carré centimètres_carrés | quadratzentimeter
mm2 | m2 | 0.000001 |  | square_millimetres square_millimeters | milímetros_cuadrados | millimètres_carrés | quadratmillimeter
m3 | L | 1000 |  | cubic_metre cubic_meter | metro_cúbico | mètre_cube | kubikmeter
cm3 | L | 0.001 |  | cubic_centimetre cubic_centimetres cubic_centimeter cubic_centimeters | centímetro_cúbico centímetros_cúbicos | centimètre_cube centimètres_cubes | kubikzentimeter
mm3 | L | 0.000001 |  | cubic_millimetre cubic_millimeter | milímetro_cúbico | millimètre_cube | kubikmillimeter
[in_i] | m | 0.0254 |  | inch inches | pulgada pulgadas | pouce pouces | zoll
[ft_i] | m | 0.3048 | ft | foot feet | pies | pieds | fuß
Fr | french | 1 | Fr Ch CH | french | french | french | charrière french
[G] | gauge | 1 | G | gauge | gauge | gauge | gauge
s | s | 1 | s sec secs seg sek Sek | second seconds | segundo segundos | seconde secondes | sekunde sekunden
ms | s | 0.001 | ms msec | millisecond milliseconds | milisegundo milisegundos | milliseconde millisecondes | millisekunde millisekunden
min | s | 60 | min mins Min mn | minute minutes | minuto minutos | minute minutes | minute minuten
h | s | 3600 | h hr hrs H Std std | hour hours | hora horas | heure heures | stunde stunden
d | s | 86400 | d | day days | día días | jour jours | tag tage tagen tages
wk | s | 604800 | wk wks Wo SSW SA | week weeks | semana semanas | semaine semaines | woche wochen
2.wk | s | 1209600 |  | fortnight fortnights |  |  |
mo | s | 2629800 | mo | month months | mes meses | mois | monat monate monaten monats
a | s | 31557600 | yr yrs | year years | año años | an ans année années | jahr jahre jahren jahres
10.a | s | 315576000 |  | decade decades | década décadas | décennie décennies | jahrzehnt jahrzehnte jahrzehnten
% | % | 1 | % ％ vH vol_% vol_._% vol_._-_% %_vol %_v_/_v | percent per_cent | porciento por_ciento por_cien | pourcent pour_cent | prozent
[ppth] | % | 0.1 | ‰ | permille per_mille per_mil | por_mil | pour_mille | promille
pp | pp | 1 | pp | percentage_point percentage_points | puntos_porcentuales punto_porcentual puntos_de_porcentaje | point_de_pourcentage points_de_pourcentage | prozentpunkt prozentpunkte prozentpunkten
[ppm] | ppm | 1 | ppm |  |  |  |
Cel | temperature | 1 | °_c º_c | celsius degrees_celsius degree_celsius degrees_centigrade degrees_c | celsius centígrado centígrados grados_celsius grados_centígrados grado_celsius | celsius degrés_celsius degré_celsius | celsius grad_celsius
[degF] | temperature-f | 1 | °_f º_f | fahrenheit degrees_fahrenheit | fahrenheit grados_fahrenheit | fahrenheit degrés_fahrenheit | fahrenheit grad_fahrenheit
deg | degree | 1 | ° º | degree degrees | grado grados | degré degrés | grad
mm[Hg] | pressure | 1 | mmHg mmhg mm_hg | millimetres_of_mercury millimeters_of_mercury | mm_de_hg milímetros_de_mercurio | mm_de_hg millimètres_de_mercure | mm_quecksilbersäule millimeter_quecksilbersäule
cm[H2O] | pressure | 0.73555912101486 | cmH2O cmH₂O cm_h_2_o cm_h_₂_o cmh_2_o cmh_₂_o |  | cm_de_agua | cm_d_eau | cm_wassersäule
kPa | pressure | 7.500637554192106 | kPa |  |  |  |
Pa | pressure | 0.007500637554192106 | Pa |  |  |  |
hPa | pressure | 0.7500637554192106 | hPa mbar |  |  |  |
bar | pressure | 750.0637554192106 | bar | bar | bar bares | bar bars | bar
kcal | energy | 4184 | kcal Kcal | kilocalorie kilocalories calorie calories | kilocaloría kilocalorías caloría calorías | kilocalorie kilocalories calories | kilokalorie kilokalorien kalorien
kJ | energy | 1000 | kJ | kilojoule kilojoules | kilojulio kilojulios | kilojoule kilojoules | kilojoule
J | energy | 1 | J | joule joules | julio julios | joule joules | joule
Gy | Gy | 1 | Gy | gray | gray | gray grays | gray
cGy | Gy | 0.01 | cGy |  |  |  |
mGy | Gy | 0.001 | mGy |  |  |  |
Sv | Sv | 1 | Sv | sievert | sievert | sievert | sievert
mSv | Sv | 0.001 | mSv | millisievert millisieverts | milisievert | millisievert millisieverts | millisievert
Bq | Bq | 1 | Bq |  |  |  |
kBq | Bq | 1000 | kBq |  |  |  |
MBq | Bq | 1000000 | MBq | megabecquerel megabecquerels | megabecquerelios | mégabecquerels | megabecquerel
GBq | Bq | 1000000000 | GBq |  |  |  |
mCi | Bq | 37000000 | mCi |  |  |  |
Hz | Hz | 1 | Hz | hertz | hercios | hertz | hertz
kHz | Hz | 1000 | kHz |  |  |  |
MHz | Hz | 1000000 | MHz |  |  |  |
dB | dB | 1 | dB | decibel decibels | decibelios decibeles | décibels | dezibel
V | V | 1 | V | volt volts | voltios | volts | volt
mV | V | 0.001 | mV | millivolt millivolts | milivoltios | millivolts | millivolt
mA | A | 0.001 | mA |  |  |  |
W | W | 1 | W | watt watts | vatios | watts | watt
T | T | 1 | T | tesla | tesla teslas | tesla teslas | tesla
[diop] | diop | 1 | D dpt dptr | dioptre dioptres diopter diopters | dioptría dioptrías | dioptrie dioptries | dioptrie dioptrien
[drp] | drop | 1 | gtt | drop drops | gota gotas | goutte gouttes | tropfen
{tbl} | tablet | 1 | Tbl Tabl | tablet tablets pill pills | comprimido comprimidos tableta tabletas pastilla pastillas píldora píldoras | comprimé comprimés cachet cachets pilule pilules | tablette tabletten filmtablette filmtabletten pille pillen retardtablette retardtabletten brausetablette brausetabletten kautablette kautabletten schmelztablette schmelztabletten
{cap} | capsule | 1 | Kps | capsule capsules | cápsula cápsulas | gélule gélules capsule capsules | kapsel kapseln hartkapsel hartkapseln weichkapsel weichkapseln
{puff} | puff | 1 |  | puff puffs spray sprays actuation actuations | inhalación inhalaciones pulverización pulverizaciones puff puffs | bouffée bouffées pulvérisation pulvérisations | hub hübe hüben sprühstoß sprühstöße sprühstößen
{tsp} | teaspoon | 1 | TL | teaspoon teaspoons teaspoonful teaspoonfuls | cucharadita cucharaditas | cuillère_à_café cuillères_à_café cuiller_à_café cuillerée_à_café cuillerées_à_café c_._à_c | teelöffel
{tbsp} | tablespoon | 1 | EL | tablespoon tablespoons tablespoonful | cucharada cucharadas | cuillère_à_soupe cuillères_à_soupe cuillerée_à_soupe cuillerées_à_soupe | esslöffel
{sachet} | sachet | 1 |  | sachet sachets | sobre sobres | sachet sachets | beutel
{vial} | vial | 1 |  | vial vials | vial viales | flacon flacons | durchstechflasche durchstechflaschen
{amp} | ampoule | 1 |  | ampoule ampoules ampule ampules | ampolla ampollas | ampoule ampoules | ampulle ampullen
{patch} | patch | 1 |  | patch patches | parche parches | patch patchs dispositif dispositifs | pflaster
{supp} | suppository | 1 |  | suppository suppositories | supositorio supositorios | suppositoire suppositoires | zäpfchen
`;
