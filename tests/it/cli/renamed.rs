//! A file of tests that was renamed: where its runner still looks nothing is said, else one finding for the whole file.

use crate::cli::repo::{Repo, TEST};

const PYTHON: &str =
    "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_none():\n    assert total([]) == 0\n";
const TYPESCRIPT: &str =
    "import { add } from './f';\n\ndescribe('sums', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n});\n";

const JAVA: &str = "class CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n}\n";

/// Returns what is found after a file was renamed.
fn renamed(text: &str, from: &str, to: &str) -> Vec<String> {
    renamed_under("", text, from, to)
}

fn renamed_under(settings: &str, text: &str, from: &str, to: &str) -> Vec<String> {
    let repo = Repo::new();
    repo.write("oguard.toml", settings);
    repo.write(from, text);
    let folder = to.rsplit_once('/').map_or(".", |(folder, _)| folder);
    repo.write(&format!("{folder}/.keep"), "");
    repo.commit("base");
    repo.git(&["mv", from, to]);
    repo.check(&[]).found()
}

#[test]
fn a_name_that_the_runner_misses() {
    for (text, from, to) in [
        (PYTHON, "tests/test_cart.py", "tests/cart_tst.py"),
        (PYTHON, "tests/test_cart.py", "tests/_test_cart.py"),
        (TYPESCRIPT, "src/f.test.ts", "src/f.tst.ts"),
        (TYPESCRIPT, "src/f.spec.ts", "src/f.ts"),
        (TEST, "a_test.go", "_a_test.go"),
        (TEST, "a_test.go", "a_tests.go"),
        (JAVA, "src/test/java/CartTest.java", "src/test/java/CartChecks.java"),
        (JAVA, "src/test/java/CartTest.java", "src/main/java/CartTest.java"),
    ] {
        assert_eq!(renamed(text, from, to), [format!("{to} test-disabled")], "{from} -> {to}");
    }
}

#[test]
fn an_ending_under_which_it_is_put_aside() {
    for (text, from, to) in [
        (TEST, "a_test.go", "a_test.go.txt"),
        (TEST, "a_test.go", "a_test.bak"),
        (PYTHON, "tests/test_cart.py", "tests/test_cart.py.disabled"),
        (TYPESCRIPT, "src/f.test.ts", "src/f.test.ts~"),
    ] {
        assert_eq!(renamed(text, from, to), [format!("{to} test-disabled")], "{from} -> {to}");
    }
}

#[test]
fn where_the_runner_still_looks_nothing_is_said() {
    for (text, from, to) in [
        (PYTHON, "tests/test_cart.py", "tests/unit/test_shop.py"),
        (PYTHON, "tests/test_cart.py", "tests/cart_test.py"),
        (TYPESCRIPT, "src/f.test.ts", "src/f.spec.ts"),
        (TYPESCRIPT, "src/f.test.ts", "src/__tests__/f.ts"),
        (TYPESCRIPT, "src/f.test.ts", "src/f_test.ts"),
        (TYPESCRIPT, "test/f.test.ts", "test/f.ts"),
        (TEST, "a_test.go", "b_test.go"),
    ] {
        assert_eq!(renamed(text, from, to), [""; 0], "{from} -> {to}");
    }
}

#[test]
fn a_file_that_held_no_test_or_becomes_data() {
    let helper = "package a\n\nfunc helper() int {\n\tvalue := 1\n\treturn value + 2\n}\n";
    assert_eq!(renamed(helper, "a_test.go", "helper.go"), [""; 0]);
    let skipped = crate::cli::repo::skipped();
    assert_eq!(renamed(&skipped, "a_test.go", "_a_test.go"), [""; 0], "it did not run before");
    assert_eq!(renamed(PYTHON, "tests/test_cart.py", "templates/test_cart.py.j2"), [""; 0]);
    assert_eq!(renamed(PYTHON, "tests/test_cart.py", "fixtures/test_cart.py.txt"), [""; 0]);
    assert_eq!(renamed(TEST, "convert_fixtures/a_test.go", "_convert/a_test.go"), [""; 0]);
}

#[test]
fn the_settings_say_where_else_the_runner_looks() {
    let settings = "[paths]\ntests = [\"checks/**\", \"**/*_tst.py\"]\n";
    assert_eq!(renamed_under(settings, PYTHON, "tests/test_cart.py", "tests/cart_tst.py"), [""; 0]);
    assert_eq!(renamed_under(settings, PYTHON, "checks/cart.py", "tools/cart.py"), ["tools/cart.py test-disabled"]);
}

#[test]
fn one_finding_names_the_file_and_what_to_do() {
    let repo = Repo::new();
    repo.write("tests/test_cart.py", PYTHON);
    repo.commit("base");
    repo.git(&["mv", "tests/test_cart.py", "tests/cart_tst.py"]);
    let report = repo.check(&[]).json();
    let finding = &report["findings"][0];
    assert_eq!(finding["level"], "block");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("tests/test_cart.py") && message.contains("`test_total` and another test"), "{message}");
    assert!(finding["next_action"].as_str().unwrap().contains("rename the file back"), "{finding}");
}
