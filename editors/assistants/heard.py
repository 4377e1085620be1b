#!/usr/bin/env python3
"""`heard.py HEARD.jsonl WORDS COUNT...`: how often the model had read WORDS at each of its turns; ends with 1 where it is not so.

A conversation keeps what was said, so the counts rise by what a turn brought and stay where it brought nothing.
"""
import json
import sys

log, words, *expected = sys.argv[1:]
turns = [json.loads(line) for line in open(log, encoding="utf-8")]
counts = [sum(text.count(words) for text in turn) for turn in turns]
expected = [int(count) for count in expected]
if counts == expected:
    print(f"ok: the model read {words!r} {counts} times, turn by turn")
    sys.exit(0)
print(f"FAILED: the model read {words!r} {counts} times, turn by turn; expected {expected}")
known = 0
for number, turn in enumerate(turns):
    print(f"-- turn {number}, what is new:")
    for text in turn[known:]:
        print("   | " + text[:600].replace("\n", "\n   | "))
    known = len(turn)
sys.exit(1)
