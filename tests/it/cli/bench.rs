//! The bench measures: each part gives its rows, against the floor.

use super::repo::run_in;

#[test]
fn each_part_gives_rows_with_a_floor() {
    let temp = tempfile::tempdir().unwrap();
    let args = ["bench", "edits", "burst", "start", "cold", "--lines", "60", "--languages", "go", "--rounds", "1", "--format", "json"];
    let run = run_in(temp.path(), &args);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["schema"], "oguard.bench/1");
    let rows = report["rows"].as_array().unwrap();
    let what: Vec<&str> = rows.iter().map(|row| row["what"].as_str().unwrap()).collect();
    for part in ["a typed letter, go 60 lines", "200 edits at once, go 60 lines", "start to first diagnostics, go 60 lines"] {
        assert!(what.contains(&part), "{part}: {what:?}");
    }
    assert!(what.iter().any(|w| w.starts_with("cold check against true + blob + two parses")), "{what:?}");
    for row in rows {
        assert!(row["oguard"].as_f64().unwrap() > 0.0 && row["floor"].as_f64().unwrap() > 0.0, "{row}");
    }
}
