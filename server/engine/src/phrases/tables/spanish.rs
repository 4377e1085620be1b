//! Spanish phrases. *Todo*, *todos*, *resto* and *método* are words of the language and mean nothing by themselves.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    (
        "código",
        "código archivo fichero método métodos clase clases función funciones implementación componente componentes módulo script lógica programa \
         configuración importaciones imports pruebas tests cuerpo",
    ),
    (
        "débil",
        "campos propiedades casos opciones parámetros argumentos valores líneas rutas estilos contenido secciones formulario elementos",
    ),
    ("queda", "permanece permanecen queda quedan sigue siguen se_mantiene se_mantienen continúa continúan es son está están"),
    (
        "igual",
        "igual iguales sin_cambios inalterado inalterada inalterados inalteradas intacto igual_que_antes como_antes sin_modificar sin_modificaciones el_mismo la_misma",
    ),
    (
        "falso",
        "simulado simulada simulados simuladas ficticio ficticia ficticios ficticias de_ejemplo de_prueba temporal temporales provisional provisionales",
    ),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "el? resto de|del el|la|los|las|tu|este|esta? ~1 @código @queda? @igual aquí|que_antes?"),
    (Elision, "el|los|las|la? otros|otras|demás|restantes ~1 @código @queda? @igual"),
    (Elision, "el|tu|aquí_va_el? código existente aquí|sin_cambios|va_aquí?"),
    (Elision, "~2 @código omitido|omitida|omitidos|omitidas por_brevedad?"),
    (Elision, "~3 omitido|omitida|omitidos|omitidas|omite|omiten ~2 por_brevedad"),
    (Elision, "se omite|omiten ~4 por brevedad"),
    (Elision, "el? código|método|función|implementación|archivo existente|anterior|original @queda? sin_cambios|igual|intacto"),
    (Elision, "igual que antes"),
    (Dotted, "el? resto de|del ~2 @código|@débil @queda? @igual|aquí?"),
    (Dotted, "@código|@débil existente|existentes|anterior|anteriores|original|restante|restantes aquí|@igual?"),
    (Dotted, "el|la|los|las otros|otras|demás @código|@débil @queda? @igual?"),
    (Dotted, "otros|otras|demás|mismos|mismas @código|@débil @queda? @igual?"),
    (Dotted, "sin cambios|modificaciones"),
    (Dotted, "el? resto @queda? @igual"),
    (Dotted, "como|igual_que antes|arriba|anteriormente"),
    (Promise, "^ TODO|FIXME|por_hacer|pendiente implementar|completar|terminar|implementación"),
    (Promise, "^ TODO|FIXME agregar|añadir|escribir la|el|tu? lógica|código|implementación"),
    (Promise, "^ por implementar $"),
    (Promise, "^ pendiente de implementar|implementación|completar ~3 $"),
    (Promise, "^ implementar aquí|más_tarde|luego|después|esto $"),
    (Promise, "^ implementar la|el|tu? lógica|código|función|método aquí|más_tarde|luego|después $"),
    (Promise, "^ aquí va|iría|irá|debe_ir|debería_ir tu|el|la|su ~1 código|lógica|implementación"),
    (Promise, "^ implementar ~2 más adelante $"),
    (Promise, "^ falta|queda por? implementar|completar"),
    (Promise, "^ añadir|agregar|poner|escribir|escribe|agrega|añade tu|la|el|su? ~1 lógica|código|implementación ~2 aquí $"),
    (Promise, "^ tu|su código|lógica|implementación va? aquí $"),
    (Promise, "^ aún|todavía no está? implementado|implementada $"),
    (Promise, "^ no está? implementado|implementada aún|todavía? $"),
    (Promise, "^ se implementará ~1 más_tarde|luego|después|adelante|próximamente $"),
    (
        Confession,
        "por ahora|el_momento solo|simplemente|se|lo? devolvemos|retornamos|usamos|devuelve|retorna|devolver|retornar|simulamos|devolviendo",
    ),
    (Confession, "^ valor|valores|dato|datos|implementación|respuesta|resultado @falso $"),
    (Confession, "^ valor|valores|datos|implementación|respuesta @falso por_ahora|hasta|mientras|para"),
    (
        Confession,
        "en una|un implementación|aplicación|sistema|proyecto|app|entorno real ~6 debería|se|sería|deberíamos|habría|llamaría|haría|usaría|consultaría",
    ),
    (Confession, "^ en producción ~3 debería|deberíamos|sería|habría|haría|usaría|llamaría|consultaría"),
    (Confession, "^ ~2 versión|implementación|lógica simplificada $"),
    (Confession, "^ ~2 versión|implementación simplificada ~2 en|para|por ~1 producción|ahora|real|demo"),
    (
        Confession,
        "^ esto|este|esta es? solo? un|una marcador_de_posición|stub|simulación|implementación_provisional|implementación_temporal",
    ),
    (Confession, "^ marcador de posición $"),
    (Confession, "^ marcador de posición hasta|por_ahora|temporal"),
    (
        StandIn,
        "por_ahora|por_el_momento|provisional|provisionalmente|temporal|temporalmente|ficticio|ficticia|simulado|simulada|simulados|simplificado|simplificada|marcador_de_posición|datos_de_ejemplo|valor_de_ejemplo|de_momento",
    ),
    (StandIn, "no está? implementado|implementada"),
    (StandIn, "pendiente|falta implementar|de_implementar|por_implementar|completar"),
    (
        Empty,
        "intencionalmente|intencionadamente|a_propósito|adrede|deliberadamente|por_diseño|no_hace_nada|no_hacer_nada|nada_que_hacer|no_hay_nada|se_ignora|se_ignoran|ignorar|ignoramos|ignorado|no_es_necesario|no_hace_falta|vacío_porque",
    ),
    (StubMissing, "no|sin está|ha_sido|fue? implementado|implementada|implementar"),
    (StubPromise, "^ por|falta|pendiente|pendiente_de implementar"),
    (StubMissing, "todavía|aún no implementado|implementada|está_implementado"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... resto del código sin cambios ...", Phrase::Elision),
            ("El resto del código permanece igual", Phrase::Elision),
            ("... código existente ...", Phrase::Elision),
            ("(sin cambios)", Phrase::Elision),
            ("se omite el manejo de errores por brevedad", Phrase::Elision),
            ("igual que antes", Phrase::Elision),
            ("TODO: implementar", Phrase::Promise),
            ("TODO: implementar la validación", Phrase::Promise),
            ("Pendiente de implementar", Phrase::Promise),
            ("falta implementar el cálculo", Phrase::Promise),
            ("Añadir la lógica aquí", Phrase::Promise),
            ("aun no implementado", Phrase::Promise),
            ("Por ahora devolvemos una lista vacía", Phrase::Confession),
            ("valor ficticio", Phrase::Confession),
            ("En una implementación real se consultaría la base de datos", Phrase::Confession),
            ("Versión simplificada", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("valor provisional"));
        assert!(explains_emptiness("vacío a propósito"));
        assert_eq!(stub_wording("no implementado"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "Método que calcula la media de todos los valores",
            "todo número tiene un resto; el resto de la división es entero",
            "TODOS los elementos deben ser positivos",
            "el resto de los argumentos se pasa sin cambios a la base",
            "Todo lo que sigue se usa en la caja.",
            "el código existente de la tarjeta se guarda en la caja",
            "valor temporal de la variable mientras se ordena la lista del mes",
            "implementar esta interfaz para recibir eventos",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
