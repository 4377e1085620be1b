def total(prices):
    """Returns the sum of the prices, in cents."""
    return sum(prices)


def discount(price, percent):
    """Returns the price after a discount, rounded down."""
    if not 0 <= percent <= 100:
        raise ValueError(percent)
    return price * (100 - percent) // 100
