//! French phrases. *Reste* (a remainder) and *à faire* in prose mean nothing by themselves.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    (
        "code",
        "code fichier méthode méthodes classe classes fonction fonctions implémentation composant composants module script logique imports \
         configuration programme tests corps",
    ),
    ("faible", "champs propriétés cas options paramètres arguments valeurs lignes routes styles contenu sections formulaire éléments"),
    ("est", "est reste restent sont demeure demeurent ne_change_pas ne_changent_pas"),
    (
        "pareil",
        "inchangé inchangée inchangés inchangées identique identiques le_même la_même les_mêmes comme_avant tel_quel telle_quelle intact sans_changement",
    ),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "le? reste du|de|des la|l|votre|ton|ce|cette? ~1 @code @est? @pareil"),
    (Elision, "le? reste du|de la|l? @code ne_change_pas"),
    (Elision, "les|le|la? autres|restantes|restants ~1 @code @est? @pareil"),
    (Elision, "le|votre|ton? code existant ici|inchangé?"),
    (
        Elision,
        "~3 omis|omise|omises par|pour souci_de_concision|souci_de_brièveté|concision|brièveté|des_raisons_de_concision|plus_de_clarté",
    ),
    (Elision, "~2 @code omis|omise|omises"),
    (Elision, "comme avant"),
    (Elision, "identique à_avant|à_l_original|à_la_version_précédente"),
    (Dotted, "le? reste du|de|des la|l|votre? ~1 @code|@faible @est? @pareil|ici?"),
    (Dotted, "@code|@faible existant|existante|existants|existantes|précédent|précédente|restant|restants|inchangé|inchangée ici|@pareil?"),
    (Dotted, "les? autres|mêmes @code|@faible @est? @pareil?"),
    (Dotted, "inchangé|sans_changement|sans_modification|aucun_changement"),
    (Dotted, "le? reste @est? @pareil"),
    (Dotted, "comme ci_dessus|précédemment|plus_haut"),
    (Promise, "^ TODO|FIXME à? implémenter|compléter|terminer|implémentation|finir"),
    (Promise, "^ TODO|FIXME ajouter|écrire la|le|l|votre? logique|code|implémentation"),
    (Promise, "^ à implémenter|compléter plus_tard|ici|ultérieurement|ensuite|bientôt? $"),
    (Promise, "^ à faire plus_tard|implémenter|compléter? $"),
    (Promise, "^ reste à implémenter"),
    (Promise, "^ implémenter ici|plus_tard|ultérieurement|ceci|cela $"),
    (Promise, "^ implémenter la|le|l|votre? logique|code|fonction|méthode ici|plus_tard? $"),
    (Promise, "^ pas encore implémenté|implémentée|implémentés $"),
    (Promise, "^ non implémenté|implémentée $"),
    (Promise, "^ ~3 n est pas encore implémenté|implémentée $"),
    (Promise, "^ ajouter|ajoutez|mettre|insérer|insérez|écrire|écrivez votre|la|le|l? ~1 logique|code|implémentation ~2 ici $"),
    (Promise, "^ votre|ton code|logique|implémentation va? ici $"),
    (Promise, "^ sera implémenté|implémentée plus_tard|ultérieurement|prochainement $"),
    (Confession, "^ pour l instant on|nous|juste|simplement? renvoie|retourne|utilise|renvoyons|retournons|utilisons|renvoyer|retourner"),
    (Confession, "^ version|implémentation|logique simplifiée|factice|temporaire|provisoire|simulée|fictive $"),
    (Confession, "^ version|implémentation|logique simplifiée|factice|temporaire|provisoire ~3 production|instant|réelle|vraie"),
    (
        Confession,
        "dans une vraie|véritable implémentation|application|appli ~6 devrait|on|il|serait|faudrait|ferait|appellerait|utiliserait",
    ),
    (Confession, "dans une implémentation|application|système réelle|réel ~6 devrait|on|il|serait|faudrait|ferait|appellerait|utiliserait"),
    (Confession, "^ en production ~3 devrait|faudrait|serait|ferait|utiliserait|appellerait"),
    (
        Confession,
        "^ valeur|valeurs|données|réponse|résultat fictive|fictives|factice|factices|fictif|fictifs|d_exemple|en_dur|simulées|simulée|bidon ~1 $",
    ),
    (
        StandIn,
        "pour_l_instant|provisoire|provisoirement|temporaire|temporairement|fictif|fictive|fictives|factice|factices|simulé|simulée|simulées|simplifié|simplifiée|en_dur|bouchon",
    ),
    (StandIn, "pas encore? implémenté|implémentée"),
    (StandIn, "à implémenter|compléter"),
    (
        Empty,
        "volontairement|intentionnellement|délibérément|exprès|à_dessein|ne_fait_rien|rien_à_faire|ne_rien_faire|ignorer|ignoré|ignorée|on_ignore|pas_nécessaire|inutile",
    ),
    (StubMissing, "pas|non encore? implémenté|implémentée|implémente"),
    (StubPromise, "^ à implémenter|compléter"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... le reste du code est inchangé ...", Phrase::Elision),
            ("Le reste du fichier reste identique", Phrase::Elision),
            ("... code existant ...", Phrase::Elision),
            ("gestion des erreurs omise par souci de concision", Phrase::Elision),
            ("comme avant", Phrase::Elision),
            ("À implémenter plus tard", Phrase::Promise),
            ("TODO : implémenter le calcul", Phrase::Promise),
            ("pas encore implémenté", Phrase::Promise),
            ("Ajoutez votre logique ici", Phrase::Promise),
            ("Pour l'instant, on renvoie une liste vide", Phrase::Confession),
            ("implémentation factice", Phrase::Confession),
            ("Dans une vraie application, on interrogerait la base", Phrase::Confession),
            ("valeur fictive", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("valeur provisoire"));
        assert!(explains_emptiness("volontairement vide"));
        assert_eq!(stub_wording("Pas encore implémenté"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "le reste de la division est nul",
            "Le reste des arguments est transmis sans changement",
            "le code existant du client est conservé",
            "En production, la limite vient de la base",
            "travail à faire par le serveur",
            "implémenter cette interface pour recevoir les événements",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
