//! German phrases. *Rest* (a remainder) and *Platzhalter* (in a template) are domain words and mean nothing by themselves.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    (
        "code",
        "code codes quellcode datei methode methoden klasse klassen funktion funktionen implementierung implementierungen komponente komponenten \
         modul moduls skript skripts logik importe imports konfiguration tests",
    ),
    ("schwach", "felder eigenschaften fälle optionen parameter argumente werte zeilen routen stile inhalt einträge abschnitte formular"),
    ("bleibt", "bleibt bleiben ist sind wird"),
    ("gleich", "unverändert gleich wie_bisher wie_zuvor wie_vorher wie_gehabt wie_oben identisch unangetastet"),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "der? rest des|der|vom|von? bestehenden|vorhandenen|restlichen? @code @bleibt? @gleich"),
    (Elision, "der|die|das? restliche|restlicher|restlichen|übrige|übriger|übrigen|andere|anderen|alle_anderen @code @bleibt? @gleich"),
    (Elision, "der|dein? bestehender|vorhandener|bestehende|vorhandene code hier|unverändert|bleibt?"),
    (Elision, "~3 der_kürze_halber|der_übersicht_halber weggelassen|ausgelassen|entfernt|gekürzt"),
    (Elision, "~2 @code weggelassen|ausgelassen|gekürzt"),
    (Elision, "der kürze halber weggelassen|ausgelassen|gekürzt?"),
    (Elision, "wie bisher|zuvor"),
    (Dotted, "der? rest des|der|vom|von? ~1 @code|@schwach @bleibt? @gleich|hier?"),
    (
        Dotted,
        "der|die|das|dein? bestehende|bestehender|bestehenden|vorhandene|vorhandener|vorhandenen|restliche|restlicher|restlichen|übrige|übriger|weitere|andere|bisheriger|bisherige @code|@schwach @bleibt? @gleich|hier?",
    ),
    (Dotted, "unverändert|keine_änderungen|keine_änderung"),
    (Dotted, "der? rest @bleibt? @gleich"),
    (Dotted, "wie oben|vorher|gehabt"),
    (Dotted, "und so weiter"),
    (Promise, "^ TODO|FIXME ~4 implementieren|ergänzen|ausprogrammieren|fertigstellen|vervollständigen"),
    (Promise, "^ TODO|FIXME implementierung"),
    (Promise, "^ ~3 muss|wird|müssen|werden ~2 noch|später implementiert|ergänzt|ausprogrammiert|vervollständigt"),
    (Promise, "^ noch nicht implementiert|umgesetzt $"),
    (Promise, "^ noch zu implementieren $"),
    (Promise, "^ nicht implementiert $"),
    (Promise, "^ ~2 ist|sind noch nicht implementiert $"),
    (
        Promise,
        "^ hier kommt|steht|folgt später? ~1 code|logik|implementierung|dein|deine|eigene|eigener|eigentliche|eigentlicher|echte|echter",
    ),
    (Promise, "^ hier kommt|folgt|fehlt ~1 später|noch"),
    (Promise, "^ hier ~2 code|logik|implementierung einfügen|ergänzen|implementieren|hinzufügen"),
    (Promise, "^ dein|deine|ihr|ihre code|logik|implementierung hier|kommt_hier_hin|kommt_hier|kommt_hierhin $"),
    (Promise, "^ später implementieren|ergänzen $"),
    (Promise, "^ implementierung folgt|fehlt|ausstehend ~1 $"),
    (Confession, "^ ~2 platzhalter ~4 später|echte|echten|echter|bis|vorerst|vorläufig|implementierung"),
    (Confession, "^ nur? ein? platzhalter $"),
    (Confession, "^ vorerst|vorläufig|fürs_erste|erstmal nur|einfach|geben|fest|hart|leer|immer"),
    (Confession, "^ vorerst|vorläufig wird|geben|liefern|gibt|liefert ~2 fester|feste|festen|leere|leeres|leerer|konstanter|statischer"),
    (Confession, "^ vereinfachte version|implementierung|logik|variante $"),
    (Confession, "^ vereinfachte version|implementierung|logik ~3 echte|echten|produktion|vorerst|später"),
    (
        Confession,
        "in der|einer echten|realen|richtigen|produktiven anwendung|implementierung|umgebung|system|app ~6 würde|sollte|müsste|wird|muss|würden|wäre",
    ),
    (Confession, "^ in der? produktion ~3 würde|sollte|müsste|würden"),
    (Confession, "^ dummy|dummydaten|testdaten|beispieldaten|dummywert|scheindaten implementierung|daten|wert|werte|antwort|vorerst|bis $"),
    (Confession, "^ dummydaten|dummywert|dummyimplementierung|scheindaten"),
    (
        StandIn,
        "platzhalter|vorerst|vorläufig|fürs_erste|erstmal|provisorisch|vorübergehend|vereinfacht|vereinfachte|dummydaten|dummywert|beispieldaten|hartkodiert|hartcodiert|fest_verdrahtet",
    ),
    (StandIn, "noch nicht implementiert|umgesetzt|fertig"),
    (
        Empty,
        "absichtlich|bewusst|mit_absicht|tut_nichts|macht_nichts|nichts_zu_tun|nichts_tun|ignorieren|ignoriert|nicht_nötig|nicht_benötigt|nicht_erforderlich|leer_weil",
    ),
    (StubMissing, "nicht implementiert"),
    (StubPromise, "^ implementierung folgt|fehlt"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... Rest des Codes bleibt unverändert ...", Phrase::Elision),
            ("Restlicher Code unverändert", Phrase::Elision),
            ("... bestehender Code ...", Phrase::Elision),
            ("Fehlerbehandlung der Kürze halber weggelassen", Phrase::Elision),
            ("wie bisher", Phrase::Elision),
            ("(unverändert)", Phrase::Elision),
            ("TODO: implementieren", Phrase::Promise),
            ("TODO: Rabatt implementieren", Phrase::Promise),
            ("muss noch implementiert werden", Phrase::Promise),
            ("Noch nicht implementiert", Phrase::Promise),
            ("hier kommt später die Logik", Phrase::Promise),
            ("Platzhalter, später durch echte Daten ersetzen", Phrase::Confession),
            ("Vorerst nur ein leeres Ergebnis", Phrase::Confession),
            ("In der echten Anwendung würde hier die Datenbank gefragt", Phrase::Confession),
            ("Vereinfachte Implementierung", Phrase::Confession),
            ("Dummy-Daten", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("vorläufig"));
        assert!(explains_emptiness("absichtlich leer"));
        assert_eq!(stub_wording("Noch nicht implementiert"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "Rest der Division",
            "Der Platzhalter %s wird durch den Namen ersetzt.",
            "Verteilt den restlichen Betrag; der Rest bleibt unverändert in der Kasse.",
            "Der Rest der Zeile wird ignoriert",
            "die übrigen Werte bleiben gleich",
            "wird von der Unterklasse implementiert",
            "Platzhalter für den Namen",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
