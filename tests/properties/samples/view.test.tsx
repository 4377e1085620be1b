import { render, screen } from '@testing-library/react';
import { View } from './view';

describe('view', () => {
  fit('shows its title', () => {
    render(<View title="a">{/* ... rest of the children ... */}</View>);
    expect(screen.getByText('a')).toBeVisible();
  });

  xit('shows nothing', () => {
    render(<View />);
    expect(screen.queryByText('a')).toBeNull();
  });
});
