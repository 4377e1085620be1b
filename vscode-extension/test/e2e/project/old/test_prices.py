def test_old_price():
    assert 2 + 2 == 4
