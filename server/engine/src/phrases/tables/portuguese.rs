//! Portuguese phrases. *Todo*, *todos* and *resto* are words of the language and mean nothing by themselves.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    (
        "código",
        "código arquivo ficheiro método métodos classe classes função funções implementação componente componentes módulo script lógica programa \
         configuração importações imports testes corpo",
    ),
    ("fraco", "campos propriedades casos opções parâmetros argumentos valores linhas rotas estilos conteúdo seções formulário elementos"),
    ("fica", "permanece permanecem continua continuam fica ficam segue é são está estão"),
    (
        "igual",
        "igual iguais inalterado inalterada inalterados inalteradas sem_alterações sem_mudanças sem_modificações o_mesmo a_mesma como_antes intacto inalterável",
    ),
    (
        "falso",
        "simulado simulada simulados simuladas fictício fictícia fictícios fictícias simplificada simplificado temporária temporário provisória provisório de_exemplo",
    ),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "o? resto|restante do|da|dos|das|de seu|sua? ~1 @código @fica? @igual aqui|ao_anterior?"),
    (Elision, "os|as|o|a? outros|outras|demais|restantes ~1 @código @fica? @igual"),
    (Elision, "o|seu? código existente aqui|inalterado|sem_alterações?"),
    (Elision, "~2 @código omitido|omitida|omitidos|omitidas por_brevidade|por_concisão?"),
    (Elision, "~3 omitido|omitida|omitidos|omitidas por brevidade|concisão"),
    (Elision, "igual a antes|anterior"),
    (Elision, "mesmo que antes"),
    (Dotted, "o? resto|restante do|da|dos|das|de ~2 @código|@fraco @fica? @igual|aqui?"),
    (Dotted, "@código|@fraco existente|existentes|anterior|anteriores|original|restante|restantes aqui|@igual?"),
    (Dotted, "os|as? outros|outras|demais|mesmos|mesmas @código|@fraco @fica? @igual?"),
    (Dotted, "sem alterações|mudanças|modificações"),
    (Dotted, "o? resto|restante @fica? @igual"),
    (Dotted, "como antes|acima"),
    (Promise, "^ TODO|FIXME|a_fazer|por_fazer implementar|completar|terminar|finalizar|implementação"),
    (Promise, "^ TODO|FIXME|a_fazer adicionar|escrever|inserir a|o|sua|seu? lógica|código|implementação"),
    (Promise, "^ implementar aqui|depois|mais_tarde|isto|isso|futuramente $"),
    (Promise, "^ implementar a|o|sua? lógica|código|função|método aqui|depois|mais_tarde? $"),
    (Promise, "^ falta implementar"),
    (Promise, "^ adicionar|adicione|inserir|insira|escreva|coloque sua|seu|a|o? ~1 lógica|código|implementação ~2 aqui $"),
    (Promise, "^ sua|seu código|lógica|implementação vai|fica? aqui $"),
    (Promise, "^ ainda não foi|está? implementado|implementada $"),
    (Promise, "^ não foi|está? implementado|implementada ainda? $"),
    (Promise, "^ a ser implementado|implementada|implementados ~2 $"),
    (Promise, "^ será implementado|implementada ~1 depois|tarde|futuramente|breve $"),
    (Confession, "por !enquanto|ora retornamos|apenas|retorna|retornar|usamos|devolvemos|simulamos|só|somente|retornando"),
    (Confession, "^ implementação|versão|lógica @falso $"),
    (
        Confession,
        "^ valor|valores|dados|resposta|resultado simulado|simulados|simulada|fictício|fictícios|fictícia|de_exemplo|provisório $",
    ),
    (Confession, "^ dados|valor|valores|resposta|implementação @falso por_enquanto|até|para"),
    (
        Confession,
        "em uma|um implementação|aplicação|sistema|projeto|app|ambiente real ~6 deveria|seria|se|usaria|chamaria|faria|iria|deve|devemos|consultaria",
    ),
    (Confession, "^ em produção ~3 deveria|seria|usaria|chamaria|faria|deveríamos|consultaria"),
    (Confession, "^ isto|isso|este|esta é apenas|só? um|uma !placeholder|stub|simulação|mock|espaço_reservado"),
    (
        StandIn,
        "por_enquanto|por_ora|provisório|provisória|provisoriamente|temporário|temporária|temporariamente|fictício|fictícia|simulado|simulada|simplificado|simplificada|dados_de_exemplo|valor_de_exemplo",
    ),
    (StandIn, "não foi|está? implementado|implementada"),
    (StandIn, "a_fazer|falta implementar"),
    (
        Empty,
        "intencionalmente|propositalmente|propositadamente|de_propósito|deliberadamente|não_faz_nada|não_fazer_nada|nada_a_fazer|nada_para_fazer|ignorar|ignorado|ignoramos|não_é_necessário|não_precisa",
    ),
    (StubMissing, "não foi|está? implementado|implementada"),
    (StubPromise, "^ a_fazer|falta implementar"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... restante do código inalterado", Phrase::Elision),
            ("O resto do código permanece igual", Phrase::Elision),
            ("... código existente ...", Phrase::Elision),
            ("Implementação omitida por brevidade", Phrase::Elision),
            ("(sem alterações)", Phrase::Elision),
            ("A FAZER: implementar extrato", Phrase::Promise),
            ("TODO: implementar validação", Phrase::Promise),
            ("Adicionar lógica aqui", Phrase::Promise),
            ("ainda não implementado", Phrase::Promise),
            ("Implementação simplificada: em produção, verificar o limite", Phrase::Confession),
            ("Por enquanto retornamos uma lista vazia", Phrase::Confession),
            ("dados fictícios", Phrase::Confession),
            ("Em uma implementação real, isso chamaria a API", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("valor provisório"));
        assert!(explains_emptiness("vazio de propósito"));
        assert_eq!(stub_wording("Não implementado"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "o resto da divisão é sempre positivo",
            "Todo método que altera o saldo grava um evento",
            "o restante dos argumentos é repassado sem alterações",
            "o código existente do cliente é mantido no cadastro",
            "Em produção o limite vem do banco",
            "implementar esta interface para receber eventos",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
