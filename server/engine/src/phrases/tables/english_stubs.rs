//! English confessions, stand-in words, explanations of emptiness and messages of stubs.
//!
//! A confession names the real thing that is missing ("in a real app this would …") or the false thing that is there
//! ("mock data for now"). Honest limits ("for now we assume ASCII") are not confessions.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    ("real", "real actual production real_world full proper production_ready"),
    (
        "system",
        "implementation app application system code project scenario program service setup deployment environment codebase version product",
    ),
    ("would", "would should you we d ll need needs must could might want this it use replace fetch call come"),
    ("fake", "placeholder stub dummy mock mocked fake simulated hardcoded hard_coded canned"),
    ("poor", "placeholder stub dummy mock fake simplified naive temporary hardcoded hard_coded simulated minimal_stub"),
    (
        "kind",
        "implementation implementations version logic code function method response data value values return result results body handler",
    ),
    ("nothing", "nothing none null nil undefined empty an_empty true false zero 0 1 ok success"),
    ("until", "for_now until for_the_moment for_the_time_being at_the_moment temporarily"),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Confession, "in a|an|the ~1 !@real ~1 @system ~6 would|should|you|we|d|ll|need|needs|must|could|might"),
    (Confession, "^ in a|an|the ~1 !@real ~1 @system use|replace|fetch|call|query|load|get|send|validate|check|store"),
    (Confession, "would|should ~8 in a|an !@real ~1 @system"),
    (Confession, "^ in production this|we|you would be|use|call|come|fetch|query|do|need|implement|have|connect|send|store|load|read"),
    (Confession, "in !production ~2 use|call|fetch|query|replace|send|connect ~1 a|an|the? real|actual|proper"),
    (Confession, "^ in production you_d|we_d|you_ll ~2 use|want|call|fetch|need"),
    (Confession, "^ in real|actual implementation|app|application ~6 would|should|you|we"),
    (
        Confession,
        "^ a? real|actual|production|proper|complete|full !implementation|version|app|application|system would|should|needs_to|will",
    ),
    (Confession, "^ this|it is|s just|only? a|an very? !simplified|naive|minimal implementation|version $"),
    (
        Confession,
        "^ this|it is|s just|only? a|an very? !simplified|naive|minimal implementation|version for demo|demonstration|now|illustration|the_purposes",
    ),
    (Confession, "^ !simplified|stubbed|mocked|faked|hardcoded|hard_coded for now|the_moment|demo|demonstration"),
    (Confession, "^ stubbed|mocked out|for_now $"),
    (Confession, "^ for demo|demonstration|demo_purposes|demonstration_purposes ~3 return|returns|use|just|simulate|hardcode|hard_code"),
    (Confession, "^ would normally|typically|usually ~1 fetch|call|query|send|connect|hit|validate|load|save"),
    (Confession, "^ normally|typically this|we|you|it would call|fetch|query|send|connect|hit|come_from|load_from"),
    (
        Confession,
        "would|will|should|to|must be replaced with|by ~1 !real|actual|proper implementation|call|api|logic|data|service|code|database|backend",
    ),
    (Confession, "^ this|it|currently|just|only is|s? just|only|currently|merely? a|an placeholder|stub|dummy|mock|fake $"),
    (Confession, "^ this|it is|s just|only|currently|merely|really? a|an ~1 placeholder|stub|dummy|mock|fake @kind"),
    (Confession, "^ this|it is|s just|only|currently|merely|really? a|an ~1 placeholder|stub|mock|dummy @until|that|which|and|so|but"),
    (
        Confession,
        "^ this|it is|s just|only? a|an very? simplified|naive version|implementation|approach|check|calculation|heuristic ~4 in|real|production|would|should|for_now",
    ),
    (Confession, "^ just|only a? @fake|simplified|temporary @kind? @until? $"),
    (Confession, "^ @fake @kind? @until"),
    (Confession, "^ a? @fake|temporary|naive implementation|implementations|logic|version|body|handler|return|response|result $"),
    (Confession, "^ placeholder|stub|dummy|fake|mock|hardcoded|hard_coded return|data|response|result|logic $"),
    (
        Confession,
        "^ return|returns|returning|use|using a|an|some|the? ~1 @fake data|value|values|response|result|results|object|list|implementation @until? $",
    ),
    (Confession, "^ simplified implementation|logic|version|check|calculation|approach|handling $"),
    (
        Confession,
        "^ simplified|naive version|implementation|logic|check|approach ~6 for_now|production|in_reality|real_implementation|would_be|should_be",
    ),
    (
        Confession,
        "^ for now we|i|just|simply|only|let_s|always|it|this|will? just|simply|only|always? return|returns|returning a|an|the? ~1 @fake|@nothing",
    ),
    (
        Confession,
        "^ for now we|i|just|simply|only|let_s|it|this|will|is? just|simply|only? hardcode|hardcoded|hard_code|hard_coded|stub|stubbed|mock|mocked|fake|faked|simulate|simulating|placeholder",
    ),
    (
        Confession,
        "^ for now we|i|just|simply|let_s? use|using a|an|some? ~1 placeholder|stub|dummy|mock|fake|hardcoded|hard_coded|simulated",
    ),
    (Confession, "^ @fake for_now|temporarily $"),
    (
        Confession,
        "^ we|i|just? stub|stubbed|mock|mocked|hardcode|hardcoded|hard_coded|fake|faked|simulate this|it|these|the_response|the_result? for_now",
    ),
    (
        Confession,
        "^ simulate|simulates|simulating|mock|mocking|fake a|an|the|some? ~1 api|network|server|backend|database|async|http call|request|response|delay|latency|query $",
    ),
    (
        Confession,
        "^ replace|swap|substitute this|me|it|these|with|the? ~3 with|by|for? a|an|the|your? real|actual|proper implementation|logic|code|api|data|call|calls|service|database|endpoint|response|values|backend|authentication",
    ),
    (Confession, "^ TODO|FIXME for_now return|returns|returning|hardcoded|hard_coded|hardcode|just"),
    (Confession, "^ TODO|FIXME remove? hard_coded|hardcoded|stub|mock|mocked|dummy|placeholder $"),
    // Stand-in words beside a constant return.
    (StandIn, "TODO|FIXME|XXX|HACK|tbd"),
    (StandIn, "placeholder|placeholders|stub|stubs|stubbed|dummy|mock|mocked|mocking|fake|faked|hardcoded|hardcode|hard_coded|hard_code"),
    (StandIn, "for now"),
    (StandIn, "temporary|temporarily|simplified|unimplemented|simulate|simulated|tentative|provisional"),
    (StandIn, "not yet? implemented"),
    (StandIn, "implement|implemented later|soon|this|me|properly"),
    (StandIn, "until the|we|this ~4 lands|exists|ready|implemented|done|available|wired"),
    (StandIn, "wire|hook|connect this|it? up"),
    (StandIn, "to be implemented|done|added|filled_in|completed"),
    (StandIn, "@real implementation|logic|value|data goes|later|here|would|should|will"),
    // Emptiness on purpose.
    (Empty, "intentional|intentionally|deliberate|deliberately|purposely|purposefully|on_purpose|by_design"),
    (Empty, "no_op|noop|no_ops|nop|no_operation"),
    (Empty, "nothing to|needs|happens|needed|more|else|here|special|is"),
    (Empty, "^ nothing $"),
    (Empty, "do|does|doing|did nothing|not_need|not_do_anything|not_require|not_have"),
    (Empty, "doesn|don|needn|isn t need|do|have|require|matter|care|support|apply|use|needed"),
    (
        Empty,
        "ignore|ignores|ignored|ignoring|discard|discards|discarded|drops|dropped|swallow|swallows|swallowed|suppress|suppressed|skip|skips",
    ),
    (Empty, "no need|action|cleanup|work|state|effect|side_effects"),
    (Empty, "not needed|required|necessary|used|applicable|supported|interested|relevant|called"),
    (Empty, "unused|unneeded|unnecessary|optional|best_effort|marker|sealed|sentinel|abstract"),
    (Empty, "left|leave|leaves|kept|keep|is|are|stays empty|blank"),
    (Empty, "empty on|by|because|so|since|to|for"),
    (Empty, "override|overridden|overrides|subclass|subclasses|subclassed|implementors|default_implementation"),
    (Empty, "handled|done|covered elsewhere|by|in|above|below|already"),
    (Empty, "already handled|done|closed|released|cleaned|stopped|gone"),
    (Empty, "can_t|cannot|never|won_t fail|happen|be_called|called|reached|occur|reach"),
    (Empty, "it is|s? ok|okay|fine|expected|safe to|if|when|that"),
    (Empty, "prevent|prevents|forbid|forbids|disallow|hide|only instantiation|construction|constructing"),
    // Messages.
    (StubPromise, "TODO|FIXME|XXX"),
    (StubPromise, "^ todo $"),
    (StubPromise, "^ stub|stubbed|placeholder|dummy $"),
    (StubPromise, "is|just|only|a|am a|an? stub|placeholder $"),
    (StubPromise, "stub method|function|implementation|only|called|body|handler|version"),
    (StubPromise, "^ stub not_implemented"),
    (StubPromise, "^ implement me|this|it|here|later|first"),
    (StubPromise, "^ ~4 to be implemented later|soon|here? $"),
    (StubPromise, "unimplemented yet|for_now"),
    (StubPromise, "placeholder implementation|method|function|body"),
    (StubMissing, "not yet|currently|been? implemented"),
    (StubMissing, "isn|hasn|aren|wasn t been? yet? implemented"),
    (StubMissing, "unimplemented"),
    (StubMissing, "not implement yet"),
    (StubMissing, "implementation missing|pending|needed"),
    (StubMissing, "no implementation yet|available"),
    (StubNot, "TODO|todo list|lists|item|items|app|task|tasks|file|entry|entries|comment|comments|not_found"),
    (StubNot, "not implemented by|on|because|in"),
    (StubNot, "must|should|needs_to|has_to|to be implemented|overridden by|in a|the|sub|child|derived|your|each|every|subclass|subclasses"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn confessions() {
        for text in [
            "In a real implementation, this would send a HEAD request",
            "In a real application, you would validate the token",
            "This would query the database in a real implementation.",
            "In production, this would call the payment API",
            "This is a placeholder implementation",
            "This is a placeholder",
            "just a stub",
            "placeholder implementation",
            "placeholder for now",
            "Placeholder until the API is ready",
            "mock data for now",
            "For now, return mock data",
            "For now we just return an empty list",
            "for now, hardcoded",
            "Mock implementation",
            "return dummy data",
            "Simulate API call",
            "Simplified implementation: real one needs the tax table",
            "Replace with actual API call",
            "A real implementation would use a lock here",
            "Simplified for now",
            "This would be replaced with a real call",
            "Hard-coded for now",
            "stubbed out",
            "TODO: for now just return the first",
        ] {
            assert_eq!(classify(text), Some(Phrase::Confession), "{text}");
        }
    }

    #[test]
    fn honest_limits_and_domain_words() {
        for text in [
            "for now we assume ASCII",
            "For now, the cache is never evicted.",
            "mock implementation is not needed here",
            "A simplified version of Vincenty's formula that assumes a sphere; the error stays below 0.5 %",
            "The placeholder is matched without case",
            "placeholder code 0 that the cash desk understands",
            "one placeholder per value",
            "Renders a grey placeholder until the picture has been loaded.",
            "the tokens will be replaced with actual values during test execution",
            "For now, skip symlinks",
            "default placeholder text",
            "fake timers are restored",
            "Simplify the path",
            "in the real world headers repeat",
            "In production we use redis",
            "placeholder={name}",
            "gRPC stub for the mail service",
            "The mock server answers on port 8080",
            "temporary file, removed on drop",
            "placeholder host is replaced by the pipeline",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }

    #[test]
    fn stand_ins() {
        for yes in [
            "TODO",
            "placeholder until the scoring model lands",
            "dummy value for now, wire up the aggregation",
            "TODO: check the policy",
            "hard-coded",
            "not yet implemented",
            "TODO(ana): x",
        ] {
            assert!(stands_in(yes), "{yes}");
        }
        for no in ["empty when there is no report", "todos", "the default", "Stuba AG", "mockingbird", "rest of the code unchanged"] {
            assert!(!stands_in(no), "{no}");
        }
    }

    #[test]
    fn emptiness() {
        for yes in [
            "intentionally empty: this logger drops everything",
            "Default progress hook: deliberately does nothing.",
            "no-op",
            "Subclasses may hook in here; the base emitter has nothing to release.",
            "ignore",
            "nothing to do",
        ] {
            assert!(explains_emptiness(yes), "{yes}");
        }
        for no in ["TODO: implement, nothing to do yet", "later", "handle the click", "TODO", "placeholder", "your code here"] {
            assert!(!explains_emptiness(no), "{no}");
        }
    }

    #[test]
    fn messages() {
        for (message, want) in [
            ("TODO", Some(StubWording::Promise)),
            ("TODO: redeem points", Some(StubWording::Promise)),
            ("TODO: compare the ledger with the bank file", Some(StubWording::Promise)),
            ("stub", Some(StubWording::Promise)),
            ("Stub!", Some(StubWording::Promise)),
            ("this is a stub", Some(StubWording::Promise)),
            ("implement me", Some(StubWording::Promise)),
            ("unimplemented yet", Some(StubWording::Promise)),
            ("not implemented", Some(StubWording::NotImplemented)),
            ("Not implemented yet", Some(StubWording::NotImplemented)),
            ("capture: not yet implemented", Some(StubWording::NotImplemented)),
            ("Method not implemented.", Some(StubWording::NotImplemented)),
            ("eval: operator 0 is not implemented by any backend", None),
            ("todo list not found", None),
            ("TODO list is empty", None),
            ("all todos are done", None),
            ("unknown kind", None),
            ("not supported", None),
            ("must be implemented by subclasses", None),
        ] {
            assert_eq!(stub_wording(message), want, "{message}");
        }
    }
}
