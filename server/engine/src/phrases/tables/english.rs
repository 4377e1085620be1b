//! English elisions and promises. Confessions, stand-in words and error messages are in `english_stubs.rs`.
//!
//! What must not match is tested below: prose about the rest of a value, ordinary chores, statements about other systems.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    ("det", "the your this that my our these those any all its all_the all_your all_of_the all_other the_entire every"),
    ("lead", "keep insert include add leave put paste place copy plus and with retain preserve keep_all keep_the"),
    (
        "code",
        "code implementation implementations function functions method methods class classes component components file files script module \
         modules logic import imports handler handlers body bodies program source snippet test tests middleware middlewares route routes \
         endpoint endpoints hook hooks helper helpers struct structs jsx markup template html styles css configuration config setup \
         definition definitions initialization statements functionality",
    ),
    (
        "weak",
        "field fields prop props property properties case cases option options parameter parameters params argument arguments args value \
         values column columns entry entries item items attribute attributes setting settings element elements form content contents section sections \
         line lines variable variables constant constants type types rule rules key keys state declaration declarations step steps member \
         members branch branches arm arms variant variants export exports services dependencies children buttons inputs page layout view \
         schema query queries actions reducers selectors effects mutations resolvers views models controllers states ui stuff part parts",
    ),
    ("verbs", "implement finish complete fill_in fill_this fill_me"),
    ("self", "this it this_function this_method this_feature the_method the_function this_part this_case method function feature that"),
    ("stay", "remains remain stays stay is are continues continue kept left keeps will_remain will_stay should_remain stays_exactly"),
    (
        "same",
        "unchanged the_same same as_is as_it_is as_they_are as_before as_above identical intact untouched unmodified unaltered exactly_the_same \
         exactly_as_before the_exact_same exactly_as_is as_it_was as_they_were",
    ),
    ("here", "here goes_here go_here stays_here stay_here remains_here continues_here follows below above goes_below"),
    ("gone", "omitted elided truncated snipped abbreviated not_shown"),
    ("cut", "removed hidden skipped shortened trimmed collapsed left_out"),
    ("brevity", "for_brevity for_conciseness for_the_sake_of_brevity to_save_space due_to_length for_length"),
    ("also", "for in of from to with on that which until after before and where except"),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    // As in "the rest of the code is unchanged".
    (Elision, "@det? rest|remainder of? @det? existing|original|previous? ~1 @code @stay? @same as_before|as_above|as_it_was?"),
    (Elision, "@det? rest|remainder of? @det? existing|original|previous? ~1 @code @stay? @same for|in|as|from|until|to ~3"),
    (Elision, "@det? remaining|existing|previous|original|other @det? ~2 @code @stay @same as_before|as_above?"),
    (Elision, "@det? remaining|existing|other ~1 @code unchanged|as_is|untouched|as_before"),
    (
        Elision,
        "@det? rest|remainder of? @det? existing|original? code|file|function|method|class|component|implementation|module|script @here",
    ),
    (Elision, "@det? rest|remainder of your existing? ~1 @code"),
    (Elision, "@lead? your? existing code here|goes_here|stays_here|continues?"),
    (Elision, "your existing|original|other|remaining ~1 @code @here?"),
    (Elision, "@det? code|function|method|implementation|file continues|continue as_before|unchanged|as_is|as_above"),
    (
        Elision,
        "keep|leave|retain|preserve @det? rest|remaining|existing|other of? @det? ~1 @code as_is|unchanged|the_same|as_before|intact|untouched|as_they_are",
    ),
    (Elision, "rest|remainder @stay? unchanged|the_same|as_before as_before|above?"),
    // As in "code omitted for brevity".
    (
        Elision,
        "~1 code|implementation|implementations|body|logic|methods|functions|imports is|are? omitted|elided|not_shown @brevity|for_clarity|here?",
    ),
    (Elision, "~3 @gone|@cut @brevity"),
    (Elision, "@gone|@cut @brevity ~2"),
    (Elision, "same as before"),
    (Elision, "@lead? rest|remainder of existing|the_existing|the_original code|file|function|class|component"),
    (Elision, "existing code continues|remains|stays here"),
    (Elision, "snip|snipped"),
    // With dots or in brackets less must be said.
    (Dotted, "rest of? @det? existing|original|previous|other? ~1 @code|@weak"),
    (
        Dotted,
        "@lead? @det? rest|remainder of? @det? existing|original|previous|other|your|current? ~2 @code|@weak @stay|@here? @same|@gone|@here?",
    ),
    (Dotted, "@lead? @det? rest|remainder of? @det? ~2 @code|@weak @stay|@here? @same|@gone|@here? @also ~5"),
    (Dotted, "@lead? @det? rest|remainder @stay? @same|@gone|@here @brevity?"),
    (
        Dotted,
        "@lead? @det? existing|previous|original|other|remaining|unchanged|same|additional|earlier|further|your_existing @det? ~2 @code|@weak",
    ),
    (
        Dotted,
        "@lead? @det? existing|previous|original|other|remaining|unchanged|same|additional|earlier|further ~2 @code|@weak @stay? \
         @same|@gone|@here as_before|as_above|@brevity?",
    ),
    (Dotted, "@lead? @det? existing|previous|original|other|remaining|unchanged|same ~2 @code|@weak and|or @det? ~2 @code|@weak"),
    (Dotted, "@lead? @det? existing|previous|original|other|remaining|unchanged|same ~2 @code|@weak @also ~4"),
    (Dotted, "@det? existing|previous|original|other|remaining ~2 @code|@weak @also ~4 @stay? @same|@gone|@here"),
    (Dotted, "@lead? @det? ~2 @code|@weak @stay? unchanged|as_before|same_as_before|@gone|@cut @brevity?"),
    (Dotted, "@lead? @det? ~1 @code|@weak remain|remains|stay|stays|are|is !the_same|identical|unchanged as_before?"),
    (Dotted, "@det? @code|content|output|response continues|continued|continue @here|@same?"),
    (Dotted, "more|many_more|other|additional @code|@weak @here?"),
    (Dotted, "no|nothing changes|change|changed|else_changes here|below|needed|above|required?"),
    (Dotted, "@det? rest unchanged|omitted|as_before|stays|remains"),
    (Dotted, "same as above|previous|previously|original|the_original|in_the_original|earlier"),
    (Dotted, "unchanged|omitted|elided|truncated|snip|rest_unchanged @brevity?"),
    (Dotted, "as before|above"),
    // To-dos that promise code. A chore ("TODO: drop this") promises none.
    (Promise, "^ TODO|FIXME|XXX|HACK @verbs"),
    (Promise, "^ TODO|FIXME implementation|implement|implementing"),
    (
        Promise,
        "^ TODO|FIXME write me|it|this|body|logic|implementation|the_body|the_logic|the_implementation|the_code|code|real_implementation",
    ),
    (
        Promise,
        "^ TODO|FIXME add|put|insert|write|provide|supply @det? actual|real|missing|proper|own|full|remaining? ~2 logic|code|implementation|implementations",
    ),
    (Promise, "^ TODO|FIXME add|put|insert|write your|actual|real ~4"),
    (Promise, "^ TODO|FIXME this_is|is|currently? not yet? implemented yet|currently?"),
    (Promise, "^ TODO|FIXME ~3 to_be|should_be|must_be|needs_to_be|has_to_be implemented"),
    (Promise, "^ TODO|FIXME replace this|it|stub|placeholder|mock|dummy? ~1 with|by a|an|the|your? real|actual|proper"),
    // Imperatives and announcements without a marker: the whole clause.
    (Promise, "^ implement me|this|it|here|later|your|logic|body|actual|real $"),
    (Promise, "^ implement @det? ~3 here|later $"),
    (Promise, "^ implement this|your ~1 function|method|class|logic|code|part here|later? $"),
    (Promise, "^ add|put|write|insert|place|paste|fill_in your own|custom|actual? ~3 here|below|in_here $"),
    (
        Promise,
        "^ add|put|write|insert|place|fill_in|implement @det? actual|real|own|proper? ~2 logic|code|implementation !here|below|later $",
    ),
    (Promise, "^ your ~2 code|implementation|logic|solution goes_here|here|go_here|below $"),
    (Promise, "^ your code|implementation|logic|solution $"),
    (Promise, "^ @det? ~2 code|logic|implementation|body|solution !goes|comes here $"),
    (Promise, "^ !implementation pending|to_follow|coming_soon|to_come|to_be_added|to_be_done|missing|here|needed $"),
    (Promise, "^ @self? to_be implemented|completed|filled_in later|soon|here|yet? $"),
    (Promise, "^ yet|still|not_yet to_be implemented $"),
    (
        Promise,
        "^ this|it|logic|method|function|needs|the_function|this_method|this_function needs_to_be|has_to_be|must_be|should_be|will_be implemented|completed|filled_in later|soon|here|in_the_future? $",
    ),
    (Promise, "^ will implement|finish|complete this|it? later|soon|afterwards $"),
    (Promise, "^ ~2 logic|code|implementation|handling to be !added|implemented|completed|filled_in here|later|soon? $"),
    (Promise, "^ will|needs_to|must be implemented|completed later|soon|here? $"),
    (Promise, "^ not implemented yet|for_now|currently|so_far $"),
    // Absence alone promises nothing: beside a constant it is the evidence of a stub.
    (Confession, "^ not implemented $"),
    (Promise, "^ not finished|completed yet $"),
    (Promise, "^ @self? is|are not|currently_not|still_not yet? implemented yet|for_now|at_the_moment|currently? $"),
    (Promise, "^ @self? isn_t|aren_t|not implemented yet $"),
    (Promise, "^ not yet implemented $"),
    (Promise, "^ unimplemented yet|for_now|currently $"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, classify};

    #[test]
    fn elisions() {
        for text in [
            "... existing code ...",
            "...existing code...",
            "... rest of your existing code ...",
            "rest of the code remains unchanged",
            "Rest of file remains the same",
            "rest of the function unchanged",
            "The rest of the code stays the same as before",
            "[Rest of the component remains unchanged...]",
            "... same validation logic as before ...",
            "... (other handlers stay the same)",
            "... (rest of the script)",
            "(existing code for host and workers stays here)",
            "... other fields unchanged ...",
            "... remaining cases unchanged",
            "... rest of the configuration unchanged",
            "... rest of the form remains the same ...",
            "[[ implementation omitted ]]",
            "Implementation omitted for brevity",
            "error handling omitted for brevity",
            "Other methods remain unchanged",
            "All other methods remain unchanged.",
            "Remaining functions unchanged",
            "Previous imports remain the same",
            "... keep existing implementation ...",
            "existing code here",
            "keep the rest of the code as is",
            "... same as before ...",
            "same as before",
            "… existing imports and state …",
            "[...snip...]",
            "--- rest of file unchanged ---",
            "... imports remain the same ...",
            "{... existing JSX ...}",
            "Existing implementation...",
            "[Previous code remains exactly the same]",
            "...",
        ] {
            let want = (text != "...").then_some(Phrase::Elision);
            assert_eq!(classify(text), want, "{text}");
        }
    }

    #[test]
    fn prose_about_the_rest() {
        for text in [
            "The rest of the arguments are passed on unchanged.",
            "the rest of the options are passed on",
            "existing rows keep their order",
            "the remaining bytes are zero",
            "an existing entry wins (the same rule as in the printer)",
            "Existing separators in the parts stay as they are.",
            "remaining placeholders are left as they are",
            "The rest of the fields keep their defaults.",
            "the rest of the formula is symmetric in a and b",
            "Existing code paths call this once per frame; the rest of the pipeline is unchanged.",
            "every remaining case is unknown",
            "rest parameter first, then the others",
            "0..=9 are digits, 10.. are letters: 'a', 'b', ... up to 'z'.",
            "...args",
            "Loading...",
            "./... matches all packages",
            "for brevity {n} means {name}",
            "Keep the remaining capacity for later frames.",
            "If nothing changed we keep the rest of the file as is and return early, see below.",
            "so that the\nrest of the code stays the same\nwhen a plugin is loaded",
            "existing todos keep their order; ids go up: 1, 2, 3, ...",
            "same as above but for Windows",
            "Same logic as above",
            "existing files are kept",
            "Original code: https://example.org",
            "no changes",
            "(see the rest of the code below)",
            "writes \"rest of the code unchanged\" into the prompt",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }

    #[test]
    fn promises() {
        for text in [
            "TODO: implement",
            "TODO implement mailing",
            "TODO: implement exponential backoff",
            "FIXME - fill in the error handling",
            "TODO: Implement actual enabled state when toggle support is wired up",
            "TODO: add the actual logic here",
            "TODO: write the body",
            "TODO: not implemented yet",
            "todo: implement this",
            "implement me",
            "Implement your logic here",
            "Add your code here",
            "Your implementation goes here",
            "your code here",
            "Not implemented yet",
            "This is not yet implemented.",
            "to be implemented",
            "Will be implemented later",
            "implementation goes here",
        ] {
            assert_eq!(classify(text), Some(Phrase::Promise), "{text}");
        }
    }

    #[test]
    fn chores_and_statements() {
        for text in [
            "TODO",
            "TODO: drop Python 3.8",
            "TODO(ana): implement retries",
            "TODO: implement retries, see #12",
            "TODO OPS-12: implement retries",
            "TODO: implement https://example.org/spec",
            "The list keeps every todo that is not implemented as a recurring one.",
            "XXX: mutates the list in place, see the note in the README",
            "not implemented by the desk: codes above 99",
            "Implements the trait for references",
            "must be implemented by subclasses",
            "implement this interface to receive events",
            "TODO: add tests",
            "TODO: handle unicode",
            "Implement Display for Foo",
            "fill in the defaults",
            "add the header here",
            "your code runs in a sandbox",
            "says 'TODO: implement' in the template",
            "add new languages here",
            "TODO: check the password policy",
            "a todo list to implement the kata",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
