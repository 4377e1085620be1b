"""Stock keeping, tested."""
import os
import sys
import unittest

import pytest
from stock import Stock, load  # type: ignore

# ... rest of the imports unchanged ...


@pytest.fixture
def stock():
    return Stock({"apple": 3})


@pytest.mark.skip(reason="flaky")
def test_total(stock):
    assert stock.total() == 3


@pytest.mark.skipif(sys.platform == "win32", reason="posix only")
def test_path(stock):
    assert stock.path.startswith("/")


class TestTake:
    @pytest.mark.xfail
    def test_take(self, stock):
        stock.take("apple")
        assert stock.total() == 2  # noqa

    @pytest.mark.parametrize("count", [1, 2])
    def test_take_many(self, stock, count):
        with pytest.raises(ValueError):
            stock.take("apple", count=10)


class LoadTest(unittest.TestCase):
    def setUp(self):
        self.folder = os.getcwd()

    @unittest.skip("later")
    def test_load(self):
        self.assertEqual(load(self.folder), {})

    def test_missing(self):
        self.skipTest("no file")
        self.assertIsNone(load("/missing"))


def price(name):
    raise NotImplementedError


def tax(name):
    # TODO: implement this
    return 0
