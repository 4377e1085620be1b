package stock

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"
)

// ... rest of the helpers unchanged ...

func TestTotal(t *testing.T) {
	t.Skip("flaky")
	require.Equal(t, 3, New().Total())
}

func TestTake(t *testing.T) {
	for _, name := range []string{"apple", "pear"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("slow")
			}
			if got := New().Take(name); got != 2 { //nolint
				t.Errorf("got %d", got)
			}
		})
	}
}

type StockSuite struct {
	suite.Suite
}

func (s *StockSuite) TestLoad() {
	s.T().Skip()
	s.Equal(1, len(Load()))
}

func TestStockSuite(t *testing.T) {
	suite.Run(t, new(StockSuite))
}

func price(name string) int {
	panic("not implemented")
}
