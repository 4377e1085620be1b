package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.verify;

import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A cart, as {@code @Disabled} would not have it. */
@SuppressWarnings({"unchecked", "rawtypes"})
class SampleTest extends Base<Cart> implements Closeable {
    // TODO: implement the rest of the cart
    private static final String TEXT = """
        @Test // not a comment
        """;
    private final Runnable task = () -> {
        throw new UnsupportedOperationException("not implemented");
    };

    @BeforeEach
    void open() throws Exception {
        assumeTrue(System.getenv("CI") == null);
        cart = new Cart();
    }

    @Test
    @Disabled("later") // SHOP-12
    void adds() {
        @SuppressWarnings("unused")
        int total = cart.add(1, 2); // NOSONAR
        assertThat(cart).as("cart").isNotNull().extracting(Cart::total).isEqualTo(3);
        assertEquals(3, total, "total");
        verify(cart, times(2)).add(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"1,2", "3,4"})
    void pairs(int a, int b) {
        if (a > b) {
            throw new TestAbortedException("odd");
        }
        assertThrows(IllegalStateException.class, () -> cart.pair(a, b));
    }

    @Nested
    class Empty {
        @Test
        void isZero() {
            for (Item item : cart.items()) {
                fail("no item is expected: " + item);
            }
        }
    }

    class Passed {
        @Test
        void over() {
            assertTrue(true);
        }
    }

    // ... existing tests ...

    //    @Test
    //    void removes() {
    //        assertEquals(1, cart.remove(1));
    //    }

    interface Carrier {
        default int price() {
            throw new UnsupportedOperationException("TODO");
        }
    }

    enum Kind {
        LETTER {
            int rate() {
                return 1;
            }
        },
        PARCEL;

        int rate() {
            return 0; // placeholder
        }
    }

    record Money(long cents, String currency) {
        Money {
            if (cents < 0) throw new IllegalArgumentException("negative");
        }
    }

    Object made = new Iterator<String>() {
        @Override
        public void remove() {
            throw new UnsupportedOperationException("not implemented");
        }
    };

    @Deprecated
    int old() {
        log.info("old");
        return switch (kind) {
            case "a" -> 1;
            default -> { yield 2; }
        };
    }
}

class Rates {
    int of(String country) {
        throw new UnsupportedOperationException("not implemented");
    }

    @SuppressFBWarnings(value = "NP", justification = "checked")
    List<String> all() {
        // dummy value
        return Collections.emptyList();
    }
}
