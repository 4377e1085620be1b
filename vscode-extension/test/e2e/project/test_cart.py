import pytest

PRICES = {"pear": 3, "plum": 5}


def test_total():
    assert sum(PRICES.values()) == 8


def test_unknown_fruit():
    with pytest.raises(KeyError):
        PRICES["kiwi"]
